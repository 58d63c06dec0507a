import type { HeaderList } from '../../spec/types.js'
import type { Behaviour } from '../behaviour.js'
import type { Route } from '../service.js'
import type { ReceivedRequest } from './received-request.js'

/** Which pages of other origins may read the answers: `*`, or a list such as `https://app.example`. */
export type CorsOrigins = '*' | readonly string[]

/** Seconds for which a browser need not ask again. */
const preflightLifetime = 600

/** @throws TypeError for what is no origin, such as one with a path: it would never match */
export function checkOrigins(origins: CorsOrigins): CorsOrigins {
  if (origins === '*') return origins
  if (Array.isArray(origins) && origins.every(isOrigin)) return origins
  throw new TypeError("cors.origins must be '*', or a list of origins such as https://app.example")
}

/** Whether it is an origin as browsers send it. */
export function isOrigin(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin
}

/** The behaviour, with what the Fetch standard's CORS protocol adds to every answer. */
export function withCors(behaviour: Behaviour, origins: CorsOrigins): Behaviour {
  return {
    ...behaviour,
    deliver: (answer, request) =>
      behaviour.deliver(
        { ...answer, headers: [...answer.headers, ...corsHeaders(request, origins)] },
        request,
      ),
  }
}

/** Whether a browser asks for leave to send what is meant (Fetch, "CORS-preflight request"). */
export function isPreflight({ method, headers }: ReceivedRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Answers a browser that asks before it sends. Without an allowed origin it is a request like any other. */
export function preflightRoute(origins: CorsOrigins): Route {
  return (request) => {
    if (!isPreflight(request)) return undefined
    if (allowedOrigin(request, origins) === undefined) return undefined
    return {
      answer: {
        status: 204,
        headers: [
          ['Access-Control-Allow-Methods', 'POST'],
          ['Access-Control-Allow-Headers', 'Content-Type, Authorization, Token-Assay-Scope'],
          ['Access-Control-Max-Age', String(preflightLifetime)],
        ],
        body: '',
      },
    }
  }
}

function corsHeaders(request: ReceivedRequest, origins: CorsOrigins): HeaderList {
  if (origins === '*')
    return request.headers.origin === undefined ? [] : [['Access-Control-Allow-Origin', '*']]
  const origin = allowedOrigin(request, origins)
  // A cache must not give one origin the other's answer.
  return [
    ['Vary', 'Origin'],
    ...(origin === undefined ? [] : [['Access-Control-Allow-Origin', origin] as const]),
  ]
}

function allowedOrigin({ headers: { origin } }: ReceivedRequest, origins: CorsOrigins): string | undefined {
  if (origin === undefined) return undefined
  if (origins === '*') return '*'
  return origins.includes(origin) ? origin : undefined
}
