// @node-oauth/oauth2-server behind Express, in memory, as its documentation sets it up: a form parser, and a handler that
// writes what the library answers, as the project's own wrappers do. Configured for the contract by its path and lifetime.
import OAuth2Server from '@node-oauth/oauth2-server'
import express from 'express'

const { ALICE_PASSWORD, ZOE_PASSWORD, CLIENT_SECRET, PORT } = process.env
const accounts = new Map([
  ['alice', ALICE_PASSWORD],
  ['Zoë Straße', ZOE_PASSWORD],
])
const tokens = new Map()
const oauth = new OAuth2Server({
  accessTokenLifetime: 14 * 24 * 60 * 60,
  model: {
    getClient: async (id, secret) =>
      id === 'client' && secret === CLIENT_SECRET ? { id, grants: ['password'] } : undefined,
    getUser: async (userName, password) => (accounts.get(userName) === password ? { userName } : undefined),
    saveToken: async (token, client, user) => {
      tokens.set(token.accessToken, { ...token, client, user })
      return tokens.get(token.accessToken)
    },
    getAccessToken: async (accessToken) => tokens.get(accessToken),
  },
})

const app = express()
// Or else it writes the stack of every refused body to standard error.
app.set('env', 'test')
app.post('/Token', express.urlencoded({ extended: false }), async (request, response) => {
  const answer = new OAuth2Server.Response(response)
  try {
    await oauth.token(new OAuth2Server.Request(request), answer)
    response.set(answer.headers).status(answer.status).send(answer.body)
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError)) throw error
    response.set(answer.headers).status(error.code)
    response.send({ error: error.name, error_description: error.message })
  }
})
app.listen(Number(PORT), '127.0.0.1')
