// `@node-oauth/oauth2-server` behind Express, in memory, as `tools/interop/` has it.
import OAuth2Server from '@node-oauth/oauth2-server'
import express from 'express'
import { listen } from './listen.js'

const tokens = new Map()
const oauth = new OAuth2Server({
  accessTokenLifetime: 14 * 86_400,
  model: {
    getClient: async (id, secret) =>
      id === 'bench' && secret === 'bench' ? { id, grants: ['password'] } : undefined,
    getUser: async (userName, password) =>
      userName === 'alice' && password === 'Correct-horse-1' ? { userName } : undefined,
    saveToken: async (token, client, user) => {
      const saved = { ...token, client, user }
      tokens.set(saved.accessToken, saved)
      return saved
    },
    getAccessToken: async (accessToken) => tokens.get(accessToken),
  },
})

const app = express()
app.post('/Token', express.urlencoded({ extended: false }), async (request, response) => {
  const outgoing = new OAuth2Server.Response(response)
  await oauth.token(new OAuth2Server.Request(request), outgoing)
  response.set(outgoing.headers)
  response.status(outgoing.status).send(outgoing.body)
})
listen(app)
