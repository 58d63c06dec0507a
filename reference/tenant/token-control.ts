import { ControlError } from '../control-error.js'
import { readControlInput } from '../input/read-control-input.js'
import type { IssuedToken } from '../issued-token.js'
import { newToken } from '../routes/reply.js'
import type { Service } from '../service.js'
import type { Store } from '../store/control.js'
import type { TokenRequest } from '../store/tokens.js'

type Tokens = Pick<Store, 'bearerOf' | 'introspect' | 'issueToken' | 'revokeToken'>

/** The tokens of a store as a test sees them. */
export function controlTokens(service: Service): Tokens {
  const { behaviour, clock, state } = service
  const bearerOf = (accessToken: string): IssuedToken | undefined => {
    const { token } = readControlInput<{ readonly token: string }>('introspection', { token: accessToken })
    const issued = state().tokens.look(token)
    return issued !== undefined && behaviour.acceptsToken(issued, clock.now()) ? issued : undefined
  }
  return {
    bearerOf,
    introspect(accessToken) {
      const issued = bearerOf(accessToken)
      if (issued === undefined) return { active: false }
      const { userName, userId, issuedAtMs, expiresAtMs } = issued
      return {
        active: true,
        username: userName,
        sub: userId,
        token_type: behaviour.tokenType({ userName, userId }),
        iat: Math.floor(issuedAtMs / 1000),
        exp: Math.floor(expiresAtMs / 1000),
      }
    },
    issueToken(request) {
      const { userName, ...chosen } = readControlInput<TokenRequest>('issue', request)
      const { accounts, tokens } = state()
      const account = accounts.find(userName)
      if (account === undefined) throw new ControlError('not-found', 'there is no account of this user name')
      const { value } = chosen
      const isChosen =
        value !== undefined && value !== account.accessToken && accounts.has({ accessToken: value })
      const holder = value === undefined ? undefined : tokens.look(value)
      if (isChosen || (holder !== undefined && holder.userName !== account.userName))
        throw new ControlError('exists', 'another account has this access token')
      const { members } = newToken(service, state(), account, 'password', chosen)
      return JSON.parse(behaviour.renderMembers(members))
    },
    revokeToken(token) {
      const { tokens, refreshTokens, endSession } = state()
      if (bearerOf(token) !== undefined) {
        tokens.revoke(token)
        return true
      }
      const refresh = refreshTokens.look(token)
      if (refresh === undefined || behaviour.refuseRefresh(refresh, clock.now()) !== undefined) return false
      refreshTokens.revoke(token)
      if (refresh.session !== undefined) endSession(refresh.session)
      return true
    },
  }
}
