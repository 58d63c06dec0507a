import { beforeEach, expect, test } from '@jest/globals'
import { signIn } from '../client/sign-in.js'
import { ownScope } from './own-scope.js'

const scope = await ownScope()
beforeEach(() => scope.reset())

test('tokens for a minute, for this worker alone', async () => {
  await scope.settings.change({ tokenLifetime: 60 })
  expect((await signIn(scope.url, 'alice', 'Correct-horse-1')).expiresIn).toBe(59)
})

test('an account that no other worker knows', async () => {
  await scope.accounts.add({ userName: 'bob', password: 'Correct-horse-2' })
  expect((await signIn(scope.url, 'bob', 'Correct-horse-2')).userName).toBe('bob')
  expect(await scope.journal.entries()).toMatchObject([{ id: 1, userName: 'bob' }])
})
