/** `npm run docs:differential`: compares the servers of `tools/interop/` and writes `docs/differential.md`. */
import { fileURLToPath } from 'node:url'
import { COMPARISONS } from './interop/differences.js'
import { type Compared, renderDifferences } from './interop/differences-page.js'
import { writeIfChanged } from './write-if-changed.js'

const compared: Compared[] = []
for (const comparison of COMPARISONS) compared.push({ comparison, report: await comparison.run() })
// A server shows where it is installed, word by word.
const root = fileURLToPath(new URL('..', import.meta.url))
  .replaceAll('/', ' / ')
  .trim()
writeIfChanged(
  fileURLToPath(new URL('../docs/differential.md', import.meta.url)),
  renderDifferences(compared).replaceAll(root, '…'),
)
