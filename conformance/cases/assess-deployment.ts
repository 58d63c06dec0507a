import type { Case, Observation, Probe, Result } from '../../spec/types.js'
import type { Deployment } from '../deployment.js'
import type { Redactor } from '../evidence/redact.js'
import type { Semaphore } from '../execute.js'
import type { Planned } from '../plan.js'
import { caseSeed } from '../seed.js'
import { cleanUp } from '../session/clean-up.js'
import { sendControl } from '../session/control.js'
import { FailedLogins } from '../session/failed-logins.js'
import { openSession } from '../session/open-session.js'
import type { KeepExchanges, Sent, Session } from '../session/session.js'
import { notRun } from './case-result.js'
import { Invariant } from './invariant.js'
import { observe } from './observe.js'
import { runCase } from './run-case.js'

export interface DeploymentOptions {
  readonly seed: number
  /** For each forall case. */
  readonly runs: number
  /** What of `runs` a case gets. */
  readonly shareOf: (subject: Case) => number
  readonly strict: boolean
  readonly keepExchanges: KeepExchanges
  readonly runNonce: string
  readonly redactor: Redactor
  /** Exchanges in flight, over the whole run. */
  readonly limit: Semaphore
  readonly signal: AbortSignal
  /** Why the run was stopped, once it is. */
  readonly stopReason: () => string
  readonly onResult: (result: Result) => void
  /** Repeat one input of one case: its seed, and fast-check's path to it. */
  readonly replay?: { readonly seed: number; readonly path: string; readonly replayPath?: string }
  /** Cases by id, for controls. */
  readonly cases: ReadonlyMap<string, Case>
  /** What to observe; nothing where the run is narrowed. */
  readonly probes: readonly Probe[]
  readonly onObserved: (observations: readonly Observation[]) => void
  /** The deployment that is this one without `userId`. */
  readonly sibling: Deployment | undefined
}

/** What `repeat` and `maxFailedLogins` are told for: `--runs` at its default. */
const USUAL_RUNS = 100

/** Runs what is planned for one deployment: first whatever logs in well, then what needs failed logins, one at a time. */
export async function assessDeployment(
  deployment: Deployment,
  planned: readonly Planned[],
  options: DeploymentOptions,
): Promise<void> {
  const toRun = planned.filter((item) => item.not === undefined)
  for (const item of planned) {
    if (item.not !== undefined) options.onResult(notRun(item, item.not.outcome, item.not.reason))
  }
  if (toRun.length === 0) return
  const firstAnswers = new Map<string, Sent>()
  const observed = new Set(options.probes.map(({ of }) => of))
  const resent: string[] = []
  const logins = new FailedLogins(deployment.maxFailedLogins)
  const indexOf = new Map(planned.map((item, index) => [item.case.id, index]))
  const invariants: { readonly item: Planned; readonly invariant: Invariant }[] = []
  const { session, registered, close } = openSession(deployment, {
    ...options,
    onSent: (sent, caseId) => {
      if (observed.has(caseId) && !firstAnswers.has(caseId) && !SET_UP.includes(sent.label))
        firstAnswers.set(caseId, sent)
      if (sent.exchange.resent !== undefined) resent.push(sent.exchange.resent.why)
      for (const { invariant } of invariants) invariant.hear(sent, caseId, indexOf.get(caseId) ?? 0)
    },
  })
  for (const item of toRun) {
    if (item.case.invariant) invariants.push({ item, invariant: new Invariant(session, item) })
  }
  const runsOf = (subject: Case): number =>
    Math.max(1, Math.round(options.runs * deployment.runsShare * options.shareOf(subject)))
  const runOne = async (item: Planned, logins?: { budget: FailedLogins; reserve: number }): Promise<void> => {
    if (options.signal.aborted) return options.onResult(notRun(item, 'untested', options.stopReason()))
    const result = await runCase(session, item, {
      // A digest, which most cases have no use for.
      get seed() {
        return options.replay?.seed ?? caseSeed(options.seed, item.case.id, deployment.name)
      },
      runs: runsOf(item.case),
      ...(options.replay === undefined ? {} : { path: options.replay.path }),
      ...(options.replay?.replayPath === undefined ? {} : { replayPath: options.replay.replayPath }),
      signal: options.signal,
      control: item.case.control === undefined ? undefined : options.cases.get(item.case.control),
      ...(logins === undefined ? {} : { logins }),
    })
    options.onResult(result.reason === 'stopped' ? { ...result, reason: options.stopReason() } : result)
  }
  try {
    await checkAccounts(session, options.cases.get(CONTROL))
    const usual = toRun.filter((item) => !item.case.failedLogin && !item.case.invariant)
    // What waits costs no slot: it starts first, beside the lanes.
    const [waiting, working] = partition(usual, ({ case: { steps } }) =>
      steps.some((step) => step.waitMs !== undefined),
    )
    const lanes = options.limit.width
    await Promise.all([
      ...waiting.map((item) => runOne(item)),
      ...invariants.map(({ item, invariant }) =>
        invariant.sendOwn(ownSendings(item.case, runsOf(item.case), session), lanes),
      ),
      inLanes(working, lanes, (item) => runOne(item)),
    ])
    await runFailedLogins(toRun, logins, runOne)
    if (options.probes.length > 0)
      options.onObserved(
        await observe(session, options.probes, { firstAnswers, resent }, logins, options.signal),
      )
    for (const { item, invariant } of invariants) {
      const result = invariant.result(caseSeed(options.seed, item.case.id, deployment.name))
      options.onResult(result.reason === 'stopped' ? { ...result, reason: options.stopReason() } : result)
    }
  } finally {
    await close()
    await cleanUp(deployment, registered)
  }
}

/** Labels of what is sent around a case. */
const SET_UP: readonly string[] = ['control', 'control again', 'set-up', 'prepare']

const CONTROL = '4.1/password-grant'

/**
 * Logs in once with every declared account. One that is refused is not tried again by hundreds of requests: that would
 * be hundreds of failed logins.
 */
async function checkAccounts(session: Session, control: Case | undefined): Promise<void> {
  if (control === undefined) return
  for (const account of session.deployment.accounts) {
    const login = await sendControl(session, control, control.id, account, 'control')
    if (login.broken !== undefined && login.sent.exchange.response !== undefined) {
      session.refusedAccounts.set(account.userName, login)
    }
  }
}

function ownSendings(subject: Case, runs: number, session: Session): number {
  const times = Math.max(1, Math.round(((subject.repeat ?? 1) * runs) / USUAL_RUNS))
  return session.refusedAccounts.size > 0 ? Math.min(times, session.deployment.accounts.length) : times
}

/** The declared budget: whole for the single cases, the rest shared by those that try many inputs. */
async function runFailedLogins(
  toRun: readonly Planned[],
  budget: FailedLogins,
  runOne: (item: Planned, logins: { budget: FailedLogins; reserve: number }) => Promise<void>,
): Promise<void> {
  const [properties, requests] = partition(
    toRun.filter((item) => item.case.failedLogin),
    ({ case: { steps } }) => steps.some(({ property }) => property !== undefined),
  )
  const [many, single] = partition(requests, (item) => item.case.forall !== undefined)
  for (const item of single) await runOne(item, { budget, reserve: 0 })
  for (const [index, item] of many.entries()) {
    const later = shares([...many.slice(index + 1), ...properties])
    const reserve = Math.ceil((budget.left * later) / (later + shares([item])))
    await runOne(item, { budget, reserve })
  }
  for (const item of properties) await runOne(item, { budget, reserve: 0 })
}

function shares(items: readonly Planned[]): number {
  return items.reduce((sum, { case: { failedLoginShare = 1 } }) => sum + failedLoginShare, 0)
}

async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const lane = async (): Promise<void> => {
    for (const item of queue) await run(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
