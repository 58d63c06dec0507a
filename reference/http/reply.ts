import type { Behaviour, GrantKind } from '../behaviour.js'
import { particularsOf, type Refusal } from '../refusal.js'
import type { Reply, Service, State } from '../service.js'
import type { Bearer } from '../token-response.js'
import type { Answer } from './answer.js'

/** The answer to a refused request. */
export function refuse(behaviour: Behaviour, refusal: Refusal): Reply {
  return {
    refusal,
    answer: {
      status: behaviour.errorStatus(refusal),
      headers: [
        ['Content-Type', behaviour.errorMediaType(refusal)],
        ...behaviour.commonHeaders(),
        ...(particularsOf(refusal).headers ?? []),
      ],
      body: behaviour.renderError(behaviour.errorBody(refusal), refusal),
    },
  }
}

/** The answer that carries a token: the same for every way to sign in (2.1-R4, 4.2). */
export function issue(service: Service, state: State, bearer: Bearer, kind: GrantKind): Reply {
  const { behaviour, clock, settings } = service
  const accessToken = behaviour.newAccessToken(bearer)
  const lifetime = behaviour.lifetime(settings.tokenLifetime)
  const issuedAtMs = behaviour.issuedAt(clock.now())
  const expiresAtMs = behaviour.expiresAt(issuedAtMs, lifetime)
  const issued = { userName: bearer.userName, userId: bearer.userId, expiresAtMs }
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
  const answer: Answer = {
    status: behaviour.successStatus(kind),
    headers: [['Content-Type', behaviour.successMediaType(kind)], ...behaviour.commonHeaders()],
    body: behaviour.renderMembers(members),
  }
  return { answer, issued }
}
