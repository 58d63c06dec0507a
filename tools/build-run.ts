/**
 * Builds `run` into one file, `run.cjs`, which the module of that name in `dist/` requires: a start reads one file in place of
 * two hundred, and Node loads CommonJS with less work. What checks data against schemas stays apart: it is half as large again,
 * and few runs need more of it than the target's. Of the packages undici's client alone is in it.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const into = join(root, 'dist/cli/run')
const UNDICI = 'undici/lib/dispatcher/client.js'
const validators = new Set<string>()

const sources: Plugin = {
  name: 'sources',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path === UNDICI ? undefined : { path, external: true }))
    onResolve({ filter: /\/validators\/[\w-]+\.js$/ }, ({ path, kind, resolveDir }) => {
      if (kind === 'entry-point') return undefined
      validators.add(join(resolveDir, path))
      return { path: `./validators/${basename(path, '.js')}.cjs`, external: true }
    })
    onLoad({ filter: /dist\/.*\.js$/ }, ({ path }) => {
      const file = JSON.stringify(relative(into, path))
      const contents = readFileSync(path, 'utf8')
        // The generated validators make themselves a `require`, which is there already.
        .replace('const require = createRequire(import.meta.url)\n', '')
        // The URL of the file as it is in `dist/`, beside the same data.
        .replaceAll(
          'import.meta.url',
          `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${file})).href`,
        )
      return { contents, loader: 'js' }
    })
    // HTTP/2 is not spoken: each connection offers HTTP/1.1 alone.
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: 'module.exports = undefined',
    }))
  },
}

async function bundle(entryPoints: string[], outdir: string): Promise<void> {
  const { warnings } = await build({
    entryPoints,
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    plugins: [sources],
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    legalComments: 'none',
    logLevel: 'warning',
  })
  if (warnings.length > 0) process.exitCode = 1
}

await bundle([join(into, 'run.js')], into)
await bundle([...validators], join(into, 'validators'))
const load =
  "import { createRequire } from 'node:module'\n\nexport const { runCommand } = createRequire(import.meta.url)"
writeFileSync(join(into, 'run.js'), `${load}('./run.cjs')\n`)
const license = join(dirname(fileURLToPath(import.meta.resolve('undici'))), 'LICENSE')
copyFileSync(license, join(into, 'LICENSE.undici'))
