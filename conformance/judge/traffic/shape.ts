import { readJson } from '../../../spec/load/read-json.js'
import type { HeaderList } from '../../../spec/model/report.js'
import type { Exchange } from '../../exchange/exchange.js'
import { parseMediaType } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { formValues, parseForm } from '../../exchange/parse-form.js'
import { decodeUtf8 } from '../../exchange/utf8.js'
import { type DeclaredService, isTokenPath, tokenPathOf } from './declared.js'

/** The names of a closed list; of any other is shown that it is there: what a client sends as a name may be anything. */
const NAMES: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language access-control-allow-credentials access-control-allow-headers
  access-control-allow-methods access-control-allow-origin access-control-expose-headers access-control-max-age
  access-control-request-headers access-control-request-method age allow authorization cache-control connection
  content-encoding content-language content-length content-security-policy content-type cookie date etag expect expires
  forwarded from host if-match if-modified-since if-none-match keep-alive last-modified link location origin pragma
  proxy-authorization referer referrer-policy retry-after sec-fetch-dest sec-fetch-mode sec-fetch-site server set-cookie
  strict-transport-security te trailer transfer-encoding upgrade user-agent vary via www-authenticate x-api-key
  x-content-type-options x-forwarded-for x-forwarded-host x-forwarded-proto x-frame-options x-powered-by x-request-id
  grant_type username password client_id client_secret client_assertion client_assertion_type scope refresh_token code
  redirect_uri code_verifier assertion audience resource state nonce token token_type_hint
  access_token token_type expires_in userName .issued .expires userId error error_description error_uri id_token
  refresh_token_expires_in`.split(/\s+/),
)
const GRANT_TYPES = ['password', 'refresh_token', 'client_credentials', 'authorization_code']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const TYPES = [
  'application/x-www-form-urlencoded',
  'application/json',
  'application/problem+json',
  'multipart/form-data',
  'text/plain',
  'text/html',
]
const OTHER = 'other'

/** Of an exchange what it is made of, and nothing that anyone chose freely: no value, and no name beyond the known ones. */
export interface Shape {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  readonly request: {
    readonly method: string
    readonly path: 'token' | 'near token' | 'other'
    readonly queryParameters: number
    readonly headers: readonly string[]
    readonly contentType: string | null
    readonly bytes: number | null
    readonly parameters?: readonly string[]
    readonly grantType?: string
  }
  /** Null: no answer came. */
  readonly response: {
    readonly status: number
    readonly headers: readonly string[]
    readonly contentType: string | null
    readonly bytes: number | null
    readonly members?: readonly (readonly [name: string, type: string])[]
  } | null
}

export function shapeOf(exchange: Exchange, declared: DeclaredService): Shape {
  const { response, startedAt, durationMs } = exchange
  const request = requestOf(exchange)
  const isToken = isTokenPath(declared)(request.path)
  return {
    at: startedAt,
    durationMs,
    request: {
      method: among(METHODS, request.method),
      path: request.path === tokenPathOf(declared) ? 'token' : isToken ? 'near token' : 'other',
      queryParameters: request.query === '' ? 0 : request.query.split('&').length,
      headers: namesOf(request.headers),
      contentType: typeOf(request.headers),
      bytes: request.isBodyKept ? request.body.length : null,
      ...(isToken ? formOf(request.body) : {}),
    },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: namesOf(response.headers),
            contentType: typeOf(response.headers),
            bytes: response.truncated ? null : response.body.length,
            ...(isToken ? membersOf(response.body) : {}),
          },
  }
}

function formOf(body: Uint8Array): Pick<Shape['request'], 'parameters' | 'grantType'> {
  const form = parseForm(body)
  const [grantType] = formValues(form, 'grant_type')
  return {
    parameters: form.pairs.map(([name]) => known(name)),
    ...(grantType === undefined ? {} : { grantType: among(GRANT_TYPES, grantType) }),
  }
}

function membersOf(body: Uint8Array): Pick<NonNullable<Shape['response']>, 'members'> {
  const { root } = readJson(decodeUtf8(body).text, MAX_VALUES)
  if (root?.kind !== 'object') return {}
  return { members: root.members.slice(0, MAX_MEMBERS).map(({ name, value }) => [known(name), value.kind]) }
}

const MAX_VALUES = 1000
const MAX_MEMBERS = 100

function namesOf(headers: HeaderList): readonly string[] {
  return headers.slice(0, MAX_MEMBERS).map(([name]) => known(name.toLowerCase()))
}

function typeOf(headers: HeaderList): string | null {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return value === undefined ? null : among(TYPES, parseMediaType(value)?.essence ?? '')
}

function known(name: string): string {
  return NAMES.has(name) ? name : OTHER
}

function among(names: readonly string[], name: string): string {
  return names.includes(name) ? name : OTHER
}
