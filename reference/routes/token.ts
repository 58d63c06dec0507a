import type { LoginAttempt } from '../behaviour.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { RefreshTokenOptions } from '../refresh-tokens.js'
import type { Refusal } from '../refusal.js'
import type { Reply, Route, Service } from '../service.js'
import { checkPassword } from './check-password.js'
import { refresh } from './refresh.js'
import { issue, refuse } from './reply.js'

/** What a token request asks for. */
type Asked =
  | { readonly userName: string | undefined; readonly password: string | undefined }
  | { readonly refresh: Required<RefreshTokenOptions>; readonly refreshToken: string | undefined }
  | { readonly refusal: Refusal }

/** `POST {base_url}/Token` (4.1). */
export function tokenRoute(service: Service): Route {
  return {
    // Which path it is, is a decision of the behaviour.
    answer: (request) =>
      service.behaviour.isTokenPath(request.path, service.settings.basePath)
        ? answerTokenRequest(service, request)
        : undefined,
  }
}

async function answerTokenRequest(service: Service, request: ReceivedRequest): Promise<Reply> {
  const { behaviour } = service
  const asked = readTokenRequest(service, request)
  if ('refusal' in asked) return refuse(behaviour, asked.refusal)
  if ('refresh' in asked) return refresh(service, asked.refreshToken, asked.refresh)

  const state = service.state()
  const { userName, password } = asked
  const attempt = await checkPassword(service, state.accounts, userName, password)
  if (attempt === undefined) return refuse(behaviour, 'busy')
  const bearer = behaviour.signIn(attempt)
  if (bearer !== undefined) return issue(service, state, bearer, 'password')
  return refuse(behaviour, explainRefusal(attempt))
}

function explainRefusal({ userName, password, account }: LoginAttempt): Refusal {
  if (userName === undefined) return 'no-user-name'
  if (password === undefined) return 'no-password'
  return account === undefined ? 'unknown-user' : 'wrong-password'
}

/** The order of the checks is the specification's: a wrong media type is the same refusal whatever the body holds. */
function readTokenRequest({ behaviour, refreshTokens }: Service, request: ReceivedRequest): Asked {
  const rejection = behaviour.admit(request)
  if (rejection !== undefined) return { refusal: rejection }
  if (!behaviour.acceptsMethod(request.method)) return { refusal: 'wrong-method' }
  if (!behaviour.acceptsMediaType(request.contentType)) return { refusal: 'wrong-media-type' }
  if (request.bodyTooLong) return { refusal: 'body-too-long' }

  const isRefresh = (grantType: string): boolean =>
    refreshTokens !== undefined && grantType === 'refresh_token'
  const form = behaviour.parseForm(behaviour.formBytes(request))
  const grantTypes = behaviour.formValues(form, 'grant_type')
  if (grantTypes.length === 0) {
    if (!behaviour.allowsNoGrantType()) return { refusal: 'no-grant-type' }
  } else if (
    !grantTypes.some((grantType) => behaviour.supportsGrantType(grantType) || isRefresh(grantType))
  ) {
    return { refusal: 'unsupported-grant-type' }
  }
  if (form.malformed) return { refusal: 'malformed-form' }

  if (refreshTokens !== undefined && grantTypes.every(isRefresh)) {
    const tokens = behaviour.formValues(form, 'refresh_token')
    if (grantTypes.length > 1 || tokens.length > 1) return { refusal: 'repeated-parameter' }
    return { refresh: refreshTokens, refreshToken: tokens[0] }
  }
  const userNames = behaviour.formValues(form, 'username')
  const passwords = behaviour.formValues(form, 'password')
  if ([grantTypes, userNames, passwords].some((values) => values.length > 1))
    return { refusal: 'repeated-parameter' }
  return { userName: userNames[0], password: passwords[0] }
}
