import t from 'tap'
import { startReferenceServer } from 'token-assay'
import { openSession } from '../client/open-session.js'
import { SignInError, signIn } from '../client/sign-in.js'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

const server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
t.beforeEach(() => server.reset())
t.teardown(() => server.close())

t.test('signs in', async (t) => {
  const { userName, expiresIn } = await signIn(server.url, 'alice', alice.password)
  t.equal(userName, 'alice')
  t.equal(expiresIn, 14 * 24 * 60 * 60 - 1, 'one second under 14 days, as the contract has it')
})

t.test('turns the refusal of a wrong password into an exception', async (t) => {
  const refused = new SignInError(400, 'invalid_grant')
  await t.rejects(signIn(server.url, 'alice', 'not-this-1'), refused)
})

t.test('holds a token that ends with its lifetime', async (t) => {
  const { accessToken, expiresIn } = await signIn(server.url, 'alice', alice.password)
  t.match(server.bearerOf(accessToken), { userName: 'alice' })
  server.clock.advance(expiresIn + 1)
  t.equal(server.bearerOf(accessToken), undefined)
})

t.test('the journal tells what the answer must not: why it was refused', async (t) => {
  await t.rejects(signIn(server.url, 'alice ', alice.password), { code: 'invalid_grant' })
  await t.rejects(signIn(server.url, 'alice', 'not-this-1'), { code: 'invalid_grant' })
  t.match(server.journal.entries(), [
    { method: 'POST', path: '/Token', status: 400, reason: /no account has this user name/ },
    { method: 'POST', path: '/Token', status: 400, reason: /password is not that of the account/ },
  ])
})

t.test('asks a service again that is overloaded', async (t) => {
  server.faults.add({ kind: 'status', status: 503, headers: { 'Retry-After': '0' }, times: 2 })
  t.equal((await signIn(server.url, 'alice', alice.password)).userName, 'alice')
  t.match(server.journal.entries(), [{ status: 503 }, { status: 503 }, { status: 200 }])
})

t.test('signs in before anybody asks, and again once the token has expired', async (t) => {
  const session = openSession(server.url, 'alice', alice.password, server.clock.now)
  const { id } = await server.journal.waitFor({ status: 200, userName: 'alice' })
  const first = await session.accessToken()
  server.clock.advance(14 * 24 * 60 * 60)
  const [second, same] = await Promise.all([session.accessToken(), session.accessToken()])
  t.not(second, first)
  t.equal(second, same)
  t.match(await server.journal.waitFor({ status: 200, after: id }), { id: id + 1 })
  t.equal(server.journal.entries().length, 2, 'two asked for it, one signed in')
})

t.test('a reset forgets tokens and journal', async (t) => {
  const { accessToken } = await signIn(server.url, 'alice', alice.password)
  server.reset()
  t.equal(server.bearerOf(accessToken), undefined)
  t.strictSame(server.journal.entries(), [])
})

t.test('a test of other settings has a server of its own', async (t) => {
  await using brief = await startReferenceServer({ accounts: [alice], hashing: 'fast', tokenLifetime: 60 })
  t.equal((await signIn(brief.url, 'alice', alice.password)).expiresIn, 59)
  t.strictSame(server.journal.entries(), [], 'the other has heard nothing of it')
})

// Last: on a busy machine the request may arrive after its client has given up.
t.test('gives up a service that hangs', async (t) => {
  server.faults.add({ kind: 'delay', ms: 60_000, match: { userName: 'alice' } })
  await t.rejects(signIn(server.url, 'alice', alice.password, { timeoutMs: 50 }), { name: 'TimeoutError' })
})
