import type { Behaviour, GrantKind } from '../behaviour.js'
import type { Answer } from '../http/answer.js'
import { detailsOf, type Refusal } from '../refusal.js'
import type { Reply, Service, StoreState } from '../service.js'
import type { IssuedToken, TokenRequest } from '../store/tokens.js'
import type { Bearer, Member } from '../token-response.js'

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

/** The answer that carries a token: the same for every way to sign in (2.1-R4, 4.2). */
export function issue(service: Service, state: StoreState, bearer: Bearer, kind: GrantKind): Reply {
  const { behaviour } = service
  const { members, issued } = newToken(service, state, bearer, kind)
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
  chosen: Omit<TokenRequest, 'userName'> = {},
): { readonly members: readonly Member[]; readonly issued: IssuedToken } {
  const { behaviour, clock, settings } = service
  const accessToken =
    chosen.value ?? state.accounts.find(bearer.userName)?.accessToken ?? behaviour.newAccessToken(bearer)
  const lifetime = behaviour.lifetime(chosen.lifetime ?? settings.tokenLifetime)
  const issuedAtMs = behaviour.issuedAt(chosen.issuedAt ?? clock.now())
  const expiresAtMs = behaviour.expiresAt(issuedAtMs, lifetime)
  const issued = { userName: bearer.userName, userId: bearer.userId, issuedAtMs, expiresAtMs }
  state.tokens.remember(accessToken, issued)
  const members = behaviour.tokenMembers(
    {
      bearer,
      accessToken,
      tokenType: behaviour.tokenType(bearer),
      expiresIn: behaviour.expiresIn(lifetime),
      issued: behaviour.formatDate(issuedAtMs),
      expires: behaviour.formatDate(expiresAtMs),
      includesUserId: behaviour.includesUserId(settings.includesUserId, kind),
    },
    kind,
  )
  return { members, issued }
}
