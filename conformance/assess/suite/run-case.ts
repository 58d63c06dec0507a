import type { Case } from '../../../spec/model/case.js'
import { CaseError } from '../../../spec/model/case-error.js'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { isSpent, type LoginAllowance, maxLogins } from '../../drivers/send/session/budgets.js'
import { baseBindings, type CaseRun, newAccountOf, startCase } from '../../drivers/send/session/case-run.js'
import { caseAccount, sharesAccount } from '../../drivers/send/session/control.js'
import type { CaseRecord, Evidence, Session } from '../../drivers/send/session/session.js'
import type { Account } from '../../target/deployment.js'
import { type Attempt, type AttemptTally, attempt, countRefusals, evidenceOf } from './attempt.js'
import { toResult } from './case-result.js'
import { Controls, TOKEN_POINTER } from './controls.js'
import { learnSecrets } from './learn-secrets.js'
import { repeatTroubled } from './repeat-troubled.js'

/**
 * Runs one case: its control, the case itself, its control once more. What draws inputs is loaded when it is needed first:
 * fast-check and the generators take longer than everything else that a run of single cases needs.
 */
export async function runCase(
  session: Session,
  testCase: Case,
  allowances?: LoginAllowances,
  time: { readonly isAgain?: boolean } = {},
): Promise<Result> {
  const startedAt = performance.now()
  const start = startCase(session, testCase)
  const done = (record: CaseRecord): Result => {
    learnSecrets(session, record.sent)
    return toResult(start, record, performance.now() - startedAt, time)
  }
  try {
    if (mustNotFail(start, allowances?.all)) return done(leaveOut(start, allowances))
    const first: CaseRun = { ...start, account: await accountOf(start) }
    const run: CaseRun = { ...first, logins: allowances && allowanceOf(first, allowances) }
    if (mustNotFail(start, run.logins)) return done(leaveOut(start, allowances))

    const controls = new Controls(run)
    const before = await controls.send('control')
    if (before?.stopped) return done(controls.around({ judgements: [], sent: [], stopped: true }))
    if (before?.problem !== undefined) return done(controls.around(inconclusive(testCase, before.problem)))
    const once = (): Promise<Attempt> =>
      repeatTroubled(run, () => attempt({ ...run, bindings: baseBindings(run, testCase.steps) }))
    const property = propertyOf(testCase)
    const record =
      property === undefined
        ? testCase.forall === undefined
          ? await recordSingle(run, once)
          : await runForall(run, controls)
        : await (await PROPERTIES[property]())(run)
    if (record.stopped) return done(controls.around(record))
    const after = await controls.sendAgain(record)
    if (after?.stopped) return done(controls.around({ ...record, stopped: true }))
    const { problem } = controls
    if (problem === undefined) return done(controls.around(record))
    const judgements = record.judgements.map((judgement) => downgrade(judgement, problem))
    return done(controls.around({ ...record, judgements }))
  } catch (error) {
    if (!(error instanceof CaseError)) throw error
    return done(inconclusive(testCase, `the case cannot be run: ${error.message}`))
  }
}

function accountOf(start: CaseRun): Promise<Account> {
  if (!sharesAccount(start.testCase)) return caseAccount(start)
  start.session.throwaway ??= caseAccount(start)
  return start.session.throwaway
}

/** Whether no login of the case may fail any more. A property in code uses whatever is left. */
function mustNotFail(start: CaseRun, allowance: LoginAllowance | undefined): boolean {
  const { testCase } = start
  if (allowance === undefined || propertyOf(testCase) !== undefined) return false
  return isSpent(allowance, testCase.forall === undefined ? maxLogins(start) : 1)
}

function leaveOut(start: CaseRun, allowances: LoginAllowances | undefined): CaseRecord {
  allowances?.all.budget.leaveOut(start.testCase.id, maxLogins(start))
  // The rules of a spare one are judged by others.
  return inconclusive(start.testCase, BUDGET_SPENT, start.testCase.spare ? 'inapplicable' : 'cantTell')
}

/** A case that sends the same each time, in as many rounds as it needs. */
async function recordSingle(run: CaseRun, once: () => Promise<Attempt>): Promise<CaseRecord> {
  const counted = async (): Promise<Attempt> => {
    const round = await once()
    run.logins?.budget.failed(countRefusals(round), newAccountOf(run))
    return round
  }
  const rounds = roundsOf(run)
  const made = rounds === 1 ? await counted() : await (await import('./rounds.js')).inRounds(rounds, counted)
  const evidence = new Map<number, Evidence>()
  for (const [index, { outcome }] of made.judgements.entries())
    if (outcome === 'failed') evidence.set(index, evidenceOf(run.testCase, made, index))
  return { ...made, evidence }
}

function propertyOf({ steps }: Case): Property | undefined {
  return steps[0]?.property
}

type Property = NonNullable<Case['steps'][number]['property']>

/** What no request can say, each loaded when a case asks for it. */
const PROPERTIES: Readonly<Record<Property, () => Promise<(run: CaseRun) => Promise<CaseRecord>>>> = {
  'account-sequences': async () => (await import('../../properties/account-sequences.js')).searchSequences,
  'user-enumeration': async () => (await import('../../properties/user-enumeration.js')).compareLogins,
  guesses: async () => (await import('../../properties/guesses.js')).guessPasswords,
  'token-strength': async () => (await import('../../properties/token-strength.js')).collectTokens,
  transport: async () => (await import('../../properties/transport.js')).inspectTransport,
}

/** Where a case gets a share of the runs, so many of its rounds too: two at least, as one shows nothing that repeats. */
function roundsOf({ testCase, session: { run, deployment } }: CaseRun): number {
  const { rounds = 1 } = testCase
  const share = deployment.runsShare * run.shareOf(testCase)
  const { own, rounds: usual } = run.amounts
  return Math.min(rounds, own?.(testCase) ?? usual, Math.max(2, Math.round(rounds * share)))
}

const BUDGET_SPENT =
  'not tried: `maxFailedLogins` allows no more failed logins; declare more if the service can take them'

/** What a case may use where it fails on an account that the suite has registered, or on none, and on a declared one. */
export interface LoginAllowances {
  readonly all: LoginAllowance
  readonly declared: LoginAllowance
}

function allowanceOf(run: CaseRun, { all, declared }: LoginAllowances): LoginAllowance {
  return run.testCase.account === 'throwaway' && newAccountOf(run) === undefined ? declared : all
}

async function runForall(run: CaseRun, controls: Controls): Promise<CaseRecord> {
  const { searchCounterexamples } = await import('./forall.js')
  const { tally, first, stopped, runs } = await searchCounterexamples(run, controls)
  if (first === undefined) {
    const reason = 'no input could be tried: the generator has none that fits this target'
    return { ...inconclusive(run.testCase, reason), stopped, runs: 0 }
  }
  const attempts = shownAttempts(tally, first)
  return {
    judgements: tally.judgements(),
    sent: attempts.flatMap(({ sent }) => sent),
    evidence: evidenceOfAll(run.testCase, tally),
    stopped,
    runs,
  }
}

/** What shows each failure that many attempts added up to. */
export function evidenceOfAll(testCase: Case, tally: AttemptTally): ReadonlyMap<number, Evidence> {
  return new Map(
    Array.from(tally.failures, ([index, { evidence }]) => [
      index,
      evidenceOf(testCase, evidence.attempt, index, evidence.counterexample),
    ]),
  )
}

/** The attempts that the report shows: those that failed, or the first. */
export function shownAttempts(tally: AttemptTally, first: Attempt): readonly Attempt[] {
  const failed = [...new Set(Array.from(tally.failures.values(), ({ evidence }) => evidence.attempt))]
  return failed.length > 0 ? failed.slice(0, 5) : [first]
}

function inconclusive(
  { steps }: Case,
  reason: string,
  outcome: 'cantTell' | 'inapplicable' = 'cantTell',
): CaseRecord {
  const judgements = steps.flatMap(({ expect }) =>
    (expect ?? []).map(({ rule }): Judgement => ({ rule, outcome, reason })),
  )
  return { judgements, sent: [], stopped: false }
}

/**
 * A refusal shows nothing where the valid request is refused too. A token that a negative case was given stays a failure:
 * no control can explain it.
 */
function downgrade(judgement: Judgement, reason: string): Judgement {
  if (judgement.outcome === 'failed' && judgement.pointer === TOKEN_POINTER) return judgement
  if (judgement.outcome !== 'passed' && judgement.outcome !== 'failed') return judgement
  return { rule: judgement.rule, outcome: 'cantTell', reason }
}
