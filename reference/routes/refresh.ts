import type { RefreshTokenOptions } from '../refresh-tokens.js'
import type { Reply, Service, StoreState } from '../service.js'
import { issue, refuse } from './reply.js'

/** Answers the grant type `refresh_token` (RFC 6749 6) as the password grant is answered: with the members of the sign-in. */
export function refresh(
  service: Service,
  refreshToken: string | undefined,
  { oneTime, reuseDetection }: Required<RefreshTokenOptions>,
): Reply {
  const { behaviour, clock } = service
  if (refreshToken === undefined) return refuse(behaviour, 'no-refresh-token')
  const state = service.state()
  const issued = state.refreshTokens.look(refreshToken)
  if (issued === undefined) return refuse(behaviour, 'unknown-refresh-token')
  const { userName, userId, session } = issued
  const refusal = behaviour.refuseRefresh(issued, clock.now()) ?? explainAccount(state, issued)
  // Of two who use the same one, one has stolen it (RFC 9700 4.14.2).
  if (issued.spent === true && reuseDetection && session !== undefined) state.endSession(session)
  if (refusal !== undefined) return { ...refuse(behaviour, refusal), userName }
  if (oneTime) state.refreshTokens.remember(refreshToken, { ...issued, spent: true })
  return issue(service, state, { userName, userId }, 'refresh', session)
}

/** An access token outlives its account; what asks for a new one does not. */
function explainAccount(
  { accounts }: StoreState,
  { userName, userId }: { readonly userName: string; readonly userId: string },
): 'revoked-refresh-token' | undefined {
  return accounts.find(userName)?.userId === userId ? undefined : 'revoked-refresh-token'
}
