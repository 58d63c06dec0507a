/**
 * Writes what is made from the sources at build time: in `spec/generated` a validator and the types of each schema, and
 * the parsed specification, its groups and its explanations as JSON; in `cli/export/generated` the code of a k6 script;
 * beside each page its browser code as text.
 * Folders given as arguments get a copy of it all but the types: `tsx tools/generate.ts dist`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssayError } from '../spec/model/assay-error.js'
import { groupBy } from '../spec/model/items.js'
import { bundleJudge, K6_BUNDLE } from './bundle-judge.js'
import { bundlePages } from './bundle-pages.js'
import { compileSchemas } from './compile-schemas.js'
import { writeIfChanged } from './write-if-changed.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const spec = join(root, 'spec')
/** What servers of others break is in it, as it was last seen. */
const INTEROP = 'docs/interop.md'
const folders = [root, ...process.argv.slice(2)]

function write(path: string, text: string): void {
  // Compiled with the rest of the source.
  const into = path.endsWith('.ts') ? [root] : folders
  for (const folder of into) writeIfChanged(join(folder, path), text)
}

for (const { file, text } of compileSchemas(join(spec, 'schemas'))) write(`spec/generated/${file}`, text)

for (const { path, text } of await bundlePages()) write(path, text)

write(K6_BUNDLE, await bundleJudge())

try {
  // The loader imports the validators that the lines above have just written.
  const { assemble } = await import('../spec/load/load.js')
  const { readClientRequirements, readSpecificationFiles } = await import(
    '../spec/load/specification-files.js'
  )
  const files = readSpecificationFiles(spec)
  write('spec/generated/specification.json', `${JSON.stringify(assemble(files))}\n`)
  // What cases of a user's own may take as `{ all: group }`.
  const clients = readClientRequirements(spec)
  write('spec/generated/client-requirements.json', `${JSON.stringify(clients)}\n`)
  write('spec/generated/groups.json', `${JSON.stringify(files.groups.value)}\n`)
  const { readExplanations } = await import('../spec/load/explanations.js')
  const { faultsOf } = await import('./interop/read-page.js')
  const faults = faultsOf(readFileSync(join(root, INTEROP), 'utf8'))
  const { rules, mendings } = readExplanations(spec).value
  const explained = rules.map((row) => {
    const found = groupBy(
      faults.filter(({ rule }) => rule === row.rule),
      ({ fault }) => fault,
    )
    const servers = Array.from(found, ([fault, all]) => ({
      in: all.map((one) => one.in).join(', '),
      fault,
      source: INTEROP,
    }))
    const seen = [...(row.seen ?? []), ...servers]
    return seen.length === 0 ? row : { ...row, seen }
  })
  write('spec/generated/explanations.json', `${JSON.stringify({ rules: explained, mendings })}\n`)
  const { readShipped } = await import('../spec/check/read-shipped.js')
  const { GENERATORS } = await import('../conformance/generators/index.js')
  write(
    'spec/generated/advice.json',
    `${JSON.stringify(await readShipped(spec, assemble(files), GENERATORS.keys()))}\n`,
  )
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
