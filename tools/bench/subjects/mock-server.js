// `oauth2-mock-server`: knows no accounts, stores nothing, and signs every token.
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import { listen } from './listen.js'

const issuer = new OAuth2Issuer()
await issuer.keys.generate('RS256')
const service = new OAuth2Service(issuer, { token: '/Token' })
listen(service.requestHandler, (url) => {
  issuer.url = url
})
