import t from 'tap'
import { CLIENT_SITES, mutateClients, TIME_OUT_MS } from '../../../prove/suite/clients/mutate-clients.js'
import { clientWith, FAULTS } from '../../../prove/suite/clients/sign-in-faults.js'
import { clientSuite } from '../../../spec/load/client-suite.js'
import { inParallel } from '../../../spec/model/items.js'
import type { Report } from '../../../spec/model/report.js'
import { everyNth, seeds } from '../../../tests/fixtures/effort.js'
import { assayClient } from './assay-client.js'

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

for (const [fault, { breaks: expected, ...changes }] of everyNth(Object.entries(FAULTS), 6))
  t.test(`a client that ${fault} breaks these rules and no other`, async (t) => {
    // All else it has met above; with the scenarios that break it, which the search leaves out.
    const breaking = clientSuite().scenarios.filter(({ rules }) =>
      rules.some((rule) => expected.includes(rule)),
    )
    const only = [...breaking.map(({ id }) => id), clientSuite().search.id]
    const reports = await inParallel(seeds(1), 4, (seed) =>
      assayClient(clientWith(changes), { seed, runs: seed === 1 ? 5 : 2, only, timeoutMs: TIME_OUT_MS }),
    )
    t.strictSame(reports.map(failedRules), Array(reports.length).fill(expected))
  })
