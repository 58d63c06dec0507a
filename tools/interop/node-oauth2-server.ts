import OAuth2Server from '@node-oauth/oauth2-server'
import express, { type Request, type Response } from 'express'
import type { Account } from '../../conformance/target/deployment.js'
import { listen, type Running } from './listen.js'

/** The one client of the service: `clientId:clientSecret`, sent by Basic authentication. */
export interface OAuthClient {
  readonly id: string
  readonly secret: string
}

const FOURTEEN_DAYS_S = 14 * 24 * 60 * 60

/**
 * `@node-oauth/oauth2-server` behind Express, in memory, as its documentation sets it up: a form parser, and a handler
 * that writes what the library answers, as the project's own wrappers do. Configured for this contract by its path, its
 * lifetime and its one grant.
 */
export function startNodeOauth2Server(accounts: readonly Account[], client: OAuthClient): Promise<Running> {
  const oauth = new OAuth2Server({
    model: inMemory(accounts, client),
    accessTokenLifetime: FOURTEEN_DAYS_S,
  })
  const app = express()
  // Or else it writes the stack of every refused body to standard error.
  app.set('env', 'test')
  app.post('/Token', express.urlencoded({ extended: false }), (request, response) =>
    answer(oauth, request, response),
  )
  return listen(app)
}

async function answer(oauth: OAuth2Server, request: Request, response: Response): Promise<void> {
  const outgoing = new OAuth2Server.Response(response)
  try {
    await oauth.token(new OAuth2Server.Request(request), outgoing)
    response.set(outgoing.headers ?? {})
    response.status(outgoing.status ?? 200).send(outgoing.body)
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError)) throw error
    response.set(outgoing.headers ?? {})
    response.status(error.code).send({ error: error.name, error_description: error.message })
  }
}

function inMemory(accounts: readonly Account[], client: OAuthClient): OAuth2Server.PasswordModel {
  const tokens = new Map<string, OAuth2Server.Token>()
  return {
    getClient: async (id, secret) =>
      id === client.id && secret === client.secret ? { id, grants: ['password'] } : undefined,
    getUser: async (userName, password) =>
      accounts.find((account) => account.userName === userName && account.password === password),
    saveToken: async (token, grantedTo, user) => {
      const saved = { ...token, client: grantedTo, user }
      tokens.set(saved.accessToken, saved)
      return saved
    },
    getAccessToken: async (accessToken) => tokens.get(accessToken),
  }
}
