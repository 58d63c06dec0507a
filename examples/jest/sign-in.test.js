import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startReferenceServer } from 'token-assay'
import { SignInError, signIn } from '../client/sign-in.js'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

/** @type {import('token-assay').ReferenceServer} */
let server
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

test('a reset forgets tokens and journal', async () => {
  const { accessToken } = await signIn(server.url, 'alice', alice.password)
  server.reset()
  expect(server.bearerOf(accessToken)).toBeUndefined()
  expect(server.journal.entries()).toEqual([])
})

test('a test of other settings has a server of its own', async () => {
  const brief = await startReferenceServer({ accounts: [alice], hashing: 'fast', tokenLifetime: 60 })
  try {
    expect((await signIn(brief.url, 'alice', alice.password)).expiresIn).toBe(59)
    // The other has heard nothing of it.
    expect(server.journal.entries()).toEqual([])
  } finally {
    await brief.close()
  }
})
