/** `npm run check:spec`: fails on anything that `spec/check/check.ts` finds, with its place. */
import { fileURLToPath } from 'node:url'
import { checkSpecification } from '../spec/check/check.js'
import { formatFinding } from '../spec/load/position.js'
import { readSpecificationFiles } from '../spec/load/specification-files.js'
import { AssayError } from '../spec/model/assay-error.js'

const spec = fileURLToPath(new URL('../spec/', import.meta.url))
try {
  const files = readSpecificationFiles(spec)
  const findings = checkSpecification(files)
  for (const finding of findings) console.error(formatFinding(finding))
  if (findings.length > 0) process.exitCode = 1
  else console.log(`spec: ${files.requirements.value.requirements.length} rules accounted for`)
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
