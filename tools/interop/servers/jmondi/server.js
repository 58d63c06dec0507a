// @jmondi/oauth2-server behind Express, in memory, as its own example sets it up: the repositories, the two body parsers,
// the route and its helpers for Express. Configured for the contract by its path and its lifetime.
import { randomUUID } from 'node:crypto'
import { AuthorizationServer, DateInterval, JwtService } from '@jmondi/oauth2-server'
import { handleExpressError, handleExpressResponse } from '@jmondi/oauth2-server/express'
import express from 'express'

const { ALICE_PASSWORD, ZOE_PASSWORD, CLIENT_SECRET, PORT } = process.env
const accounts = new Map([
  ['alice', ALICE_PASSWORD],
  ['Zoë Straße', ZOE_PASSWORD],
])
const clients = new Map([
  [
    'client',
    {
      id: 'client',
      name: 'The client',
      secret: CLIENT_SECRET,
      redirectUris: [],
      allowedGrants: ['password'],
      scopes: [],
    },
  ],
])
const tokens = new Map()

const clientRepository = {
  getByIdentifier: async (id) => clients.get(id),
  isClientValid: async (grantType, client, secret) =>
    client.secret === secret && client.allowedGrants.includes(grantType),
}
const tokenRepository = {
  issueToken: async (client, scopes, user) => ({
    accessToken: randomUUID(),
    accessTokenExpiresAt: new Date(),
    client,
    scopes,
    user,
  }),
  issueRefreshToken: async (token) => token,
  persist: async (token) => void tokens.set(token.accessToken, token),
  revoke: async (token) => void tokens.delete(token.accessToken),
  isRefreshTokenRevoked: async () => true,
  getByRefreshToken: async () => undefined,
}
const scopeRepository = { getAllByIdentifiers: async () => [], finalize: async (scopes) => scopes }
const userRepository = {
  getUserByCredentials: async (userName, password) =>
    accounts.get(userName) === password ? { id: userName } : undefined,
}

const authorizationServer = new AuthorizationServer(
  clientRepository,
  tokenRepository,
  scopeRepository,
  new JwtService(randomUUID()),
)
authorizationServer.enableGrantTypes([{ grant: 'password', userRepository }, new DateInterval('14d')])

const app = express()
app.use(express.json())
app.use(express.urlencoded({ extended: false }))
app.post('/Token', async (request, response) => {
  try {
    const answer = await authorizationServer.respondToAccessTokenRequest(request)
    handleExpressResponse(response, answer)
  } catch (error) {
    handleExpressError(error, response)
  }
})
app.listen(Number(PORT), '127.0.0.1')
