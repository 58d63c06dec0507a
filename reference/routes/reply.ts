import { randomUUID } from 'node:crypto'
import type { Behaviour, GrantKind } from '../behaviour.js'
import type { Answer } from '../http/answer.js'
import type { IssuedToken } from '../issued-token.js'
import { detailsOf, type Refusal } from '../refusal.js'
import type { Reply, Service, StoreState } from '../service.js'
import type { TokenRequest } from '../store/tokens.js'
import { type Bearer, type Member, newAccessToken } from '../token-response.js'

/** The answer to a refused request. */
export function refuse(behaviour: Behaviour, refusal: Refusal): Reply {
  return {
    refusal,
    answer: {
      status: behaviour.errorStatus(refusal),
      headers: [
        ['Content-Type', behaviour.errorMediaType(refusal)],
        ...behaviour.commonHeaders(),
        ...(detailsOf(refusal).headers ?? []),
      ],
      body: behaviour.renderError(behaviour.errorBody(refusal), refusal),
    },
  }
}

/**
 * The answer that carries a token: the same for every way to sign in (2.1-R4, 4.2).
 * @param session the sign-in that a refresh goes on; default: a new one
 */
export function issue(
  service: Service,
  state: StoreState,
  bearer: Bearer,
  kind: GrantKind,
  session?: string,
): Reply {
  const { behaviour } = service
  const { members, issued } = newToken(service, state, bearer, kind, { session })
  const answer: Answer = {
    status: behaviour.successStatus(kind),
    headers: [['Content-Type', behaviour.successMediaType(kind)], ...behaviour.commonHeaders()],
    body: behaviour.renderMembers(members),
  }
  return { answer, issued }
}

/** A token of an account, remembered; `chosen` is what a test wants otherwise. */
export function newToken(
  service: Service,
  state: StoreState,
  bearer: Bearer,
  kind: GrantKind,
  chosen: Omit<TokenRequest, 'userName'> & { readonly session?: string | undefined } = {},
): { readonly members: readonly Member[]; readonly issued: IssuedToken } {
  const { behaviour, clock, settings, refreshTokens } = service
  const { userName, userId } = bearer
  const fixed = chosen.value ?? state.accounts.find(userName)?.accessToken
  const lifetime = behaviour.lifetime(chosen.lifetime ?? settings.tokenLifetime)
  const issuedAtMs = behaviour.issuedAt(chosen.issuedAt ?? clock.now())
  const expiresAtMs = behaviour.expiresAt(issuedAtMs, lifetime)
  const session = refreshTokens === undefined ? undefined : (chosen.session ?? randomUUID())
  const issued = { userName, userId, issuedAtMs, expiresAtMs, ...(session !== undefined && { session }) }
  const accessToken = fixed ?? state.sign('access', issued) ?? behaviour.newAccessToken(bearer)
  state.tokens.remember(accessToken, issued)
  const refreshToken = newRefreshToken(service, state, issued, kind)
  const members = behaviour.tokenMembers(
    {
      bearer,
      accessToken,
      tokenType: behaviour.tokenType(bearer),
      expiresIn: behaviour.expiresIn(lifetime),
      issued: behaviour.formatDate(issuedAtMs),
      expires: behaviour.formatDate(expiresAtMs),
      includesUserId: behaviour.includesUserId(settings.includesUserId, kind),
      ...(refreshToken !== undefined && { refreshToken }),
    },
    kind,
  )
  return { members, issued }
}

/** Where there are refresh tokens: one for each sign-in and, with rotation, for each refresh. */
function newRefreshToken(
  { refreshTokens }: Service,
  state: StoreState,
  access: IssuedToken,
  kind: GrantKind,
): string | undefined {
  if (refreshTokens === undefined || (kind === 'refresh' && !refreshTokens.rotation)) return undefined
  const issued = { ...access, expiresAtMs: access.issuedAtMs + refreshTokens.lifetime * 1000 }
  const refreshToken = state.sign('refresh', issued) ?? newAccessToken()
  state.refreshTokens.remember(refreshToken, issued)
  return refreshToken
}
