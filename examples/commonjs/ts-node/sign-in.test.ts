import assert from 'node:assert/strict'
import { after, before, it } from 'mocha'
import { ControlError, type ReferenceServer, startReferenceServer } from 'token-assay'
import { signIn } from './sign-in'

const alice = { userName: 'alice', password: 'Correct-horse-1' }

let server: ReferenceServer
before(async () => {
  server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
})
after(() => server.close())

it('signs in', async () => {
  const accessToken = await signIn(server.url, 'alice', alice.password)
  assert.equal(server.bearerOf(accessToken)?.userName, 'alice')
})

it('misuse of the double has a class and a code', () => {
  assert.throws(
    () => server.issueToken({ userName: 'dave' }),
    (error) => error instanceof ControlError && error.code === 'not-found',
  )
})
