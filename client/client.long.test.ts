import t from 'tap'
import { CLIENT_SITES, mutateClients } from '../prove/suite/clients/mutate-clients.js'
import { clientWith, FAULTS } from '../prove/suite/clients/sign-in-faults.js'
import { inParallel } from '../spec/model/items.js'
import type { Report } from '../spec/model/report.js'
import { seeds } from '../tests/fixtures/effort.js'
import { assayClient } from './assay-client.js'
import { SEARCH } from './search.js'

/** After the first, of which all scenarios are played: no other scenario depends on the seed. */
const SEEDS = seeds(2).slice(1)

const failedRules = ({ rules }: Report) =>
  rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))

// Each decision on clients is needed: one of these tells when it is made otherwise.
t.test('every planted client is judged by its rules alone, and every rule by a planted client', async (t) => {
  const lines: string[] = []
  const results = await mutateClients(CLIENT_SITES, 4, (line) => lines.push(line))
  t.strictSame(lines, [])
  t.strictSame(
    results.filter(({ noticedBy }) => noticedBy === undefined),
    [],
  )
})

for (const [fault, [changes, expected]] of Object.entries(FAULTS))
  t.test(`a client that ${fault} breaks these rules and no other`, async (t) => {
    const client = clientWith(changes)
    t.strictSame(failedRules(await assayClient(client, { seed: 1, runs: 5 })), expected)
    // With the scenarios that break it, which the search leaves out.
    const only = [...expected, SEARCH.id]
    const reports = await inParallel(SEEDS, 4, (seed) => assayClient(client, { seed, runs: 2, only }))
    t.strictSame(reports.map(failedRules), Array(SEEDS.length).fill(expected))
  })
