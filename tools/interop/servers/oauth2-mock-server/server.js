// oauth2-mock-server as its documentation sets it up, with one option for the contract: the token endpoint's path. It knows
// no accounts; every request is granted a token.
import { createServer } from 'node:http'
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'

const { PORT } = process.env
const issuer = new OAuth2Issuer()
await issuer.keys.generate('RS256')
issuer.url = `http://127.0.0.1:${PORT}`
const service = new OAuth2Service(issuer, { token: '/Token' })
createServer(service.requestHandler).listen(Number(PORT), '127.0.0.1')
