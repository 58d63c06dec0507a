/**
 * Builds `run` into few files, in the place of the module of that name in `dist/`: a start reads a dozen files in place of
 * two hundred. Of the packages undici's client alone is in them; the library, and all other commands, stay modules.
 */
import { copyFileSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const into = join(root, 'dist/cli/run')
const UNDICI = 'undici/lib/dispatcher/client.js'

/** What few runs need stays a file of its own; what else is loaded on demand is in the file that asks for it. */
const APART =
  /(?:forall|generators\/index|account-sequences|embedded-servers|target-file|extra-cases|positioned|control-server|self-signed|waivers|last-failed|watch|embedded-deployments)\.js$/

const sources: Plugin = {
  name: 'sources',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path === UNDICI ? undefined : { path, external: true }))
    onLoad({ filter: /dist\/.*\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
        // The URL of the file as it is in `dist/`, beside the same data.
        .replaceAll(
          'import.meta.url',
          `new URL(${JSON.stringify(relative(into, path))}, import.meta.url).href`,
        )
        .replace(/\bimport\('(\.[^']+)'\)/g, (asked, module: string) =>
          APART.test(module) ? asked : `Promise.resolve().then(() => require('${module}'))`,
        )
      return { contents, loader: 'js' }
    })
    // HTTP/2 is not spoken: each connection offers HTTP/1.1 alone.
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: 'module.exports = undefined',
    }))
  },
}

const { warnings } = await build({
  entryPoints: [join(into, 'run.js')],
  outdir: into,
  chunkNames: 'part-[hash]',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  plugins: [sources],
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  // undici requires what Node has.
  banner: {
    js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
})
if (warnings.length > 0) process.exitCode = 1
const license = join(dirname(fileURLToPath(import.meta.resolve('undici'))), 'LICENSE')
copyFileSync(license, join(into, 'LICENSE.undici'))
