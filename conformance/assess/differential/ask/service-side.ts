import type { AccountCount } from '../../../../spec/model/report.js'
import type { PairProbe } from '../../../drivers/pair/probe.js'
import { type Role, SPENT } from '../../../drivers/pair/service-pair.js'
import { type LoginBudgets, loginBudgets } from '../../../drivers/send/session/budgets.js'
import { type CaseRun, newAccountOf, scopeOf, startCase } from '../../../drivers/send/session/case-run.js'
import { cleanUp } from '../../../drivers/send/session/clean-up.js'
import { caseAccount, plainLogin } from '../../../drivers/send/session/control.js'
import {
  createRunContext,
  type RunContext,
  type RunOptions,
} from '../../../drivers/send/session/run-context.js'
import { openSession, type SentRequest, type Session } from '../../../drivers/send/session/session.js'
import { plain, secret } from '../../../exchange/redactable-text.js'
import { type Bindings, isText, membersOf } from '../../../exchange/template.js'
import { passwordLabel } from '../../../target/account-binding.js'
import type { Account, Deployment, Target } from '../../../target/deployment.js'
import { type Attempt, attempt, countRefusals } from '../../suite/attempt.js'
import { checkAccounts, refusalOf } from '../../suite/check-accounts.js'
import { bindValues, variablesOf } from '../../suite/forall-inputs.js'
import { learnSecrets } from '../../suite/learn-secrets.js'
import { probeBindings } from '../../suite/observer.js'

export interface ComparedService {
  readonly target: Target
  readonly deployment: Deployment
}

export interface ServiceAnswers extends Attempt {
  readonly run: CaseRun
}

/** What both services made of one probe. */
export interface AnswerPair {
  readonly old: ServiceAnswers
  readonly new: ServiceAnswers
}

/** What was sent for the steps of a probe: without what prepares a sign-in. */
export function sentForSteps({ sent }: Attempt): readonly SentRequest[] {
  return sent.filter(({ label }) => label !== 'prepare')
}

export interface ServiceAccounts extends AccountCount {
  readonly baseUrl: string
}

/** One of the services while it is asked: it binds the values of a probe, and chooses the account and the budget. */
export class ServiceSide {
  readonly session: Session
  readonly logins: LoginBudgets
  /** Registered accounts that no request uses now, each of which can take one more failed login. */
  readonly #throwaways: Account[] = []
  #lacksAccounts = false

  constructor(session: Session, logins: LoginBudgets) {
    this.session = session
    this.logins = logins
  }

  get run(): RunContext {
    return this.session.run
  }

  /** @param fresh on connections of its own */
  async ask(probe: PairProbe, fresh = false): Promise<ServiceAnswers | typeof SPENT> {
    const start = startCase(this.session, probe.testCase)
    const account = await this.#accountFor(start, probe)
    if (account === SPENT) return SPENT
    const bare: CaseRun = { ...start, account, freshConnections: fresh }
    const base = { ...bare, bindings: probeBindings(bare) }
    const variables = variablesOf(probe.testCase)
    const bound = variables.length === 0 ? base : bindValues(base, variables, probe.values, scopeOf(base))
    const bindings = withOtherSpellings(bound, { ...base.bindings, ...bound.bindings })
    const run = { ...bound, bindings }
    const made = await attempt(run)
    learnSecrets(this.session, made.sent)
    if (probe.mayFail) this.#budgetFor(run).failed(countRefusals(made), newAccountOf(run))
    if (newAccountOf(run) !== undefined && this.logins.all.mayFail(account.userName))
      this.#throwaways.push(account)
    return { ...made, run }
  }

  /** Whether an account could not be registered, so that nothing was asked that one is for. */
  get lacksAccounts(): boolean {
    return this.#lacksAccounts
  }

  get left(): number {
    return this.#registersAccounts ? this.logins.all.left : this.logins.declared.left
  }

  get requests(): number {
    return this.session.executor.trouble.requests
  }

  /** Removes the accounts that were registered. @returns what became of them */
  async close(): Promise<ServiceAccounts> {
    const { session } = this
    await session.close()
    this.run.end()
    return { ...(await cleanUp(session)), baseUrl: session.deployment.shownBaseUrl }
  }

  /** Failed logins then go to new accounts, where they do no harm. */
  get #registersAccounts(): boolean {
    return this.session.deployment.registration?.immediate === true
  }

  #budgetFor(run: CaseRun) {
    return newAccountOf(run) === undefined ? this.logins.declared : this.logins.all
  }

  async #accountFor(start: CaseRun, { mayFail, testCase }: PairProbe): Promise<Account | typeof SPENT> {
    if (!mayFail && testCase.account !== 'throwaway') return start.account
    const needed = testCase.steps.length
    if (mayFail && this.left < needed) return SPENT
    if (!this.#registersAccounts) {
      const last = this.session.deployment.accounts.at(-1) ?? start.account
      if (mayFail && this.logins.declared.needsGoodLogin()) await this.#goodLogin(last)
      return last
    }
    // An account that one login has failed at cannot take two more.
    const free = needed === 1 ? this.#throwaways.pop() : undefined
    const throwaway: CaseRun = { ...start, testCase: { ...testCase, account: 'throwaway' } }
    // A registration that fails once is asked for again.
    const account = free ?? (await this.#newAccount(throwaway)) ?? (await this.#newAccount(throwaway))
    if (account !== undefined) return account
    // A declared one may be locked, and its answers name another user than those to a new one.
    this.#lacksAccounts = true
    return SPENT
  }

  async #newAccount(start: CaseRun): Promise<Account | undefined> {
    const account = await caseAccount(start)
    return newAccountOf({ ...start, account }) === undefined ? undefined : account
  }

  async #goodLogin(account: Account): Promise<void> {
    const login = await plainLogin(this.session, 'control', account)
    if (login?.problem === undefined) this.logins.declared.succeeded()
    else this.session.refusedAccounts.set(account.userName, login)
  }
}

/** The account's name in full-width letters, and its password in other letter case. */
function withOtherSpellings({ account }: CaseRun, bindings: Bindings): Bindings {
  const { userName, password, ...own } = membersOf(bindings.account)
  if (!isText(userName) || !isText(password)) return bindings
  const wide = (text: string): string =>
    text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0))
  const { userName: name, password: word } = account
  const fullWidth =
    userName.shown === name ? plain(wide(name)) : secret(wide(name), 'user name in full width')
  const flipped = word.replace(/[a-z]/gi, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()))
  const passwordInOtherCase =
    password.shown === word ? plain(flipped) : secret(flipped, `${passwordLabel(account)} in other case`)
  return { ...bindings, account: { ...own, userName, password, fullWidth, passwordInOtherCase } }
}

type SideOptions = Pick<RunOptions, 'seed' | 'signal' | 'specification' | 'concurrency' | 'onAccount'>

/**
 * @param shown the deployments of all sides
 * @param logins of another side with the same service: both share one budget
 */
export function openSide(
  { target, deployment }: ComparedService,
  options: SideOptions,
  shown: readonly Deployment[] = [deployment],
  logins: LoginBudgets = loginBudgets(deployment),
): ServiceSide {
  const run = createRunContext(
    { ...target, deployments: [deployment] },
    { ...options, keepExchanges: 'none' },
    shown,
  )
  return new ServiceSide(
    openSession(run, deployment, undefined, () => undefined),
    logins,
  )
}

export type Sides = Readonly<Record<Role, ServiceSide>>

export function openSides(services: Readonly<Record<Role, ComparedService>>, options: SideOptions): Sides {
  const shown = [services.old.deployment, services.new.deployment]
  const old = openSide(services.old, options, shown)
  return {
    old,
    again: openSide(services.again, options, shown, old.logins),
    new: openSide(services.new, options, shown),
  }
}

/** Why nothing can be compared: a service cannot be reached, no account can sign in, or the old one is no measure. */
export async function obstaclesOf({ old, new: now, again }: Sides): Promise<readonly string[]> {
  const roles = ['old', 'new', 'again'] as const
  const obstacles = await Promise.all([old, now, again].map(({ session }) => checkAccounts(session)))
  const reasons = obstacles.flatMap((obstacle, index) =>
    obstacle === undefined ? [] : `${serviceName(roles[index])}: ${obstacle.reason}`,
  )
  if (reasons.length === 0 && old.session.signedIn !== again.session.signedIn)
    reasons.push(`${serviceName('old')}: ${NO_MEASURE}`)
  // What old answers to a login that is right is what new is held against.
  const [main] = old.session.deployment.accounts
  const isKnown = now.session.signedIn || old.session.refusedAccounts.has(main.userName)
  if (reasons.length === 0 && isKnown && !old.session.signedIn)
    reasons.push(`${serviceName('old')}: ${refusalOf(old.session, 0) ?? NO_TOKEN}`)
  return [...new Set([...reasons, ...refusalsByBoth({ old: old.session, new: now.session })])]
}

/** What is refused by one service alone is a difference. Of an account that both refuse, only refusals would be compared. */
function refusalsByBoth(sessions: Readonly<Record<'old' | 'new', Session>>): readonly string[] {
  return sessions.old.deployment.accounts.flatMap((_, place) => {
    const [before, now] = [refusalOf(sessions.old, place), refusalOf(sessions.new, place)]
    if (before === undefined || now === undefined) return []
    return [`${serviceName('old')}: ${before}`, `${serviceName('new')}: ${now}`]
  })
}

/** What the old service does now and then is noise. Where that is whether anyone can sign in, all is. */
const NO_MEASURE =
  'of two plain logins, one yields a token and the other does not, so nothing can be compared with it: check its log, and `--old-again` where that is given'

const NO_TOKEN =
  'the plain login yields no token, so nothing can be compared with it: check the base URL, and the log of the service'

export function serviceName(role: Role | undefined): string {
  return role === 'new' ? 'the new service' : 'the old service'
}
