const { afterAll, beforeAll, beforeEach, expect, test } = require('@jest/globals')
const { AssayError, ControlError, startReferenceServer } = require('token-assay')
const { SignInError, signIn } = require('../sign-in.js')

const alice = { userName: 'alice', password: 'Correct-horse-1' }

/** @type {import('token-assay').ReferenceServer} */
let server
beforeAll(async () => {
  server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

test('signs in', async () => {
  const { accessToken, expiresIn } = await signIn(server.url, 'alice', alice.password)
  expect(expiresIn).toBe(14 * 24 * 60 * 60 - 1)
  expect(server.bearerOf(accessToken)).toMatchObject({ userName: 'alice' })
})

test('turns the refusal of a wrong password into an exception', async () => {
  const refused = new SignInError(400, 'invalid_grant')
  await expect(signIn(server.url, 'alice', 'not-this-1')).rejects.toThrow(refused)
  expect(server.journal.entries()).toMatchObject([{ status: 400, reason: expect.stringMatching(/password/) }])
})

test('an answer that is odd, once', async () => {
  server.respond({ path: '/Token' }, { set: { expires_in: 60 } }, { times: 1 })
  expect((await signIn(server.url, 'alice', alice.password)).expiresIn).toBe(60)
  expect((await signIn(server.url, 'alice', alice.password)).expiresIn).toBe(14 * 24 * 60 * 60 - 1)
})

test('passwords are hashed as they are in a real service, unless they need not be', async () => {
  const real = await startReferenceServer({ accounts: [alice] })
  try {
    await signIn(real.url, 'alice', alice.password)
  } finally {
    await real.close()
  }
})

test('misuse of the double has a class and a code', () => {
  const misuse = () => server.issueToken({ userName: 'dave' })
  expect(misuse).toThrow(ControlError)
  expect(misuse).toThrow(AssayError)
  expect(misuse).toThrow(expect.objectContaining({ code: 'not-found' }))
})
