/**
 * Writes what is made from the sources at build time: in `spec/generated` a validator and the types of each schema, and
 * the parsed specification, its groups and its explanations; in `cli/export/generated` the code of a k6 script; beside
 * each page its browser code. All are modules, so that a bundle of the command has them in itself.
 * Folders given as arguments get a copy of it all but the types: `tsx tools/generate.ts dist`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssayError } from '../spec/model/assay-error.js'
import { groupBy } from '../spec/model/items.js'
import { bundleJudge } from './bundle-judge.js'
import { bundlePages } from './bundle-pages.js'
import { compileSchemas } from './compile-schemas.js'
import { writeIfChanged } from './write-if-changed.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const spec = join(root, 'spec')
/** The rules that servers of others break, as last seen. */
const INTEROP = 'docs/interop.md'
const folders = [root, ...process.argv.slice(2)]

function write(path: string, text: string): void {
  // Compiled with the rest of the source.
  const into = /(?<!\.d)\.ts$/.test(path) ? [root] : folders
  for (const folder of into) writeIfChanged(join(folder, path), text)
}

for (const { file, text } of compileSchemas(join(spec, 'schemas'))) write(`spec/generated/${file}`, text)

for (const { path, text } of await bundlePages()) write(path, text)

/** @param from the module that declares the type of the value, from `spec/generated` */
function writeData(file: string, name: string, value: unknown, type: string, from: string): void {
  const text = JSON.stringify(JSON.stringify(value))
  write(`spec/generated/${file}.js`, `export const ${name} = JSON.parse(${text})\n`)
  const imported = `import type { ${type.replace(/^readonly |\[\]$/g, '')} } from '${from}'`
  write(`spec/generated/${file}.d.ts`, `${imported}\n\nexport declare const ${name}: ${type}\n`)
}

const runtime = 'cli/export/generated/k6-runtime'
write(`${runtime}.js`, `export const k6Runtime = ${JSON.stringify(await bundleJudge())}\n`)
write(`${runtime}.d.ts`, 'export declare const k6Runtime: string\n')

try {
  // The loader imports the validators that the lines above have just written.
  const { assemble } = await import('../spec/load/load.js')
  const { readSpecificationFiles } = await import('../spec/load/specification-files.js')
  const { readClientSuite } = await import('../spec/load/client-suite-files.js')
  const files = readSpecificationFiles(spec)
  const model = '../model/specification.js'
  writeData('specification', 'specification', assemble(files), 'Specification', model)
  // What cases of a user's own may take as `{ all: group }`.
  const clients = '../model/client-suite.js'
  writeData('client-suite', 'clientSuiteData', readClientSuite(spec), 'ClientSuite', clients)
  writeData('groups', 'groups', files.groups.value, 'WrittenGroups', '../load/written-case.js')
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
  const explanations = { rules: explained, mendings }
  writeData('explanations', 'explanations', explanations, 'Explanations', './types/explanations.js')
  const { readShipped } = await import('../spec/check/read-shipped.js')
  const { GENERATORS } = await import('../conformance/generators/index.js')
  const shipped = readShipped(spec, assemble(files), GENERATORS.keys())
  writeData('advice', 'advice', shipped, 'Shipped', '../load/advice.js')
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
