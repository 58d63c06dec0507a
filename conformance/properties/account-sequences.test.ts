import t from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { assess } from '../assess.js'
import { alice, bob } from '../fixtures/service.js'

/** Which rules sequences of registrations and logins break, where some of the rejected are stored all the same. */
async function brokenRules(isStored: (errors: readonly string[]) => boolean): Promise<readonly string[]> {
  await using server = await startReferenceServer({
    accounts: [alice, bob],
    hashing: 'fast',
    behaviour: { storesAccount: (errors) => errors.length === 0 || isStored(errors) },
  })
  const report = await assess(
    {
      baseUrl: server.url,
      accounts: [alice, bob],
      maxFailedLogins: 1000,
      registration: {
        request: {
          path: '/accounts',
          json: { userName: '$userName', email: '$email', password: '$password' },
        },
      },
    },
    { seed: 1, only: ['8/sequences'] },
  )
  return report.rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
}

t.test('8-R1: nobody gets an account by a rejection, whatever the one reason', async (t) => {
  for (const reason of [
    'at least 6',
    'one non letter',
    'one digit',
    'one lowercase',
    'one uppercase',
    'taken',
  ]) {
    t.strictSame(
      await brokenRules(([error = '', ...more]) => more.length === 0 && error.includes(reason)),
      ['8-R1'],
      reason,
    )
  }
  t.strictSame(await brokenRules(() => false), [])
})
