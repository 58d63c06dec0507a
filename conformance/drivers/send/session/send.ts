import type { Case, RegistrationTemplate, RequestTemplate, Step } from '../../../../spec/model/case.js'
import { CaseError } from '../../../../spec/model/case-error.js'
import type { Exchange, FailureKind } from '../../../exchange/exchange.js'
import { HttpResponse, responseOf } from '../../../exchange/http-response.js'
import {
  type Bindings,
  fill,
  isText,
  membersOf,
  type PreparedRequest,
  prepareRequest,
} from '../../../exchange/template.js'
import { accountBinding } from '../../../target/account-binding.js'
import { type Candidate, type LoginName, withLoginName } from '../../../target/accounts/fresh-account.js'
import { classifyRegistration } from '../../../target/accounts/policy.js'
import type { Account, Deployment, TargetRequest } from '../../../target/deployment.js'
import { withTokenRequest } from '../../../target/token-request.js'
import type { Place } from '../transport/barrier.js'
import type { Sharing } from '../transport/pool.js'
import { asksToRetry } from '../transport/throttle.js'
import type { CaseRun } from './case-run.js'
import { freshBinding } from './case-run.js'
import { tellAccount } from './left-account.js'
import type { Channel, SentRequest, Session } from './session.js'

/** One request of a case. What is left out is the case's own. */
export interface CaseRequest {
  readonly label: string
  readonly template: RequestTemplate
  /** The same with labels in place of what came from the environment. */
  readonly shownTemplate?: RequestTemplate | undefined
  readonly bindings?: Bindings
  /** Whose response it will be where the request itself names no one. */
  readonly account?: Account
  readonly candidate?: Candidate
  /** It is the target's own request: whom it names cannot be seen in it. */
  readonly byTarget?: boolean
  /** Where it is lost with a used connection, another is made in its place: nothing is sent twice. */
  readonly isReplaceable?: boolean
  /** An answer that asks to send it later is returned: another is made in its place, or that is what was looked for. */
  readonly isOneTime?: boolean
  /** Default: the deployment itself. */
  readonly through?: Channel | undefined
  /** Where it waits for the other requests of a race. */
  readonly place?: Place | undefined
  /** The other requests that use its connection. Default: any. */
  readonly sharing?: Sharing | undefined
}

/** Fills in one request and sends it. Never throws for what the target does. */
export async function send(run: CaseRun, request: CaseRequest): Promise<SentRequest> {
  const { session } = run
  const { label, template, bindings = run.bindings, account = run.account } = request
  const { candidate, byTarget = candidate !== undefined, through = session, place, sharing } = request
  const { isReplaceable = candidate !== undefined } = request
  const own = byTarget ? undefined : through.target.tokenRequest
  const filled =
    through === session && run.filled?.sends?.template === template ? run.filled.sends : undefined
  const prepared =
    own === undefined
      ? (filled?.prepared ?? prepareRequest(template, bindings, through.basePath, request.shownTemplate))
      : prepareRequest(
          withTokenRequest(template, own),
          bindings,
          through.basePath,
          withTokenRequest(template, own.shown ?? own),
        )
  const refused = through === session ? refusedBefore(session, prepared) : undefined
  if (refused !== undefined) return { ...refused, label }
  // A registration that is sent twice is not one registration, but another new account does as well as one that is lost.
  // A provider's code is good for one sign-in. Where the target declares no way to a new one, the sign-in gets a connection
  // of its own, on which nothing is sent again.
  const exchange = await through.executor.send(prepared.wire, {
    ...(isReplaceable ? { once: true } : byTarget || run.freshConnections ? { freshConnection: true } : {}),
    ...(place === undefined ? {} : { place }),
    ...(sharing === undefined ? {} : { sharing }),
    ...(request.isOneTime === true ? { isOneTime: true } : {}),
    urgency: run.urgency,
  })
  const sent: SentRequest = {
    label,
    prepared,
    exchange,
    response: responseOf(exchange),
    account: byTarget ? account : accountNamed(session, prepared, bindings, account),
    candidate,
    shownBase: through.shownBase,
    target: through.target,
  }
  session.run.onExchange?.({
    deployment: session.deployment.name,
    case: run.testCase.id,
    step: label,
    startedAt: exchange.startedAt,
    durationMs: exchange.durationMs,
    outcome: String(exchange.response?.status ?? exchange.failure?.kind),
  })
  if (exchange.unread !== undefined) session.unread.set(run.testCase.id, exchange.unread)
  // What is sent anew is judged then.
  if (!isLater(sent, request)) session.onResponse(sent, run.testCase.id)
  if (candidate === undefined) return sent
  if (isAccepted(sent, session)) remember(session, candidate)
  else if (isUnanswered(exchange)) {
    session.unanswered.push(candidate)
    tellAccount(session, candidate, 'made')
  }
  return sent
}

/** How an exchange fails whose request may have reached the service. */
const MAYBE_DONE: readonly FailureKind[] = [
  'stopped',
  'timeout',
  'reset',
  'incomplete',
  'protocol',
  'encoding',
]

/** What is not sent takes no time. */
function isUnanswered({ failure, durationMs }: Exchange): boolean {
  return durationMs > 0 && failure !== undefined && MAYBE_DONE.includes(failure.kind)
}

/** Whether it is answered that it is to be sent later, and takes another in its place. */
export function isLater(
  { exchange: { response, failure } }: SentRequest,
  { isOneTime }: Pick<CaseRequest, 'isOneTime'>,
): boolean {
  return isOneTime === true && failure === undefined && response !== undefined && asksToRetry(response)
}

/** Says in the evidence that a request came to nothing before, and that this is one in its place. */
export function anew(sent: SentRequest, why: string): SentRequest {
  return { ...sent, exchange: { ...sent.exchange, resent: { times: 1, why } } }
}

/** A registration that was lost is replaced by that of another account. */
export function afterLost(sent: SentRequest): SentRequest {
  return anew(sent, 'the re-used connection of a registration was closed: another new account')
}

function remember(session: Session, candidate: Candidate): void {
  const { registered, registeredAccounts } = session
  registered.push(candidate)
  tellAccount(session, candidate, 'made')
  const account = accountOf(candidate)
  if (!registeredAccounts.has(account.userName)) registeredAccounts.set(account.userName, account)
}

/** The request of a step that sends one itself, or registers an account by the target's request. */
export function caseRequestOf(run: CaseRun, step: Step, label: string): CaseRequest {
  if (step.register !== undefined) return registration(run, step.register, label)
  const { session, testCase } = run
  const template = step.send ?? {}
  if (step.at === undefined) return { label, template }
  if (step.at === 'one-connection') return { label, template, sharing: sharingOf(testCase, step) }
  if (session.sibling === undefined) throw new CaseError(`${testCase.id} needs a deployment without userId`)
  const through = session.sibling()
  const [account] = through.target.accounts
  const bindings = { ...run.bindings, account: accountBinding(account, { deployment: through.target }) }
  return { label, template, through, account, bindings }
}

/** The first such step of a case keeps its connection for the others; the last one gives it back. */
function sharingOf({ id, steps }: Case, step: Step): Sharing {
  const all = steps.filter(({ at }) => at === 'one-connection')
  return {
    ...(step === all[0] ? {} : { keptFor: id }),
    ...(step === all.at(-1) ? {} : { keepFor: id }),
  }
}

export function registration(run: CaseRun, template: RegistrationTemplate, label: string): CaseRequest {
  const { request, loginName } = declared(run.session.deployment, 'registration')
  const names = Object.values(template).some((text) => text.includes('$each'))
  const bindings = names ? { ...run.bindings, each: freshBinding(run) } : run.bindings
  const filled = run.filled?.registers
  const candidate =
    !names && filled?.template === template ? filled.candidate : candidateOf(template, bindings, loginName)
  return {
    label,
    ...templatesOf(request),
    bindings: { ...candidate },
    account: { userName: candidate.loginName.wire, password: candidate.password.wire },
    candidate,
  }
}

/** What is to be registered: what the template leaves out is fresh. */
export function candidateOf(
  template: RegistrationTemplate,
  bindings: Bindings,
  loginName: LoginName,
): Candidate {
  const account = {
    userName: fill(template.userName ?? '$fresh.userName', bindings),
    email: fill(template.email ?? '$fresh.email', bindings),
    password: fill(template.password ?? '$fresh.password', bindings),
  }
  return withLoginName(account, loginName)
}

export function isAccepted({ response }: SentRequest, { deployment }: Session): boolean {
  return (
    response instanceof HttpResponse &&
    deployment.registration !== undefined &&
    classifyRegistration(response, deployment.registration) === 'accepted'
  )
}

export function declared<K extends 'registration' | 'externalLogin'>(
  deployment: Deployment,
  capability: K,
): NonNullable<Deployment[K]> {
  const found = deployment[capability]
  if (found === undefined) throw new CaseError(`it needs \`${capability}\`, and its \`when\` does not say so`)
  return found
}

/** The target's own request as a template of a case, and as it may be shown. */
export function templatesOf(request: TargetRequest): Pick<CaseRequest, 'template' | 'shownTemplate'> {
  const { shown } = request
  return {
    template: asTemplate(request),
    ...(shown === undefined ? {} : { shownTemplate: asTemplate(shown) }),
  }
}

function asTemplate({ method, path, url, headers, json, form }: TargetRequest): RequestTemplate {
  return {
    method,
    path: path ?? (url === undefined ? '/' : splitUrl(url).path),
    ...(headers === undefined ? {} : { headers }),
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { form }),
  }
}

/** Where one of the target's own requests goes: to the deployment, or to another origin. */
export function channelFor(session: Session, { url, shown }: TargetRequest): Channel {
  return url === undefined ? session : session.elsewhere(url, shown?.url && splitUrl(shown.url).base)
}

/** An absolute URL in two; as it may be shown, with a variable's name where the port or all of it would be, it is no URL any more. */
function splitUrl(url: string): { readonly base: string; readonly path: string } {
  if (!url.includes('‹') && URL.canParse(url)) {
    const { origin, pathname, search } = new URL(url)
    return { base: origin, path: pathname + search }
  }
  const base = /^(?:[^:/?#]+:\/\/)?[^/?#]*/.exec(url)?.[0] ?? ''
  return { base, path: url.slice(base.length) }
}

/** A login that was refused at the start is not tried again, however it is spelled: that response is its response. */
function refusedBefore({ refusedAccounts }: Session, prepared: PreparedRequest): SentRequest | undefined {
  const before = refusedAccounts.get(prepared.userName ?? '')?.sent
  return before !== undefined && meaning(before.prepared) === meaning(prepared) ? before : undefined
}

function meaning({ wire, form = [] }: PreparedRequest): string {
  const pairs = form.map(({ name, value }) => [name, value.wire].join('=')).sort()
  return JSON.stringify([wire.method, wire.path, wire.headers, pairs])
}

/**
 * The account whose name the request holds: a declared one, the case's own, or one that was registered. In another letter
 * case, or with outer white space, it is the account whose password is sent too: a service may take both for the same.
 */
function accountNamed(
  { deployment, registeredAccounts }: Session,
  { namesUser, userName, form = [] }: PreparedRequest,
  bindings: Bindings,
  account: Account,
): Account | undefined {
  if (!namesUser) return account
  const declared = [...deployment.accounts, account]
  const known = declared.find((one) => one.userName === userName)
  if (known !== undefined) return known
  if (userName === undefined) return undefined
  const bound = [bindings.fresh, bindings.second].flatMap(accountsOf)
  const exact = bound.find((one) => one.userName === userName) ?? registeredAccounts.get(userName)
  if (exact !== undefined) return exact
  const password = form.find(({ name }) => name === 'password')?.value.wire
  return declared.find((one) => one.password === password && foldName(one.userName) === foldName(userName))
}

function accountsOf(bound: Bindings[string] | undefined): readonly Account[] {
  const { loginName, password } = membersOf(bound)
  return isText(loginName) && isText(password) ? [{ userName: loginName.wire, password: password.wire }] : []
}

function accountOf({ loginName, password }: Candidate): Account {
  return { userName: loginName.wire, password: password.wire }
}

/** Of names that differ by letter case or outer white space, one: a service may take them for one account. */
export function foldName(userName: string): string {
  return userName.trim().toLowerCase()
}
