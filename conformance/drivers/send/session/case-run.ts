import { createHash } from 'node:crypto'
import type { Case, RegistrationTemplate, RequestTemplate, Step } from '../../../../spec/model/case.js'
import { type RedactableText, secret } from '../../../exchange/redactable-text.js'
import type { Binding, Bindings, PreparedRequest } from '../../../exchange/template.js'
import type { Scope } from '../../../generators/generator.js'
import { timesOf } from '../../../plan/effort.js'
import { accountBinding, longPasswordAccount, passwordLabel } from '../../../target/account-binding.js'
import { type Candidate, freshAccount, withLoginName } from '../../../target/accounts/fresh-account.js'
import type { Account, Deployment } from '../../../target/deployment.js'
import type { Urgency } from '../transport/request-queue.js'
import type { LoginAllowance } from './budgets.js'
import type { Session } from './session.js'

/** One case for one deployment while it runs: all that its requests are made of. */
export interface CaseRun {
  readonly session: Session
  readonly testCase: Case
  readonly account: Account
  /** What the `$references` of its steps stand for. */
  readonly bindings: Bindings
  /** How often it is tried: inputs, sequences, or its own requests. */
  readonly runs: number
  /** The valid request that this case differs from. */
  readonly control: Case | undefined
  /** Where its requests count as failed logins: how many may still fail, and how many of them are for later cases. */
  readonly logins: LoginAllowance | undefined
  /** When its requests start, where several wait. */
  readonly urgency: Urgency
  /** Of an input that was looked at before it is sent: what was filled in for that. */
  readonly filled?: Filled
  /** Every request on a connection of its own: behind a load balancer one connection is one instance. */
  readonly freshConnections?: boolean
}

/** What the steps of a case come to with one input. */
export interface Filled {
  /** What the step with this template registers. */
  readonly registers?: { readonly template: RegistrationTemplate; readonly candidate: Candidate } | undefined
  /** What the step with this template sends. */
  readonly sends?: { readonly template: RequestTemplate; readonly prepared: PreparedRequest } | undefined
}

/** A case with nothing bound yet, for the main account. */
export function startCase(session: Session, testCase: Case): CaseRun {
  const { run, deployment } = session
  const { control, steps, invariant } = testCase
  const isChained = steps.some(({ property }) => property !== undefined)
  return {
    session,
    testCase,
    account: deployment.accounts[0],
    bindings: {},
    runs: timesOf(testCase, run.amounts, shareOf({ session, testCase })),
    control: control === undefined ? undefined : run.cases.get(control),
    logins: undefined,
    // An invariant's own requests need none before them.
    urgency: isChained ? 'chained' : invariant === undefined ? 'usual' : 'spare',
  }
}

/** What a case tries here of all that a run tries of it. */
export function shareOf({
  session: { run, deployment },
  testCase,
}: Pick<CaseRun, 'session' | 'testCase'>): number {
  return deployment.runsShare * run.shareOf(testCase)
}

/** The user name of the case's account, where that is one that the suite has registered. */
export function newAccountOf({
  session,
  account: { userName },
}: Pick<CaseRun, 'session' | 'account'>): string | undefined {
  return session.deployment.accounts.some((declared) => declared.userName === userName) ? undefined : userName
}

/** The case's own, from the run's: for what draws, as most cases draw nothing. */
export function seedOf({ session: { run, deployment }, testCase: { id } }: CaseRun): number {
  return run.replay?.seed ?? caseSeed(run.seed, id, deployment.name)
}

/** From the run's seed, the case's id and the deployment: results do not depend on order, concurrency or sharding. */
export function caseSeed(runSeed: number, caseId: string, deployment: string): number {
  return createHash('sha256').update(`${runSeed}\0${caseId}\0${deployment}`).digest().readInt32BE(0)
}

/**
 * What every case may refer to: `$account`; `$other`, another declared account where there is one; `$long`, one with a
 * password of more than 72 bytes, and that password with another last character, `$long.changed`; and where accounts can
 * be registered, the data of two new ones, `$fresh` and `$second`, and of two that differ from `$fresh` by a digit at the end,
 * `$fresh1` and `$fresh2`; and `$padding`, long values.
 * @param steps what is to be sent, where that is known: new accounts are made up only for steps that register one
 */
export function baseBindings(run: CaseRun, steps?: readonly Step[]): Bindings {
  const { account } = run
  const { deployment } = run.session
  const known = accountBindings(account, deployment)
  // Making up an account costs more than a request.
  const accounts = deployment.registration === undefined ? 0 : steps === undefined ? 2 : newAccountsOf(steps)
  if (accounts === 0) return known
  const fresh = freshBinding(run)
  const own = { ...known, fresh, fresh1: withDigit(fresh, '1'), fresh2: withDigit(fresh, '2') }
  return accounts === 1 ? own : { ...own, second: freshBinding(run) }
}

/** How many new accounts the steps of a case name: asked for each of its inputs. */
const NEW_ACCOUNTS = new WeakMap<readonly Step[], number>()

function newAccountsOf(steps: readonly Step[]): number {
  const known = NEW_ACCOUNTS.get(steps)
  if (known !== undefined) return known
  const registers = steps.some(({ send }) => send === undefined)
  const accounts = registers ? (JSON.stringify(steps).includes('$second') ? 2 : 1) : 0
  NEW_ACCOUNTS.set(steps, accounts)
  return accounts
}

function padding(bytes: number): RedactableText {
  return { wire: 'x'.repeat(bytes), shown: `‹${bytes} × x›` }
}

/** `$padding`: values that make a form as long as some services allow. */
const PADDING = { k16: padding(16_384), k64: padding(65_536), k256: padding(262_144), m1: padding(1_048_576) }

/** Of each account, as a deployment sees it: the same for every request. */
const ACCOUNT_BINDINGS = new WeakMap<Deployment, WeakMap<Account, Bindings>>()

function accountBindings(account: Account, deployment: Deployment): Bindings {
  const known = ACCOUNT_BINDINGS.get(deployment) ?? new WeakMap<Account, Bindings>()
  ACCOUNT_BINDINGS.set(deployment, known)
  const made = known.get(account)
  if (made !== undefined) return made
  const other = deployment.accounts.find(({ userName }) => userName !== account.userName) ?? account
  const bindings = {
    account: accountBinding(account, { deployment }),
    other: accountBinding(other, { deployment }),
    ...longBinding(deployment),
    padding: PADDING,
  }
  known.set(account, bindings)
  return bindings
}

function longBinding(deployment: Deployment): Bindings {
  const account = longPasswordAccount(deployment.accounts)
  if (account === undefined) return {}
  const { password } = account
  const changed = [...password].slice(0, -1).join('') + (password.endsWith('x') ? 'y' : 'x')
  return {
    long: {
      ...accountBinding(account, { deployment }),
      changed: secret(changed, `${passwordLabel(account)}: last character changed`),
    },
  }
}

/** Another new account at each call. */
export function freshBinding({ session, testCase: { id } }: CaseRun): Candidate & Binding {
  const { deployment, run, firstPlace } = session
  if (deployment.registration === undefined) throw new TypeError('registration is not declared')
  const { policy, emailDomain, shownEmailDomain, loginName } = deployment.registration
  const place = firstPlace + (run.places.get(id) ?? run.places.size - 1)
  const account = freshAccount(place, session.count(id), run.nonce, policy, emailDomain, shownEmailDomain)
  return { ...withLoginName(account, loginName) }
}

/** A new account with a digit at the end of its name, and of the local part of its address. */
function withDigit({ userName, email, loginName, ...rest }: Candidate & Binding, digit: string): Binding {
  const more = ({ wire, shown }: RedactableText): RedactableText => ({
    wire: wire.replace(/(?=@)|$/, digit),
    shown: shown.replace(/(?=@)|$/, digit),
  })
  return { ...rest, userName: more(userName), email: more(email), loginName: more(loginName) }
}

export function scopeOf(run: CaseRun): Scope {
  const { account, session } = run
  const { accounts, additionalGrantTypes, registration } = session.deployment
  const known = accounts.some(({ userName }) => userName === account.userName)
  return {
    deployment: { accounts: known ? accounts : [...accounts, account], additionalGrantTypes },
    account,
    runNonce: session.run.nonce,
    ...(registration === undefined
      ? {}
      : {
          policy: registration.policy,
          emailDomain: registration.emailDomain,
          ...(registration.shownEmailDomain === undefined
            ? {}
            : { shownEmailDomain: registration.shownEmailDomain }),
          unique: () => freshBinding(run).userName,
        }),
  }
}
