/** `npm run spec:ledger`: rewrites the `cases` lists of `spec/requirements.yaml` from what the cases expect. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssayError } from '../spec/assay-error.js'
import { coverage } from '../spec/coverage.js'
import { parseSpecification } from '../spec/load.js'
import { updateLedger } from './update-ledger.js'
import { writeIfChanged } from './write-if-changed.js'

const spec = fileURLToPath(new URL('../spec/', import.meta.url))
try {
  const ledger = join(spec, 'requirements.yaml')
  writeIfChanged(ledger, updateLedger(readFileSync(ledger, 'utf8'), coverage(parseSpecification(spec).cases)))
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
