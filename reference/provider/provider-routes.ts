import type { Json } from '../../spec/model/json.js'
import type { Clock } from '../clock.js'
import { basicCredentials, type ClientCredentials } from '../external-login/code-flow.js'
import { onlyValue, parseForm } from '../http/form.js'
import { isText, parseJsonObject } from '../http/json-body.js'
import { isMediaType } from '../http/media-type.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { literally, type Route } from '../service.js'
import { createOneTimeCodes, type OneTimeCodes } from '../store/one-time-codes.js'

/** A service that is registered with the provider. */
export interface ProviderClient extends ClientCredentials {
  /** Its callback addresses; none: every exchange is answered 401 (5-R3). */
  readonly redirectUris: readonly string[]
}

/** Seconds. */
const codeLifetime = 60
const tokenLifetime = 60
const codesKept = 1000

/** Who somebody is, and which client may learn it. */
interface Identity {
  readonly subject: string
  readonly clientId: string
}

type Status = 200 | 400 | 401

/** The three endpoints of the provider for tests. */
export function providerRoutes(clients: readonly ProviderClient[], clock: Clock): readonly Route[] {
  const codes = createOneTimeCodes<Identity>(clock, codeLifetime, codesKept)
  const tokens = createOneTimeCodes<Identity>(clock, tokenLifetime, codesKept)
  return [
    route('POST', '/code', (request) => handOutCode(request, clients, codes)),
    route('POST', '/token', (request) => exchangeCode(request, clients, codes, tokens)),
    route('GET', '/userinfo', (request) => tellUser(request, tokens)),
  ]
}

function route(
  method: 'GET' | 'POST',
  path: string,
  answer: (request: ReceivedRequest) => readonly [Status, Json],
): Route {
  return {
    method,
    path: literally(path),
    answer: (request) => {
      const [status, body] = answer(request)
      const headers = [
        ['Content-Type', 'application/json'],
        ['Cache-Control', 'no-store'],
        ...(status === 401 ? [['WWW-Authenticate', 'Basic'] as const] : []),
      ] as const
      return { answer: { status, headers, body: JSON.stringify(body) } }
    },
  }
}

/** In place of a login page: a code for the named user, at the first client unless another is named. */
function handOutCode(
  request: ReceivedRequest,
  clients: readonly ProviderClient[],
  codes: OneTimeCodes<Identity>,
): readonly [Status, Json] {
  const { user, clientId = clients[0]?.clientId } = parseJsonObject(request.body) ?? {}
  if (!isText(user) || user === '' || !isText(clientId)) return [400, { error: 'invalid_request' }]
  return [200, { code: codes.issue({ subject: user, clientId }) }]
}

/** RFC 6749 4.1.3. */
function exchangeCode(
  request: ReceivedRequest,
  clients: readonly ProviderClient[],
  codes: OneTimeCodes<Identity>,
  tokens: OneTimeCodes<Identity>,
): readonly [Status, Json] {
  if (!isMediaType(request.contentType, 'application/x-www-form-urlencoded'))
    return [400, { error: 'invalid_request' }]
  const form = parseForm(request.body)
  const client = clients.find((candidate) => request.headers.authorization === basicCredentials(candidate))
  const redirectUri = onlyValue(form, 'redirect_uri')
  // 5-R3: a client without a registered callback address is not let in at all.
  if (client === undefined || redirectUri === undefined || !client.redirectUris.includes(redirectUri))
    return [401, { error: 'invalid_client' }]
  if (onlyValue(form, 'grant_type') !== 'authorization_code')
    return [400, { error: 'unsupported_grant_type' }]
  const identity = codes.redeem(onlyValue(form, 'code') ?? '')
  if (identity?.clientId !== client.clientId) return [400, { error: 'invalid_grant' }]
  return [200, { access_token: tokens.issue(identity), token_type: 'Bearer', expires_in: tokenLifetime }]
}

function tellUser(request: ReceivedRequest, tokens: OneTimeCodes<Identity>): readonly [Status, Json] {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const identity = token === undefined ? undefined : tokens.find(token)
  return identity === undefined ? [401, { error: 'invalid_token' }] : [200, { sub: identity.subject }]
}
