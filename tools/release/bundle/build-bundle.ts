/**
 * Builds the whole command into one CommonJS file, data included: `build/token-assay.cjs`, what `action.yml` runs and what the
 * executable file holds. It needs Node and no other file. The same sources give the same bytes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const into = join(root, 'build')
/** `prove` starts the program once more as its worker, which has this path for its first argument. */
const WORKER = '/worker'
const WORKER_URL = 'new URL(`./worker${extname(import.meta.url)}`, import.meta.url)'
const entry = `
  if (process.send !== undefined && process.argv[2] === '${WORKER}') import('./prove/worker.js')
  else import('./cli/main.js')`

const oneFile: Plugin = {
  name: 'one file',
  setup({ onLoad, onResolve }) {
    // A native module cannot be in a file; Node's own argon2 is half as fast, its WebAssembly build an eighth.
    onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({
      path: join(root, 'tools/release/bundle/argon2.ts'),
    }))
    onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const contents = readFileSync(path, 'utf8')
        // The generated validators make themselves a `require`, which is there already.
        .replace('const require = createRequire(import.meta.url)\n', '')
        .replace(/readFileSync\(new URL\('([^']+)', import\.meta\.url\), 'utf8'\)/g, (_, file: string) =>
          JSON.stringify(readFileSync(join(dirname(path), file), 'utf8')),
        )
        .replace(WORKER_URL, `new URL('file://${WORKER}')`)
      if (!contents.includes('import.meta')) return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      return {
        errors: [{ text: "only readFileSync(new URL('FILE', import.meta.url), 'utf8') can be bundled" }],
      }
    })
  },
}

const { warnings, metafile } = await build({
  stdin: { contents: entry, resolveDir: root },
  absWorkingDir: root,
  outfile: join(into, 'token-assay.cjs'),
  bundle: true,
  metafile: true,
  minify: true,
  // Names are in messages.
  keepNames: true,
  plugins: [oneFile],
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
