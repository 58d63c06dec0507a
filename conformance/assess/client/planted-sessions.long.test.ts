import { fileURLToPath } from 'node:url'
import t from 'tap'
import { everyNth, seedsByTurns } from '../../../tests/fixtures/effort.js'
import { setTimeZone } from '../../../tests/fixtures/time-zone.js'
import { commandClient } from '../../drivers/host/run-command.js'
import { assessClient } from './assess-client.js'

const FOLDER = new URL('../../../tests/fixtures/clients/', import.meta.url)

/** The rules that each breaks first, and those that follow from it. */
const FAULTS: Readonly<Record<string, readonly [own: readonly string[], others: readonly string[]]>> = {
  '': [[], []],
  // Where a token is refused, or for every call, all calls at once ask for another one.
  'at-once': [['client:expiry-at-once'], ['client:expiry-once', 'client:expiry-anew', 'client:expiry-storm']],
  'each-call': [['client:expiry-before-time'], ['client:expiry-at-once']],
  'never-renews': [['client:expiry-anew', 'client:expiry-refused'], []],
  'for-ever': [['client:expiry-storm'], []],
}

const LANGUAGES = [
  [process.execPath, 'session.mjs'],
  ['/usr/bin/python3', 'session.py'],
  ['sh', 'session.sh'],
] as const

// Mostly waiting for the end of a token. For each change, a fault in one language. At night all, and each fault under every
// seed in one language or another.
t.jobs = 3
for (const [index, [fault, [own, others]]] of Object.entries(FAULTS).entries())
  for (const [command, file] of everyNth(LANGUAGES, LANGUAGES.length, index))
    t.test(`${file}, ${fault || 'which keeps the contract'}`, async (t) => {
      const args = [fileURLToPath(new URL(file, FOLDER)), fault, t.testdir({})]
      const client = commandClient(command, args, 60_000)
      const turn = index + LANGUAGES.findIndex(([, one]) => one === file)
      for (const seed of seedsByTurns(turn, LANGUAGES.length)) {
        const options = { seed, longRunning: true, only: ['client:expiry/*'] }
        const { rules } = await assessClient(client, options)
        const broken = rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
        t.strictSame(
          broken.filter((rule) => !others.includes(rule)),
          own,
          `seed ${seed}`,
        )
        if (fault === '')
          t.strictSame(
            rules.filter(({ outcome }) => outcome === 'cantTell'),
            [],
            `seed ${seed}`,
          )
      }
    })

t.test('session.mjs, which takes the end of a token for a local time, on a machine in UTC', async (t) => {
  setTimeZone(t, 'UTC')
  const client = commandClient(
    process.execPath,
    [fileURLToPath(new URL('session.mjs', FOLDER)), 'local'],
    60_000,
  )
  const { rules } = await assessClient(client, {
    seed: 1,
    longRunning: true,
    only: ['client:request/plain', 'client:expiry/before-time'],
  })
  const broken = rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
  t.ok(broken.includes('client:expiry-before-time'), broken.join())
})
