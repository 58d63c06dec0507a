import { beforeEach, expect, test } from 'vitest'
import { signIn } from '../client/sign-in.js'
import { ownScope } from './own-scope.js'

const scope = await ownScope()
beforeEach(() => scope.reset())

test('an overloaded service, for this worker alone', async () => {
  await scope.faults.add({ kind: 'status', status: 503 })
  await expect(signIn(scope.url, 'alice', 'Correct-horse-1')).rejects.toThrow('503')
  expect(await scope.journal.entries()).toMatchObject([{ id: 1, status: 503 }])
})

test('a service that has recovered', async () => {
  await signIn(scope.url, 'alice', 'Correct-horse-1')
  expect(await scope.journal.waitFor({ userName: 'alice' })).toMatchObject({ id: 1, status: 200 })
})
