import { fileURLToPath } from 'node:url'
import t from 'tap'
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

for (const [command, file] of [
  [process.execPath, 'session.mjs'],
  ['/usr/bin/python3', 'session.py'],
] as const)
  for (const [fault, [own, others]] of Object.entries(FAULTS))
    t.test(`${file}, ${fault || 'which keeps the contract'}`, async (t) => {
      const client = commandClient(command, [fileURLToPath(new URL(file, FOLDER)), fault], 60_000)
      const options = { seed: 1, longRunning: true, only: ['client:expiry/*'] }
      const { rules } = await assessClient(client, options)
      const broken = rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
      t.strictSame(
        broken.filter((rule) => !others.includes(rule)),
        own,
      )
      if (fault === '')
        t.strictSame(
          rules.filter(({ outcome }) => outcome === 'cantTell'),
          [],
        )
    })
