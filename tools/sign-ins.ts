/**
 * `npm run docs:sign-ins`: lets the clients of `tools/interop/clients/` sign in at the servers of `tools/interop/servers/`, and writes
 * `docs/sign-ins.md`. `tools/interop/setup.sh` installs them. Exit code 1: a client does not sign in at the reference
 * server; 3: something is not installed, and was skipped.
 */
import { fileURLToPath } from 'node:url'
import { groupBy } from '../spec/model/items.js'
import { measureSignIns, REFERENCE, type SignIns } from './interop/sign-ins.js'
import { renderSignIns } from './interop/sign-ins-page.js'
import { writeIfChanged } from './write-if-changed.js'

const measured: SignIns[] = []
for await (const one of measureSignIns()) {
  measured.push(one)
  const counts = groupBy([...(one.outcomes?.values() ?? [])], (outcome) => outcome)
  const text = Array.from(counts, ([outcome, all]) => `${all.length} ${outcome}`)
  console.log(`${one.server}: ${text.join(', ') || 'skipped, not installed'}`)
}
writeIfChanged(fileURLToPath(new URL('../docs/sign-ins.md', import.meta.url)), renderSignIns(measured))
const outcomes = measured.flatMap(({ server, outcomes }) =>
  Array.from(outcomes ?? [['', 'not tried'] as const], ([client, outcome]) => ({ server, client, outcome })),
)
const failed = outcomes.filter(({ server, outcome }) => server === REFERENCE && outcome !== 'signs in')
for (const { client, outcome } of failed.filter((one) => one.outcome !== 'not tried'))
  console.error(`✗ ${client} does not sign in at the reference server: ${outcome}`)
process.exitCode = failed.some(({ outcome }) => outcome !== 'not tried')
  ? 1
  : outcomes.some(({ outcome }) => outcome === 'not tried')
    ? 3
    : 0
