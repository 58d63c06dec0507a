// oauth2orize behind Express, in memory, as its README sets it up: an exchange for the password grant, the client by
// Passport's Basic strategy, and its own error handler. Configured for the contract by its path and its lifetime.
import { randomUUID } from 'node:crypto'
import express from 'express'
import oauth2orize from 'oauth2orize'
import passport from 'passport'
import { BasicStrategy } from 'passport-http'

const { ALICE_PASSWORD, ZOE_PASSWORD, CLIENT_SECRET, PORT } = process.env
const accounts = new Map([
  ['alice', ALICE_PASSWORD],
  ['Zoë Straße', ZOE_PASSWORD],
])
const tokens = new Map()
const FOURTEEN_DAYS_S = 14 * 24 * 60 * 60

passport.use(
  new BasicStrategy((id, secret, done) => done(null, id === 'client' && secret === CLIENT_SECRET && { id })),
)

const server = oauth2orize.createServer()
server.exchange(
  oauth2orize.exchange.password((_client, userName, password, _scope, done) => {
    if (accounts.get(userName) !== password) return done(null, false)
    const token = randomUUID()
    tokens.set(token, userName)
    return done(null, token, { expires_in: FOURTEEN_DAYS_S })
  }),
)

const app = express()
app.use(express.urlencoded())
app.post('/Token', passport.authenticate('basic', { session: false }), server.token(), server.errorHandler())
app.listen(Number(PORT), '127.0.0.1')
