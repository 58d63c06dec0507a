/**
 * Builds the CommonJS half of the package from the ESM in `dist/`: `dist/cjs/NAME.cjs` and its types, NAME.d.cts. The engine
 * is in `index.cjs` alone, and the adapters of test runners require it from there, so that it is loaded once.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const into = join(dist, 'cjs')
/** The entries of the package that may be required, and their modules. vitest itself cannot be required. */
const entries = {
  index: 'index',
  tap: 'conformance/runners/tap',
  'node-test': 'conformance/runners/node-test',
  mocha: 'conformance/runners/mocha',
}
/** The exported classes, which are types too. */
const classes: Readonly<Record<string, string>> = {
  AssayError: 'export type AssayError<Code extends string = esm.AssayErrorCode> = esm.AssayError<Code>\n',
  ControlError: 'export type ControlError = esm.ControlError\n',
}

/** An adapter uses the library that `require('token-assay')` gives. */
const oneLibrary: Plugin = {
  name: 'one library',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(?:assess|assay-error)\.js$/ }, () => ({ path: './index.cjs', external: true })),
}

for (const [name, module] of Object.entries(entries)) {
  const { warnings } = await build({
    entryPoints: [join(dist, `${module}.js`)],
    outfile: join(into, `${name}.cjs`),
    bundle: true,
    packages: 'external',
    plugins: name === 'index' ? [] : [oneLibrary],
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    // Where a module is loaded on demand, it is required: jest runs tests in contexts that have no `import()`.
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    logLevel: 'warning',
  })
  if (warnings.length > 0) process.exitCode = 1
}

const load = createRequire(import.meta.url)
for (const [name, module] of Object.entries(entries)) {
  const exported = Object.keys(load(join(into, `${name}.cjs`)))
  writeFileSync(join(into, `${name}.d.cts`), typesOf(relative(into, join(dist, `${module}.js`)), exported))
}

/** One declaration of each type for both halves, so that a value of one fits where the other's is expected. */
function typesOf(esm: string, exported: readonly string[]): string {
  const from = `'${esm}' with { 'resolution-mode': 'import' }`
  const values = exported.map(
    (name) => `export declare const ${name}: typeof esm.${name}\n${classes[name] ?? ''}`,
  )
  return `import type * as esm from ${from}\nexport type * from ${from}\n${values.join('')}`
}
