import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import { listen, type Running } from './listen.js'

/**
 * `oauth2-mock-server` as its documentation sets it up, with one option for this contract: the token endpoint's path.
 * It knows no accounts; every request is granted a token.
 */
export async function startOauth2MockServer(): Promise<Running> {
  const issuer = new OAuth2Issuer()
  await issuer.keys.generate('RS256')
  const service = new OAuth2Service(issuer, { token: '/Token' })
  const running = await listen(service.requestHandler)
  issuer.url = running.url
  return running
}
