// @node-oauth/oauth2-server behind Express, in memory, as its documentation sets it up: a form parser, and a handler that
// writes what the library answers, as the project's own wrappers do. Configured for the contract by its path and lifetime.
// GRANTS and LIFETIME are for rehearsals, in which it also refreshes tokens, and has an API that accepts them.
import OAuth2Server from '@node-oauth/oauth2-server'
import express from 'express'

const {
  ALICE_PASSWORD,
  ZOE_PASSWORD,
  CLIENT_SECRET,
  PORT,
  GRANTS = 'password',
  LIFETIME = 14 * 24 * 60 * 60,
} = process.env
const accounts = new Map([
  ['alice', ALICE_PASSWORD],
  ['Zoë Straße', ZOE_PASSWORD],
])
const tokens = new Map()
const renewals = new Map()
const oauth = new OAuth2Server({
  accessTokenLifetime: Number(LIFETIME),
  model: {
    getClient: async (id, secret) =>
      id === 'client' && secret === CLIENT_SECRET ? { id, grants: GRANTS.split(' ') } : undefined,
    getUser: async (userName, password) => (accounts.get(userName) === password ? { userName } : undefined),
    saveToken: async (token, client, user) => {
      tokens.set(token.accessToken, { ...token, client, user })
      renewals.set(token.refreshToken, { ...token, client, user })
      return tokens.get(token.accessToken)
    },
    getAccessToken: async (accessToken) => tokens.get(accessToken),
    getRefreshToken: async (refreshToken) => renewals.get(refreshToken),
    revokeToken: async ({ refreshToken }) => renewals.delete(refreshToken),
  },
})

const app = express()
// Or else it writes the stack of every refused body to standard error.
app.set('env', 'test')
app.post('/Token', express.urlencoded({ extended: false }), answer(oauth.token.bind(oauth)))
app.get(
  '/me',
  answer(oauth.authenticate.bind(oauth), ({ user }) => user),
)
app.listen(Number(PORT), '127.0.0.1')

function answer(handle, bodyOf) {
  return async (request, response) => {
    const answered = new OAuth2Server.Response(response)
    try {
      const token = await handle(new OAuth2Server.Request(request), answered)
      response.set(answered.headers).status(answered.status)
      response.send(bodyOf === undefined ? answered.body : bodyOf(token))
    } catch (error) {
      if (!(error instanceof OAuth2Server.OAuthError)) throw error
      response.set(answered.headers).status(error.code)
      response.send({ error: error.name, error_description: error.message })
    }
  }
}
