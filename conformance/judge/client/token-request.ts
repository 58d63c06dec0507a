import type { Judgement } from '../../../spec/model/report.js'
import { hidePathParameters } from '../../evidence/hidden-fields.js'
import type { Exchange } from '../../exchange/exchange.js'
import { isMediaType, parseMediaType } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { formValues, parseForm } from '../../exchange/parse-form.js'
import { type Decision, failed, PASSED } from './decision.js'

export interface ExpectedTokenRequest {
  /** The path of the base URL included. */
  readonly tokenPath: string
  readonly userName: string
  readonly password: string
}

/** Where tokens are asked for: a slash at the end of the base URL may be kept or dropped. */
export function tokenPathsOf(basePath: string): readonly string[] {
  const path = basePath.replace(/\/$/, '')
  return path === basePath ? [`${path}/Token`] : [`${path}/Token`, `${path}//Token`]
}

/**
 * Whether a request at the token endpoint asks about it, and for no token: a browser does so before it sends what is meant
 * (Fetch, "CORS-preflight request"), and a client that looks whether a server is there.
 */
export function isInquiry(method: string): boolean {
  return method === 'OPTIONS' || method === 'HEAD'
}

type TokenRequestRule = (requests: readonly Exchange[], expected: ExpectedTokenRequest) => Decision

const FORM = 'application/x-www-form-urlencoded'

/** The rules that a token request is judged by on its own, whichever client sent it. */
const RULES: Readonly<Record<string, TokenRequestRule>> = {
  'client:request-method': (requests) => {
    const wrong = requests.find(({ request }) => request.method !== 'POST')
    return wrong === undefined
      ? PASSED
      : failed('the token request does not use POST', 'POST', wrong.request.method)
  },
  'client:request-path': (requests, { tokenPath }) => {
    const paths = requests.map((exchange) => requestOf(exchange).path)
    return paths.includes(tokenPath)
      ? PASSED
      : failed(
          'nothing is sent to the token endpoint',
          tokenPath,
          hidePathParameters(paths[0] ?? 'no request'),
        )
  },
  'client:request-media-type': (requests) => {
    const types = requests.map((exchange) => requestOf(exchange).contentType)
    const wrong = types.findIndex((type) => !isMediaType(type, FORM))
    if (wrong < 0) return PASSED
    const message =
      parseMediaType(types[wrong] ?? '')?.essence === FORM
        ? 'the media type of the token request has another charset than UTF-8'
        : 'the media type of the token request is not that of a form'
    return failed(message, FORM, types[wrong] ?? 'none')
  },
  'client:request-grant_type': parameter('grant_type', () => 'password'),
  'client:request-username': parameter('username', ({ userName }) => userName),
  'client:request-password': parameter('password', ({ password }) => password),
}

/** The rules that `judgeTokenRequests` judges, in its order. */
export const TOKEN_REQUEST_RULES: readonly string[] = Object.keys(RULES)

/** One judgement for each rule of token requests. Pure. */
export function judgeTokenRequests(
  requests: readonly Exchange[],
  expected: ExpectedTokenRequest,
): readonly Judgement[] {
  return Object.entries(RULES).map(([rule, decide]) => ({ rule, ...decide(requests, expected) }))
}

/** A parameter of the form that occurs once in every token request, with this value. */
function parameter(name: string, expectedIn: (expected: ExpectedTokenRequest) => string): TokenRequestRule {
  return (requests, expected) => {
    const value = expectedIn(expected)
    for (const { body } of requests.map(requestOf).filter(({ path }) => path === expected.tokenPath)) {
      const form = parseForm(body)
      const given = formValues(form, name)
      if (given.length === 1 && given[0] === value) continue
      const due = JSON.stringify(value)
      if (given.length > 0) {
        const how = given.length === 1 ? 'has another value' : `is sent ${given.length} times`
        return failed(`\`${name}\` ${how}`, due, given.map((text) => JSON.stringify(text)).join(' and '))
      }
      const found = form.malformed ? 'a form that cannot be decoded' : `a body without \`${name}\``
      return failed(`the form has no \`${name}\``, due, found)
    }
    return PASSED
  }
}
