import type { Case } from '../../../spec/model/case.js'
import { inParallel } from '../../../spec/model/items.js'
import type { Result } from '../../../spec/model/report.js'
import { plainLogin } from '../../drivers/send/session/control.js'
import type { Session } from '../../drivers/send/session/session.js'
import { runCase } from './run-case.js'
import { casesAtOnce } from './run-phase.js'

/** A result that is not reported before its case was sent once more. */
export interface HeldResult {
  readonly testCase: Case
  readonly result: Result
}

/** Judges held cases once more, where the accounts can still log in. */
export async function judgeHeld(
  session: Session,
  held: readonly HeldResult[],
  onResult: (result: Result) => void,
): Promise<void> {
  const { signal } = session.run
  const isPossible = held.length > 0 && (await canLogIn(session))
  // The longest first, so that none is left alone at the end.
  const inOrder = held.toSorted((a, b) => b.testCase.steps.length - a.testCase.steps.length)
  await inParallel(inOrder, casesAtOnce(session), async ({ testCase, result }) =>
    onResult(isPossible && !signal.aborted ? await judgeAgain(session, testCase, result) : result),
  )
}

/**
 * What is sent once is judged once more at the end of the run, when the service has refused hundreds of requests. Its
 * control tells whether the account can still log in.
 */
export function isJudgedAgain({ control, forall, failedLogin, invariant, steps }: Case): boolean {
  const isPlain = steps.every(
    ({ waitMs, concurrency, property, register }) =>
      waitMs === undefined && concurrency === undefined && property === undefined && register === undefined,
  )
  return control !== undefined && forall === undefined && !failedLogin && invariant === undefined && isPlain
}

/** Whether no account has been locked on the way, as far as one login tells. */
async function canLogIn(session: Session): Promise<boolean> {
  if (session.refusedAccounts.size > 0 || session.run.signal.aborted) return false
  const login = await plainLogin(session, 'control')
  return login !== undefined && login.problem === undefined
}

/** The result of the second time, of one round, where that fails; an inconclusive one takes nothing from the first. */
async function judgeAgain(session: Session, testCase: Case, before: Result): Promise<Result> {
  const again = await runCase(session, { ...testCase, rounds: 1 }, undefined, { isAgain: true })
  if (again.outcome !== 'failed') return session.unread.has(testCase.id) ? again : before
  const judgements = again.judgements.map((judgement) =>
    judgement.outcome === 'failed'
      ? { ...judgement, message: `${judgement.message} (at the end of the run; it was right before)` }
      : judgement,
  )
  return { ...again, judgements }
}
