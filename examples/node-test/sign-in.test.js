import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startReferenceServer } from 'token-assay'
import { openSession } from '../client/open-session.js'
import { SignInError, signIn } from '../client/sign-in.js'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

/** @type {import('token-assay').ReferenceServer} */
let server
before(async () => {
  server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
})
beforeEach(() => server.reset())
after(() => server.close())

test('signs in', async () => {
  const { userName, expiresIn } = await signIn(server.url, 'alice', alice.password)
  assert.equal(userName, 'alice')
  assert.equal(expiresIn, 14 * 24 * 60 * 60 - 1, 'one second under 14 days, as the contract has it')
})

test('turns the refusal of a wrong password into an exception', async () => {
  const refused = new SignInError(400, 'invalid_grant')
  await assert.rejects(signIn(server.url, 'alice', 'not-this-1'), refused)
})

test('holds a token that ends with its lifetime', async () => {
  const { accessToken, expiresIn } = await signIn(server.url, 'alice', alice.password)
  assert.equal(server.bearerOf(accessToken)?.userName, 'alice')
  server.clock.advance(expiresIn + 1)
  assert.equal(server.bearerOf(accessToken), undefined)
})

test('the journal tells what the answer must not: why it was refused', async () => {
  await assert.rejects(signIn(server.url, 'alice ', alice.password), { code: 'invalid_grant' })
  await assert.rejects(signIn(server.url, 'alice', 'not-this-1'), { code: 'invalid_grant' })
  const [first, second] = server.journal.entries()
  assert.match(first?.reason ?? '', /no account has this user name/)
  assert.match(second?.reason ?? '', /password is not that of the account/)
})

test('asks a service again that is overloaded', async () => {
  server.faults.add({ kind: 'status', status: 503, headers: { 'Retry-After': '0' }, times: 2 })
  assert.equal((await signIn(server.url, 'alice', alice.password)).userName, 'alice')
  assert.deepEqual(
    server.journal.entries().map(({ status }) => status),
    [503, 503, 200],
  )
})

test('signs in before anybody asks, and again once the token has expired', async () => {
  const session = openSession(server.url, 'alice', alice.password, server.clock.now)
  const { id } = await server.journal.waitFor({ status: 200, userName: 'alice' })
  const first = await session.accessToken()
  server.clock.advance(14 * 24 * 60 * 60)
  const [second, same] = await Promise.all([session.accessToken(), session.accessToken()])
  assert.notEqual(second, first)
  assert.equal(second, same)
  const again = await server.journal.waitFor({ status: 200, after: id })
  assert.equal(again.id, id + 1)
  assert.equal(server.journal.entries().length, 2, 'two asked for it, one signed in')
})

test('a reset forgets tokens and journal', async () => {
  const { accessToken } = await signIn(server.url, 'alice', alice.password)
  server.reset()
  assert.equal(server.bearerOf(accessToken), undefined)
  assert.deepEqual(server.journal.entries(), [])
})

test('a test of other settings has a server of its own', async (t) => {
  const shortLived = await startReferenceServer({ accounts: [alice], hashing: 'fast', tokenLifetime: 60 })
  t.after(() => shortLived.close())
  assert.equal((await signIn(shortLived.url, 'alice', alice.password)).expiresIn, 59)
  assert.deepEqual(server.journal.entries(), [], 'the other has heard nothing of it')
})

// Last: on a busy machine the request may arrive after its client has given up.
test('gives up a service that hangs', async () => {
  server.faults.add({ kind: 'delay', ms: 60_000, match: { userName: 'alice' } })
  await assert.rejects(signIn(server.url, 'alice', alice.password, { timeoutMs: 50 }), {
    name: 'TimeoutError',
  })
})
