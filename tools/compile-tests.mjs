/**
 * Compiles all sources and tests once, each file by itself, to the same place below `.compiled/`. There tap runs them without
 * tsx: each of the hundreds of processes of a test run would start a loader, and ask it for each of its modules.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMPILED = join(ROOT, '.compiled')
const FOLDERS = [
  'spec',
  'reference',
  'conformance',
  'reports',
  'pages',
  'prove',
  'cli',
  'tools',
  'tests',
  'adapters',
]
const FILES = ['index.ts', 'index.test.ts']
/** The others are read from where they are. */
const MODULES = /(?<!\.d)\.ts$|\.m?js$|\.json$/
/** What starts a neighbour of its own kind is to find it compiled. */
const KEEPS_PLACE = /extname\(import\.meta\.url\)/

async function compile(file) {
  const [source, from] = [await readFile(join(ROOT, file), 'utf8'), pathToFileURL(join(ROOT, file)).href]
  const to = join(COMPILED, file.replace(/\.ts$/, '.js'))
  await mkdir(dirname(to), { recursive: true })
  await writeFile(to, extname(file) === '.json' ? source : await codeOf(source, from))
}

/** Finds what it reads beside the source. */
async function codeOf(source, from) {
  const define = KEEPS_PLACE.test(source) ? {} : { 'import.meta.url': JSON.stringify(from) }
  const loader = extname(from) === '.ts' ? 'ts' : 'js'
  const { code } = await transform(source, {
    loader,
    format: 'esm',
    target: 'node20',
    define,
    sourcefile: from,
  })
  return code
}

await rm(COMPILED, { recursive: true, force: true })
const found = await Promise.all(
  FOLDERS.map(async (folder) => {
    const names = await readdir(join(ROOT, folder), { recursive: true })
    return names.map((name) => join(folder, name))
  }),
)
const modules = [...FILES, ...found.flat()].filter(
  (file) => MODULES.test(file) && !file.includes('node_modules'),
)
await Promise.all(modules.map(compile))
