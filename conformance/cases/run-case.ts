import type { Case, Judgement, Result } from '../../spec/types.js'
import type { Account } from '../deployment.js'
import type { Planned } from '../plan.js'
import { baseBindings } from '../session/bindings.js'
import { sendControl } from '../session/control.js'
import type { FailedLogins } from '../session/failed-logins.js'
import { FRESH_PASSWORD } from '../session/fresh-account.js'
import type { Control, Sent, Session } from '../session/session.js'
import { caseAccount } from '../session/throwaway.js'
import { type Attempt, attemptCase, refusals } from './attempt.js'
import { type Findings, toResult } from './case-result.js'
import { failingRequest } from './failing-request.js'
import type { Tally } from './tally.js'

export interface CaseOptions {
  /** The case's own. */
  readonly seed: number
  readonly runs: number
  readonly path?: string
  readonly replayPath?: string
  readonly signal: AbortSignal
  readonly control: Case | undefined
  readonly logins?: { readonly budget: FailedLogins; readonly reserve: number }
}

/**
 * Runs one case: its control, the case itself, its control once more. What draws inputs is loaded when it is needed first:
 * fast-check and the generators take longer than everything else that a run of single cases needs.
 */
export async function runCase(session: Session, planned: Planned, options: CaseOptions): Promise<Result> {
  const subject = planned.case
  const startedAt = performance.now()
  const { control, logins } = options
  const controls: Control[] = []
  const done = (findings: Findings): Result =>
    toResult(
      session,
      planned,
      withControls(findings, controls),
      performance.now() - startedAt,
      () => options.seed,
    )

  // A property in code makes do with what is left.
  const property = subject.steps[0]?.property
  if (logins !== undefined && property === undefined && logins.budget.left <= logins.reserve) {
    return done({ judgements: allCantTell(subject, BUDGET_SPENT), sent: [], stopped: false })
  }
  const account = await caseAccount(session, subject)
  const logIn = async (as: Case, label: string): Promise<Control> => {
    const login = await sendControl(session, as, subject.id, account, label)
    if (logins !== undefined) countLogin(session, login, account, logins.budget)
    return login
  }
  const sendOnce = async (label: string): Promise<Control | undefined> => {
    if (control === undefined) return undefined
    const sent = await logIn(control, label)
    controls.push(sent)
    return sent
  }

  const before = await sendOnce('control')
  if (before?.stopped) return done({ judgements: [], sent: [], stopped: true })
  if (before?.broken !== undefined) {
    return done({ judgements: allCantTell(subject, before.broken), sent: [], stopped: false })
  }
  const goodLogin = async (): Promise<boolean> => {
    const between = await logIn(control ?? subject, 'control')
    if (between.broken === undefined) return true
    controls.push(between)
    return false
  }
  const findings =
    property !== undefined
      ? await (await import('../properties/account-sequences.js')).searchSequences(session, subject, {
          ...options,
          ...(logins === undefined ? {} : { budget: logins.budget }),
        })
      : subject.forall === undefined
        ? await runOnce(session, subject, account, options)
        : await runForall(session, subject, account, options, goodLogin)
  if (findings.stopped) return done(findings)
  const after = await sendOnce('control again')
  const broken = controls.find((sent) => sent.broken !== undefined)?.broken
  if (after?.stopped) return done({ ...findings, stopped: true })
  if (broken === undefined) return done(findings)
  return done({ ...findings, judgements: findings.judgements.map((judgement) => doubt(judgement, broken)) })
}

const BUDGET_SPENT =
  'not tried: `maxFailedLogins` allows no more failed logins; declare more if the service bears them'

/** A good login between failed ones ends their row. A refused one is one more, and the account may be locked: it is left alone. */
function countLogin(session: Session, login: Control, account: Account, budget: FailedLogins): void {
  if (login.broken === undefined) budget.succeeded()
  const status = login.sent.exchange.response?.status ?? 0
  const isRefused = login.broken !== undefined && status >= 400 && status <= 499
  if (!isRefused || session.refusedAccounts.has(account.userName)) return
  budget.failed(1)
  session.refusedAccounts.set(account.userName, login)
}

async function runOnce(
  session: Session,
  subject: Case,
  account: Account,
  { logins }: CaseOptions,
): Promise<Findings> {
  const attempt = await attemptCase(session, subject, baseBindings(session, subject, account), account)
  logins?.budget.failed(refusals(attempt))
  return {
    judgements: attempt.judgements,
    sent: attempt.sent,
    stopped: attempt.stopped,
    failing: failingRequest(subject, attempt),
  }
}

async function runForall(
  session: Session,
  subject: Case,
  account: Account,
  options: CaseOptions,
  goodLogin: () => Promise<boolean>,
): Promise<Findings> {
  const { logins, ...rest } = options
  const { searchCounterexamples } = await import('./forall.js')
  const outcome = await searchCounterexamples(session, subject, account, {
    ...rest,
    ...(logins === undefined ? {} : { logins: { ...logins, goodLogin } }),
  })
  if (outcome.first === undefined) {
    const reason = 'no input could be tried: the generator found none that fits this target'
    return { judgements: allCantTell(subject, reason), sent: [], stopped: outcome.stopped, runs: 0 }
  }
  const attempts = shownAttempts(outcome.tally, outcome.first)
  const failing = outcome.failing ?? outcome.tally.failures[0]?.attempt
  for (const { sent } of attempts) learnSecrets(session, sent)
  return {
    judgements: outcome.tally.judgements(),
    sent: attempts.flatMap(({ sent }) => sent),
    failing: failing && failingRequest(subject, failing),
    stopped: outcome.stopped,
    runs: outcome.runs,
    counterexample: outcome.counterexample,
  }
}

/** The attempts that the report shows: those that failed, or the first. */
export function shownAttempts(tally: Tally, first: Attempt): readonly Attempt[] {
  const failed = [...new Set(tally.failures.map(({ attempt }) => attempt))]
  return failed.length > 0 ? failed.slice(0, 5) : [first]
}

/** What is derived from a password goes into the second net too. */
function learnSecrets(session: Session, sent: readonly Sent[]): void {
  for (const { prepared } of sent) {
    for (const { value } of prepared.form ?? []) {
      const isSecret = value.wire !== value.shown && value.shown.startsWith('‹')
      // The suite's own password is no secret, and under the name of one account it would stand in for all.
      if (isSecret && !value.wire.startsWith(FRESH_PASSWORD))
        session.redactor.learn(value.wire, value.shown.replaceAll(session.runNonce, '‹run›'))
    }
  }
}

function allCantTell(subject: Case, reason: string): readonly Judgement[] {
  return subject.steps.flatMap(({ expect }) =>
    (expect ?? []).map(({ rule }): Judgement => ({ rule, outcome: 'cantTell', reason })),
  )
}

/**
 * A refusal proves nothing where the valid request is refused too. A token that a negative case was given stays what it
 * is: no control can explain it.
 */
function doubt(judgement: Judgement, reason: string): Judgement {
  if (judgement.outcome === 'failed' && judgement.pointer === '/access_token') return judgement
  if (judgement.outcome !== 'passed' && judgement.outcome !== 'failed') return judgement
  return { rule: judgement.rule, outcome: 'cantTell', reason }
}

function withControls(findings: Findings, controls: readonly Control[]): Findings {
  const [before, ...after] = controls.map(({ sent }) => sent)
  return { ...findings, sent: [...(before === undefined ? [] : [before]), ...findings.sent, ...after] }
}
