import type { ClientScenario } from '../../../spec/model/client-suite.js'
import type { Exchange } from '../../exchange/exchange.js'
import { headerValues } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { isInquiry, tokenPathsOf } from './token-request.js'

/** The path of the protected resource, below that of the base URL. */
export const RESOURCE = '/me'
const IS_RESOURCE = new RegExp(`${RESOURCE}(?:[/;].*)?$`)

/** What a client is given: the variables of its command. */
export interface ClientEnvironment {
  /** The base URL: `/Token` is below it. */
  readonly url: string
  readonly userName: string
  readonly password: string
  /** Answers 200 to a token that is valid, and 401 to anything else. */
  readonly resourceUrl: string
  /** The id of the scenario. */
  readonly scenario: string
  /** How often a client that goes on asks for the resource, one time after the other. One, but for scenarios of expiry. */
  readonly fetches: number
  /** How many of these it may ask for at the same time. One, but for one scenario of expiry. */
  readonly concurrency: number
}

/** What a client may report of its sign-in, as one line of JSON. */
export interface SignInReport {
  readonly signedIn?: boolean
  readonly userName?: string
  readonly expiresAt?: string | number
}

export type CutReason = 'requests' | 'patience' | 'quiet'

/** Ends a client before its time is up: the reason of its abort signal. */
export class ClientCut extends Error {
  constructor(
    readonly cut: CutReason,
    message: string,
  ) {
    super(message)
  }
}

/** How one call of a client ended. */
export interface ClientEnd {
  readonly signedIn: boolean
  /** Such as `exit code 1`. */
  readonly how: string
  /** It did not end by itself, or left something behind: one sentence. */
  readonly problem?: string
  /** The suite ended it, because its time was up. */
  readonly outOfTime?: true
  /** The suite ended it, because it asked again and again, waited longer than a person would, or might wait for long. */
  readonly cut?: CutReason
  readonly reported?: SignInReport
  readonly errors?: string
}

/** Of what it wrote to standard error. */
const MAX_LINES = 3
const MAX_LINE = 200

/** How it ended, in a few words and its own last ones, where that is not as expected. */
export function howItEnded({ how, problem, errors }: Omit<ClientEnd, 'signedIn'>): string {
  const parts = [how, problem, errors === undefined ? undefined : `it wrote: ${lastLines(errors)}`]
  return parts.filter((part) => part !== undefined).join('; ')
}

/** What a runtime prints around an error: frames of the stack, and its version. */
const AROUND_AN_ERROR = /^ +at |^Node\.js v\d/

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => /\w/.test(line) && !AROUND_AN_ERROR.test(line))
  const shown = lines
    .slice(-MAX_LINES)
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line))
  return shown.map((line) => line.trim()).join(' ⏎ ')
}

export interface ObservedSignIn {
  readonly scenario: ClientScenario
  readonly environment: ClientEnvironment
  readonly end: ClientEnd
  /** In the order of the answers; of a client that asks without end, the first ones. */
  readonly exchanges: readonly Exchange[]
  /** Where those of this call begin, if another account was signed in before. */
  readonly ownFrom: number
  /** What another host got by a redirect. */
  readonly elsewhere?: { readonly origin: string; readonly exchanges: readonly Exchange[] }
  /** The tokens that were issued, each with the user name. */
  readonly owners: ReadonlyMap<string, string>
  /** `.expires` of the last token, in milliseconds since the epoch. */
  readonly expiresAtMs: number | undefined
  /** By the clock of the client, in milliseconds since the epoch. */
  readonly calledAtMs: number
  readonly durationMs: number
  /** Why a request was not read, of the first of them: it is malformed, or was broken off. */
  readonly unreadable?: string
}

/** Whether it was sent to the protected resource, or below it: a client may put a token into the path. */
export function isResourceUse(exchange: Exchange): boolean {
  return IS_RESOURCE.test(requestOf(exchange).path)
}

/**
 * What asks for a token. Of a client that finds the token endpoint, what it sends elsewhere is none: a service has other
 * endpoints (4.2). Of one that does not, all it sends but for the resource. `HEAD` and `OPTIONS` count where nothing else is
 * sent.
 */
export function tokenRequestsIn(
  exchanges: readonly Exchange[],
  { service }: ClientScenario,
): readonly Exchange[] {
  const sent = exchanges.filter((exchange) => !isResourceUse(exchange))
  const asked = sent.filter(({ request }) => !isInquiry(request.method))
  const paths = tokenPathsOf(service?.basePath ?? '')
  const found = asked.filter((one) => paths.includes(requestOf(one).path))
  return [found, asked].find((some) => some.length > 0) ?? sent
}

/** Of a token request: whether it got no token. */
export function isRefused({ response }: Exchange): boolean {
  return response?.status !== 200
}

/** What a request presents as a bearer token, perhaps nothing; undefined without `Authorization`. */
export function bearerIn({ request }: Exchange): string | undefined {
  const [sent] = headerValues(request.headers, 'authorization')
  return sent?.replace(/^bearer(?![\w-]) */i, '')
}

/** Whether the client signed in: by what it reports, and by its use of the token where it uses one. */
export function isSignedIn({ end, exchanges }: ObservedSignIn): boolean {
  const uses = exchanges.filter(isResourceUse)
  return end.signedIn && (uses.length === 0 || uses.some(({ response }) => response?.status === 200))
}
