import t from 'tap'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startReferenceServer } from '../../reference/server.js'
import type { Report } from '../../spec/model/report.js'
import { assess } from '../assess/assess.js'
import { alice, bob } from '../fixtures/service.js'

/** What sequences of registrations and logins show, where some of the rejected are stored all the same. */
async function report(
  isStored: (errors: readonly string[]) => boolean,
  maxFailedLogins = 1000,
): Promise<Report> {
  await using server = await startReferenceServer({
    accounts: [alice, bob],
    hashing: 'fast',
    behaviour: { storesAccount: (errors) => errors.length === 0 || isStored(errors) },
  })
  return await assess(
    {
      baseUrl: server.url,
      accounts: [alice, bob],
      maxFailedLogins,
      registration: {
        request: REGISTRATION_REQUEST,
      },
    },
    { seed: 1, only: ['8/sequences'] },
  )
}

async function brokenRules(isStored: (errors: readonly string[]) => boolean): Promise<readonly string[]> {
  const { rules } = await report(isStored)
  return rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
}

t.test('8-R1: no one gets an account by a rejection, whatever the one reason', async (t) => {
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

t.test('a sequence is sent again: how often it held is in the report', async (t) => {
  const held = async (isStored: () => boolean, maxFailedLogins?: number) => {
    const { results } = await report(isStored, maxFailedLogins)
    const failed = results.flatMap(({ judgements }) =>
      judgements.filter(({ outcome }) => outcome === 'failed'),
    )
    t.strictSame(
      failed.map(({ rule }) => rule),
      ['8-R1'],
    )
    return failed[0]?.counterexample?.held
  }
  t.strictSame(await held(() => true), { times: 1, of: 1 })
  let times = 0
  t.strictSame(
    await held(() => times++ === 0),
    { times: 0, of: 1 },
    'only the first rejected account was stored',
  )
})
