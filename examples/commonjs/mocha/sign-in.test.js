const assert = require('node:assert/strict')
const { after, before, beforeEach, it } = require('mocha')
const { startReferenceServer } = require('token-assay')
const { SignInError, signIn } = require('../sign-in.js')

const alice = { userName: 'alice', password: 'Correct-horse-1' }

/** @type {import('token-assay').ReferenceServer} */
let server
before(async () => {
  server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
})
beforeEach(() => server.reset())
after(() => server.close())

it('signs in', async () => {
  const { accessToken } = await signIn(server.url, 'alice', alice.password)
  assert.equal(server.bearerOf(accessToken)?.userName, 'alice')
})

it('turns the refusal of a wrong password into an exception', async () => {
  await assert.rejects(signIn(server.url, 'alice', 'not-this-1'), new SignInError(400, 'invalid_grant'))
  assert.match(server.journal.entries()[0]?.reason ?? '', /password is not that of the account/)
})
