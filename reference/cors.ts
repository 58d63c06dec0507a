import type { HeaderList } from '../spec/model/report.js'
import type { Behaviour } from './behaviour.js'
import { isPreflight, type ReceivedRequest } from './http/received-request.js'
import type { Route } from './service.js'

/** Which pages of other origins may read the answers: `*`, or a list such as `https://app.example`. */
export type CorsOrigins = '*' | readonly string[]

/** What pages of other origins may do. */
export interface CorsOptions {
  readonly origins: CorsOrigins
  /** The methods that they may send. Default: `POST`, and `GET` where there is a protected resource. */
  readonly methods?: readonly string[]
  /** The headers that they may send. Default: `Content-Type`, `Authorization` and `Token-Assay-Scope`. */
  readonly headers?: readonly string[]
  /** Whether they may send cookies and the like; not together with `*`. Default `false`. */
  readonly credentials?: boolean
}

/** Seconds for which a browser need not ask again. */
const preflightLifetime = 600
/** What a page may send unasked (Fetch, "CORS-safelisted"). */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'POST']
const safeHeaders: readonly string[] = ['accept', 'accept-language', 'content-language']

/** Whether it is an origin as browsers send it. */
export function isOrigin(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin
}

/** With every default; a slash at the end of an origin, which browsers do not send, is dropped. */
export function completeCors(
  given: CorsOrigins | CorsOptions,
  protectedResource: boolean,
): Required<CorsOptions> {
  const isWhole = typeof given === 'object' && 'origins' in given
  const { origins, ...others } = isWhole ? given : { origins: given }
  return {
    methods: protectedResource ? ['POST', 'GET'] : ['POST'],
    headers: ['Content-Type', 'Authorization', 'Token-Assay-Scope'],
    credentials: false,
    ...others,
    origins: origins === '*' ? '*' : origins.map((origin) => origin.replace(/\/$/, '')),
  }
}

/** The behaviour, with what the Fetch standard's CORS protocol adds to every answer. */
export function withCors(behaviour: Behaviour, cors: Required<CorsOptions>): Behaviour {
  return {
    ...behaviour,
    deliver: (answer, request) =>
      behaviour.deliver({ ...answer, headers: [...answer.headers, ...corsHeaders(request, cors)] }, request),
  }
}

/**
 * Answers a browser that asks before it sends. Where the page may not send what it asks for, the browser says so to its console,
 * and the journal why.
 */
export function preflightRoute(cors: Required<CorsOptions>, refuse: Behaviour): Route {
  const answer = {
    status: 204,
    headers: [
      ['Access-Control-Allow-Methods', cors.methods.join(', ')],
      ['Access-Control-Allow-Headers', cors.headers.join(', ')],
      ['Access-Control-Max-Age', String(preflightLifetime)],
    ] as const,
    body: '',
  }
  // Without an allowed origin it is a request like any other, and its method is none that is served.
  const asOther = {
    status: refuse.errorStatus('wrong-method'),
    headers: [
      ['Content-Type', refuse.errorMediaType('wrong-method')],
      ...refuse.commonHeaders(),
      ['Allow', 'POST'],
    ] as const,
    body: refuse.renderError(refuse.errorBody('wrong-method'), 'wrong-method'),
  }
  return {
    method: 'OPTIONS',
    answer: (request) => {
      if (!isPreflight(request) || request.headers.origin === undefined) return undefined
      const isAllowed = allowedOrigin(request, cors.origins) !== undefined
      const why = isAllowed
        ? explainAsked(request, cors)
        : explainOrigin(request.headers.origin, cors.origins)
      return {
        answer: isAllowed ? answer : asOther,
        ...(why !== undefined && { refusal: 'preflight-refused' as const, errors: [why] }),
      }
    },
  }
}

/** Quotes what is configured, nothing of the request. */
function explainOrigin(origin: string, origins: CorsOrigins): string {
  const listed = origins === '*' ? [] : origins
  if (origin === 'null') return `the origin is null, as that of a file: cors.origins has ${listOf(listed)}`
  const of = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
  const near = listed.find((other) => of(other)?.hostname === of(origin)?.hostname)
  if (near === undefined) return `the origin is none of cors.origins: ${listOf(listed)}`
  const part = of(near)?.protocol === of(origin)?.protocol ? 'port' : 'scheme'
  return `the origin has another ${part} than ${near} of cors.origins`
}

function explainAsked({ headers }: ReceivedRequest, cors: Required<CorsOptions>): string | undefined {
  const { methods, headers: allowed, credentials } = cors
  const allows = (list: readonly string[]): boolean => list.includes('*') && !credentials
  const method = headers['access-control-request-method'] ?? ''
  if (!allows(methods) && ![...safeMethods, ...methods].includes(method))
    return `the method that the page wants to send is none of cors.methods: ${listOf(methods)}`
  const known = [...safeHeaders, ...allowed.map((name) => name.toLowerCase())]
  const asked = String(headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  // The one that carries credentials is not among those that `*` means (Fetch).
  const unknown = asked.filter(
    (name) => !known.includes(name) && (!allows(allowed) || name === 'authorization'),
  )
  return unknown.length === 0
    ? undefined
    : `a header that the page wants to send is none of cors.headers: ${listOf(allowed)}`
}

function listOf(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.join(', ').slice(0, 500)
}

function corsHeaders(request: ReceivedRequest, { origins, credentials }: Required<CorsOptions>): HeaderList {
  if (origins === '*')
    return request.headers.origin === undefined ? [] : [['Access-Control-Allow-Origin', '*']]
  const origin = allowedOrigin(request, origins)
  const allowed: HeaderList =
    origin === undefined
      ? []
      : [
          ['Access-Control-Allow-Origin', origin],
          ...(credentials ? [['Access-Control-Allow-Credentials', 'true'] as const] : []),
        ]
  // A cache must not give one origin the other's answer.
  return [['Vary', 'Origin'], ...allowed]
}

function allowedOrigin({ headers: { origin } }: ReceivedRequest, origins: CorsOrigins): string | undefined {
  if (origin === undefined) return undefined
  if (origins === '*') return '*'
  return origins.includes(origin) ? origin : undefined
}
