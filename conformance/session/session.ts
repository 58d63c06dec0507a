import type { RequestTemplate } from '../../spec/types.js'
import type { Account, Deployment } from '../deployment.js'
import type { Redactor } from '../evidence/redact.js'
import type { Exchange } from '../exchange.js'
import type { Executor } from '../execute.js'
import { answerOf } from '../judge.js'
import type { Answer } from '../wire/answer.js'
import type { Candidate } from './fresh-account.js'
import { type Bindings, isText, membersOf, type PreparedRequest, prepareRequest } from './template.js'

/** Where requests go: the deployment itself, its sibling, or an outside provider. */
export interface Channel {
  readonly executor: Executor
  /** The base URL's own path, without a trailing slash. */
  readonly basePath: string
  readonly target: Pick<Deployment, 'accounts' | 'baseUrl' | 'headers' | 'tls'>
}

/** One request of a case, what came back, and for whom it was. */
export interface Sent {
  /** The step's name, or `control`. */
  readonly label: string
  readonly prepared: PreparedRequest
  readonly exchange: Exchange
  readonly answer: Answer | { readonly reason: string }
  /** The known account whose name was sent. */
  readonly account: Account | undefined
  /** Of a registration: what was to be registered. */
  readonly candidate?: Candidate
  readonly target: Channel['target']
}

/** The valid request that a negative case differs from by one change, sent for the same account. */
export interface Control {
  readonly sent: Sent
  /** Why it proves nothing, or undefined when it holds: it yields a token, whatever else is judged of it. */
  readonly broken: string | undefined
  readonly stopped: boolean
}

/** Of which results the report keeps what went over the wire; of `failed` ones, those that are in doubt too. */
export type KeepExchanges = 'all' | 'failed' | 'none'

/** A deployment while it is being assessed. */
export interface Session extends Channel {
  readonly deployment: Deployment
  readonly redactor: Redactor
  readonly runNonce: string
  readonly strict: boolean
  readonly keepExchanges: KeepExchanges
  /** Hears of every answer. */
  readonly onSent: (sent: Sent, caseId: string) => void
  readonly onRegistered: (candidate: Candidate) => void
  /** A number that no other call for the same case has had. */
  readonly count: (caseId: string) => number
  /** The deployment that is this one without `userId`. */
  readonly sibling?: () => Channel
  /** The way to another origin, such as a provider's. The target's headers do not go there. */
  readonly elsewhere: (url: string) => Channel
  /** The accounts that were refused at the start, by user name, with that login. */
  readonly refusedAccounts: Map<string, Control>
  readonly wait: (ms: number) => Promise<void>
}

export interface SendContext {
  readonly bindings: Bindings
  /** Whose answer it will be where the request itself names nobody. */
  readonly account: Account
  readonly candidate?: Candidate
  /** It is the target's own request: whom it names cannot be seen in it. */
  readonly byTarget?: boolean
  /** Default: the deployment itself. */
  readonly through?: Channel
}

/** Sends one filled-in template. Never throws for what the target does. */
export async function send(
  session: Session,
  caseId: string,
  label: string,
  template: RequestTemplate,
  { bindings, account, candidate, byTarget = false, through = session }: SendContext,
): Promise<Sent> {
  const prepared = prepareRequest(template, bindings, through.basePath)
  const refused = through === session ? refusedBefore(session, prepared) : undefined
  if (refused !== undefined) return { ...refused, label }
  // A registration that is sent twice is not one registration, and a code of a provider's is good for one sign-in:
  // each gets a connection of its own, on which nothing is sent again.
  const exchange = await through.executor.send(
    prepared.wire,
    candidate === undefined && !byTarget ? {} : { freshConnection: true },
  )
  const sent: Sent = {
    label,
    prepared,
    exchange,
    answer: answerOf(exchange),
    account:
      candidate === undefined && !byTarget ? accountNamed(session, prepared, bindings, account) : account,
    ...(candidate === undefined ? {} : { candidate }),
    target: through.target,
  }
  session.onSent(sent, caseId)
  return sent
}

/** A login that was refused at the start is not tried again, however it is spelled: that answer is its answer. */
function refusedBefore({ refusedAccounts }: Session, prepared: PreparedRequest): Sent | undefined {
  const before = refusedAccounts.get(prepared.userName ?? '')?.sent
  return before !== undefined && meaning(before.prepared) === meaning(prepared) ? before : undefined
}

function meaning({ wire, form = [] }: PreparedRequest): string {
  const pairs = form.map(({ name, value }) => [name.wire, value.wire].join('=')).sort()
  return JSON.stringify([wire.method, wire.path, wire.headers, pairs])
}

/** The account whose name the request holds: a declared one, the case's own, or one that the case has registered. */
function accountNamed(
  { deployment }: Session,
  { namesUser, userName }: PreparedRequest,
  bindings: Bindings,
  account: Account,
): Account | undefined {
  if (!namesUser) return account
  const declared = deployment.accounts.find((known) => known.userName === userName)
  if (declared !== undefined) return declared
  if (account.userName === userName) return account
  for (const bound of [bindings.fresh, bindings.second]) {
    if (bound === undefined) continue
    const { userName: name, password } = membersOf(bound)
    if (isText(name) && isText(password) && name.wire === userName)
      return { userName: name.wire, password: password.wire }
  }
  return undefined
}
