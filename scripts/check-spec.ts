/** `npm run check:spec`: fails on anything that `spec/check.ts` finds, with its place. */
import { fileURLToPath } from 'node:url'
import { AssayError } from '../spec/assay-error.js'
import { checkSpecification } from '../spec/check.js'
import { formatFinding } from '../spec/position.js'
import { readSpecificationFiles } from '../spec/specification-files.js'

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
