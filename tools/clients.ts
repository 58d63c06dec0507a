/**
 * `npm run docs:clients`: runs `token-assay client` against the clients of `tools/interop/clients/`, holds each to what reading its
 * source has said, and writes `docs/clients.md`. `tools/interop/clients/install.sh` installs them. Exit code 1: one is judged
 * otherwise than expected; 3: one is not installed, and was skipped. Arguments are names of clients, for those alone: then
 * nothing is written. `--list` prints the installed ones as a file for `token-assay diff --clients`.
 */
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import {
  type Assayed,
  assayRealClient,
  CLIENTS,
  difference,
  installedClients,
} from './interop/clients/clients.js'
import { renderClients } from './interop/clients/page.js'
import { writeIfChanged } from './write-if-changed.js'

const wanted = process.argv.slice(2)
if (wanted[0] === '--list') {
  console.log(stringify({ clients: installedClients() }))
  process.exit()
}
const assayed: Assayed[] = []
for (const client of CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const one = await assayRealClient(client)
  assayed.push(one)
  console.log(`${client.name}: ${one.report?.verdict ?? `skipped, ${one.versions}`}`)
}
const differences = assayed.flatMap((one) => difference(one) ?? [])
const skipped = assayed.filter(({ report }) => report === undefined).length
for (const line of differences) console.error(`✗ ${line}`)
console.log(`${assayed.length - skipped} run, ${skipped} skipped, ${differences.length} not as expected`)
if (wanted.length === 0)
  writeIfChanged(fileURLToPath(new URL('../docs/clients.md', import.meta.url)), renderClients(assayed))
process.exitCode = differences.length > 0 ? 1 : skipped > 0 || assayed.length === 0 ? 3 : 0
