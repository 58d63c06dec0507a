/**
 * Builds the whole command into one CommonJS file, data included: `build/token-assay.cjs`, what `action.yml` runs and what the
 * executable file holds. It needs Node and no other file. The same sources give the same bytes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const into = join(root, 'build')
/** Where the file believes its modules to be: `prove` starts the program again as its worker, by the path of that module. */
const URL_IN_FILE = 'file:///token-assay/main.js'
const entry = `
  if (process.send !== undefined && process.argv[2] === '/token-assay/worker.js') import('./prove/jobs/worker.js')
  else import('./cli/main.js')`

const { warnings, metafile } = await build({
  stdin: { contents: entry, resolveDir: root },
  absWorkingDir: root,
  outfile: join(into, 'token-assay.cjs'),
  bundle: true,
  metafile: true,
  minify: true,
  // Names are in messages.
  keepNames: true,
  // A native module cannot be in a file; Node's own argon2 is half as fast, its WebAssembly build an eighth.
  alias: { '@node-rs/argon2': join(root, 'tools/release/bundle/argon2.ts') },
  define: { 'import.meta.url': JSON.stringify(URL_IN_FILE) },
  format: 'cjs',
  platform: 'node',
  target: 'node20.18',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
})
if (warnings.length > 0) process.exitCode = 1

/** The packages whose code is in the file. */
const packages = Object.keys(metafile.inputs).flatMap(
  (input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
)
const texts = [...new Set(packages)].toSorted().map((folder) => {
  const { name, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const file = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file))
  return `${name}: ${license}\n\n${file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8')}`
})
writeFileSync(join(into, 'LICENSES'), [readFileSync(join(root, 'LICENSE'), 'utf8'), ...texts].join('\n\n'))
