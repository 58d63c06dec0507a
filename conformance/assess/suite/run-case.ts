import type { Case } from '../../../spec/model/case.js'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { isSpent, type LoginAllowance, maxLogins } from '../../drivers/send/session/budgets.js'
import { baseBindings, type CaseRun, newAccountOf, startCase } from '../../drivers/send/session/case-run.js'
import { caseAccount, newAccount, sendControl } from '../../drivers/send/session/control.js'
import type {
  CaseRecord,
  Control,
  Evidence,
  SentRequest,
  Session,
} from '../../drivers/send/session/session.js'
import { FRESH_PASSWORD } from '../../target/accounts/fresh-account.js'
import { type Attempt, type AttemptTally, countRefusals, evidenceOf } from './attempt.js'
import { toResult } from './case-result.js'
import { steadyAttempt } from './steady-attempt.js'

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
  const controls: Control[] = []
  const done = (record: CaseRecord): Promise<Result> =>
    toResult(start, withControls(record, controls), performance.now() - startedAt, time)

  // A property in code makes do with what is left.
  const property = testCase.steps[0]?.property
  const needed = testCase.forall === undefined ? maxLogins(start) : 1
  const mustNotFail = (allowance: LoginAllowance | undefined): boolean =>
    allowance !== undefined && property === undefined && isSpent(allowance, needed)
  const leaveOut = (): Promise<Result> => {
    allowances?.all.budget.leaveOut(testCase.id, maxLogins(start))
    return done(inconclusive(testCase, BUDGET_SPENT))
  }
  if (mustNotFail(allowances?.all)) return leaveOut()
  const first: CaseRun = { ...start, account: await caseAccount(start) }
  const run: CaseRun = { ...first, logins: allowances && allowanceOf(first, allowances) }
  if (mustNotFail(run.logins)) return leaveOut()
  /** The account changes on the way where each bears but two failed logins. */
  let now = run
  const logIn = async (control: Case, label: string): Promise<Control> => {
    const login = await sendControl(now, control, label)
    countLogin(now, login)
    return login
  }
  const sendOnce = async (label: string): Promise<Control | undefined> => {
    if (run.control === undefined) return undefined
    const sent = await logIn(run.control, label)
    controls.push(sent)
    return sent
  }

  const before = await sendOnce('control')
  if (before?.stopped) return done({ judgements: [], sent: [], stopped: true })
  if (before?.problem !== undefined) return done(inconclusive(testCase, before.problem))
  const afterGoodLogin = async (): Promise<CaseRun | undefined> => {
    const between = await logIn(run.control ?? testCase, 'control')
    if (between.problem !== undefined) {
      controls.push(between)
      return undefined
    }
    if (newAccountOf(now) === undefined) return now
    const { account, sent } = await newAccount(now)
    if (account === undefined) {
      const stopped = sent.exchange.failure?.kind === 'stopped'
      controls.push({ sent, problem: NO_FURTHER_ACCOUNT, stopped })
      return undefined
    }
    now = { ...now, account }
    run.logins?.budget.succeeded()
    return now
  }
  let record: CaseRecord
  if (property !== undefined) {
    record = await (await PROPERTIES[property]())(run)
  } else if (testCase.forall !== undefined) {
    record = await runForall(run, afterGoodLogin)
  } else {
    const once = async (): Promise<Attempt> => {
      const round = await steadyAttempt(run, () => ({
        ...run,
        bindings: baseBindings(run, testCase.steps),
      }))
      run.logins?.budget.failed(countRefusals(round), newAccountOf(run))
      return round
    }
    const rounds = roundsOf(run)
    const made = rounds === 1 ? await once() : await (await import('./rounds.js')).inRounds(rounds, once)
    const evidence = new Map<number, Evidence>()
    for (const [index, { outcome }] of made.judgements.entries())
      if (outcome === 'failed') evidence.set(index, evidenceOf(testCase, made, index))
    record = { ...made, evidence }
  }
  if (record.stopped) return done(record)
  const after = await sendOnce('control again')
  const problem = controls.find((sent) => sent.problem !== undefined)?.problem
  if (after?.stopped) return done({ ...record, stopped: true })
  if (problem === undefined) return done(record)
  return done({ ...record, judgements: record.judgements.map((judgement) => downgrade(judgement, problem)) })
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
  return Math.min(rounds, Math.max(2, Math.round(rounds * deployment.runsShare * run.shareOf(testCase))))
}

const BUDGET_SPENT =
  'not tried: `maxFailedLogins` allows no more failed logins; declare more if the service bears them'

const NO_FURTHER_ACCOUNT =
  'no further account could be registered and logged in, and each bears two failed logins at most'

/** What a case may use where it fails on an account that the suite has registered, or on none, and on a declared one. */
export interface LoginAllowances {
  readonly all: LoginAllowance
  readonly declared: LoginAllowance
}

function allowanceOf(run: CaseRun, { all, declared }: LoginAllowances): LoginAllowance {
  return run.testCase.account === 'throwaway' && newAccountOf(run) === undefined ? declared : all
}

/** A good login between failed ones ends their row. A refused one is one more, and the account may be locked: it is left alone. */
function countLogin(run: CaseRun, login: Control): void {
  const { session, account, logins } = run
  if (logins === undefined) return
  if (login.problem === undefined) logins.budget.succeeded()
  const status = login.sent.exchange.response?.status ?? 0
  const isRefused = login.problem !== undefined && status >= 400 && status <= 499
  if (!isRefused || session.refusedAccounts.has(account.userName)) return
  logins.budget.failed(1, newAccountOf(run))
  session.refusedAccounts.set(account.userName, login)
}

async function runForall(
  run: CaseRun,
  afterGoodLogin: () => Promise<CaseRun | undefined>,
): Promise<CaseRecord> {
  const { searchCounterexamples } = await import('./forall.js')
  const { tally, first, stopped, runs } = await searchCounterexamples(run, afterGoodLogin)
  if (first === undefined) {
    const reason = 'no input could be tried: the generator found none that fits this target'
    return { ...inconclusive(run.testCase, reason), stopped, runs: 0 }
  }
  const attempts = shownAttempts(tally, first)
  for (const { sent } of attempts) learnSecrets(run.session, sent)
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

/** Near misses of a password are secret too. */
function learnSecrets({ run: { redactor, nonce } }: Session, sent: readonly SentRequest[]): void {
  for (const { prepared } of sent) {
    for (const { value } of prepared.form ?? []) {
      const isSecret = value.wire !== value.shown && value.shown.startsWith('‹')
      // The suite's own password is no secret, and the label would name one account wherever it occurs.
      if (isSecret && !value.wire.startsWith(FRESH_PASSWORD))
        redactor.learn(value.wire, value.shown.replaceAll(nonce, '‹run›'))
    }
  }
}

function inconclusive({ steps }: Case, reason: string): CaseRecord {
  const judgements = steps.flatMap(({ expect }) =>
    (expect ?? []).map(({ rule }): Judgement => ({ rule, outcome: 'cantTell', reason })),
  )
  return { judgements, sent: [], stopped: false }
}

/**
 * A refusal shows nothing where the valid request is refused too. A token that a negative case was given stays a failure:
 * no control can explain it.
 */
function downgrade(judgement: Judgement, reason: string): Judgement {
  if (judgement.outcome === 'failed' && judgement.pointer === '/access_token') return judgement
  if (judgement.outcome !== 'passed' && judgement.outcome !== 'failed') return judgement
  return { rule: judgement.rule, outcome: 'cantTell', reason }
}

function withControls(record: CaseRecord, controls: readonly Control[]): CaseRecord {
  if (controls.length === 0) return record
  const [before, ...after] = controls.map(({ sent }) => sent)
  return { ...record, sent: [...(before === undefined ? [] : [before]), ...record.sent, ...after] }
}
