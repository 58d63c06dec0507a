import t from 'tap'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startReferenceServer } from '../../reference/server.js'
import type { Report } from '../../spec/model/report.js'
import { assess } from '../assess/assess.js'
import { alice, bob } from '../fixtures/service.js'

/** What sequences of registrations and logins show, where some of the rejected are stored all the same. */
async function report(isStored: (errors: readonly string[]) => boolean, immediate = true): Promise<Report> {
  await using server = await startReferenceServer({
    accounts: [alice, bob],
    hashing: 'fast',
    behaviour: {
      storesAccount: (errors) => errors.length === 0 || isStored(errors),
      // Where accounts log in later, none that was registered does.
      signIn: ({ matches, account }) =>
        matches && (immediate || account?.email === undefined) ? account : undefined,
    },
  })
  return await assess(
    {
      baseUrl: server.url,
      accounts: [alice, bob],
      maxFailedLogins: 1000,
      registration: {
        request: REGISTRATION_REQUEST,
        immediate,
      },
    },
    { seed: 1, only: ['8/sequences'] },
  )
}

async function brokenRules(
  isStored: (errors: readonly string[]) => boolean,
  immediate = true,
): Promise<readonly string[]> {
  const { rules } = await report(isStored, immediate)
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
    for (const immediate of [true, false])
      t.strictSame(
        await brokenRules(([error = '', ...more]) => more.length === 0 && error.includes(reason), immediate),
        ['8-R1'],
        `${reason}, ${immediate ? 'at once' : 'later'}`,
      )
  }
  t.strictSame(await brokenRules(() => false), [])
})

t.test('where accounts log in later, only what each rejection leaves is tried', async (t) => {
  const { results } = await report(() => false, false)
  const { runs, judgements = [] } = results.find((one) => one.case === '8/sequences') ?? {}
  t.equal(runs, 3, 'one thing missing, a taken address, a taken name')
  t.strictSame(
    judgements.map(({ rule, outcome }) => [rule, outcome]),
    [
      ['8-R1', 'passed'],
      ['4.1-credentials', 'passed'],
      ['8-unique-email', 'passed'],
      ['4.2-external-login', 'inapplicable'],
    ],
  )
})

t.test('a sequence is sent again: how often it held is in the report', async (t) => {
  const held = async (isStored: () => boolean) => {
    const { results } = await report(isStored)
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
