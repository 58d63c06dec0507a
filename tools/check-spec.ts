/** `npm run check:spec`: fails on anything that `spec/check` finds, with its place. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GENERATORS } from '../conformance/generators/index.js'
import { checkSpecification } from '../spec/check/check.js'
import { checkClientSuite } from '../spec/check/check-client-suite.js'
import { checkExplanations } from '../spec/check/check-explanations.js'
import { readShipped } from '../spec/check/read-shipped.js'
import { readClientSuite } from '../spec/load/client-suite-files.js'
import { readExplanations } from '../spec/load/explanations.js'
import { assemble } from '../spec/load/load.js'
import { formatFinding } from '../spec/load/position.js'
import { readSpecificationFiles } from '../spec/load/specification-files.js'
import { AssayError } from '../spec/model/assay-error.js'
import { missingSet } from './freeze-requirements.js'

const spec = fileURLToPath(new URL('../spec/', import.meta.url))
try {
  const files = readSpecificationFiles(spec)
  const specification = assemble(files)
  const findings = [
    ...checkSpecification(files),
    ...checkExplanations(readExplanations(spec), specification.requirements),
  ]
  for (const finding of findings) console.error(formatFinding(finding))
  const clients = checkClientSuite(readClientSuite(spec))
  for (const problem of clients) console.error(problem)
  const { profiles, sets } = readShipped(spec, specification, GENERATORS.keys())
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const missing = missingSet(version, Object.keys(sets))
  if (missing !== undefined) console.error(missing)
  if (findings.length + clients.length > 0 || missing !== undefined) process.exitCode = 1
  else
    console.log(
      `spec: ${files.requirements.value.requirements.length} rules accounted for, ${Object.keys(profiles).length} profiles`,
    )
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
