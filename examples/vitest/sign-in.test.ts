import { type ReferenceServer, startReferenceServer } from 'token-assay'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSession } from '../client/open-session.js'
import { SignInError, signIn } from '../client/sign-in.js'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

let server: ReferenceServer
beforeAll(async () => {
  server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

test('signs in', async () => {
  const { userName, expiresIn } = await signIn(server.url, 'alice', alice.password)
  expect(userName).toBe('alice')
  // One second under 14 days, as the contract has it.
  expect(expiresIn).toBe(14 * 24 * 60 * 60 - 1)
})

test('turns the refusal of a wrong password into an exception', async () => {
  const refused = new SignInError(400, 'invalid_grant')
  await expect(signIn(server.url, 'alice', 'not-this-1')).rejects.toThrow(refused)
})

test('holds a token that ends with its lifetime', async () => {
  const { accessToken, expiresIn } = await signIn(server.url, 'alice', alice.password)
  expect(server.bearerOf(accessToken)).toMatchObject({ userName: 'alice' })
  server.clock.advance(expiresIn + 1)
  expect(server.bearerOf(accessToken)).toBeUndefined()
})

test('the journal tells what the answer must not: why it was refused', async () => {
  await expect(signIn(server.url, 'alice ', alice.password)).rejects.toThrow('invalid_grant')
  await expect(signIn(server.url, 'alice', 'not-this-1')).rejects.toThrow('invalid_grant')
  const [first, second] = server.journal.entries()
  expect(first?.reason).toMatch(/no account has this user name/)
  expect(second?.reason).toMatch(/password is not that of the account/)
})

test('asks a service again that is overloaded', async () => {
  server.faults.add({ kind: 'status', status: 503, headers: { 'Retry-After': '0' }, times: 2 })
  expect((await signIn(server.url, 'alice', alice.password)).userName).toBe('alice')
  expect(server.journal.entries().map(({ status }) => status)).toEqual([503, 503, 200])
})

test('signs in before anybody asks, and again once the token has expired', async () => {
  const session = openSession(server.url, 'alice', alice.password, server.clock.now)
  const { id } = await server.journal.waitFor({ status: 200, userName: 'alice' })
  const first = await session.accessToken()
  server.clock.advance(14 * 24 * 60 * 60)
  const [second, same] = await Promise.all([session.accessToken(), session.accessToken()])
  expect(second).not.toBe(first)
  expect(second).toBe(same)
  expect(await server.journal.waitFor({ status: 200, after: id })).toMatchObject({ id: id + 1 })
  // Two asked for it, one signed in.
  expect(server.journal.entries()).toHaveLength(2)
})

test('a reset forgets tokens and journal', async () => {
  const { accessToken } = await signIn(server.url, 'alice', alice.password)
  server.reset()
  expect(server.bearerOf(accessToken)).toBeUndefined()
  expect(server.journal.entries()).toEqual([])
})

test('a test of other settings has a server of its own', async () => {
  await using brief = await startReferenceServer({ accounts: [alice], hashing: 'fast', tokenLifetime: 60 })
  expect((await signIn(brief.url, 'alice', alice.password)).expiresIn).toBe(59)
  // The other has heard nothing of it.
  expect(server.journal.entries()).toEqual([])
})

// Last: on a busy machine the request may arrive after its client has given up.
test('gives up a service that hangs', async () => {
  server.faults.add({ kind: 'delay', ms: 60_000, match: { userName: 'alice' } })
  const impatient = signIn(server.url, 'alice', alice.password, { timeoutMs: 50 })
  await expect(impatient).rejects.toMatchObject({ name: 'TimeoutError' })
})
