/**
 * Writes `spec/generated`: the compiled validators, and the parsed specification and its groups as JSON.
 * Folders given as arguments get a copy each: `tsx scripts/generate.ts dist/spec/generated`.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssayError } from '../spec/assay-error.js'
import { compileSchemas } from './compile-schemas.js'
import { writeIfChanged } from './write-if-changed.js'

const spec = fileURLToPath(new URL('../spec/', import.meta.url))
const folders = [join(spec, 'generated'), ...process.argv.slice(2)]

function write(name: string, text: string): void {
  for (const folder of folders) writeIfChanged(join(folder, name), text)
}

for (const { file, code, types } of compileSchemas(join(spec, 'schemas'))) {
  write(`${file}.js`, code)
  write(`${file}.d.ts`, types)
}

try {
  // The loader imports the validators that the lines above have just written.
  const { assemble } = await import('../spec/load.js')
  const { readSpecificationFiles } = await import('../spec/specification-files.js')
  const files = readSpecificationFiles(spec)
  write('specification.json', `${JSON.stringify(assemble(files))}\n`)
  // What cases of a user's own may take as `{ all: group }`.
  write('groups.json', `${JSON.stringify(files.groups.value)}\n`)
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
