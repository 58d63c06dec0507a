/**
 * `npm run docs:interop`: runs the suite against the servers of `tools/interop/`, holds each to what reading its source has said, and
 * writes `docs/interop.md`. `tools/interop/setup.sh` installs them. Exit code 1: one is judged otherwise than expected; 3: one is not
 * installed, and was skipped. Arguments are names of servers, for those alone: then nothing is written, and what the
 * page would say of them is printed.
 */
import { fileURLToPath } from 'node:url'
import { type Assessed, assessImplementation, differences } from './interop/assess-implementation.js'
import { renderPage, renderSection } from './interop/page.js'
import { SERVERS } from './interop/servers/servers.js'
import { writeIfChanged } from './write-if-changed.js'

const wanted = process.argv.slice(2)
const assessed: Assessed[] = []
let unexpected = 0
for (const implementation of SERVERS) {
  if (wanted.length > 0 && !wanted.includes(implementation.name)) continue
  const one = await assessImplementation(implementation)
  assessed.push(one)
  console.log(`${implementation.name}: ${one.report?.verdict ?? `skipped, ${one.versions}`}`)
  const lines = one.report === undefined ? [] : differences(implementation, one.report)
  for (const line of lines) console.error(`✗ ${implementation.name}: ${line}`)
  unexpected += lines.length
}
const skipped = assessed.filter(({ report }) => report === undefined).length
console.log(`${assessed.length - skipped} run, ${skipped} skipped, ${unexpected} not as expected`)
if (wanted.length > 0) console.log(assessed.map(renderSection).join('\n'))
else writeIfChanged(fileURLToPath(new URL('../docs/interop.md', import.meta.url)), renderPage(assessed))
process.exitCode = unexpected > 0 ? 1 : skipped > 0 || assessed.length === 0 ? 3 : 0
