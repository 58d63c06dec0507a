import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url).href
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/token-assay/', import.meta.url))

/** @param {string} url */
const isOurs = (url) => url.startsWith(ROOT) && !url.includes('/node_modules/')

/** An import of `./x.js` means `./x.ts` where there is one. */
export function resolve(specifier, context, next) {
  const { parentURL = '' } = context
  if (/^(?:\.|file:).*\.m?js$/.test(specifier) && isOurs(parentURL)) {
    const { href } = new URL(specifier.replace(/js$/, 'ts'), parentURL)
    if (isOurs(href) && modified(fileURLToPath(href)) !== undefined)
      return { url: href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!isOurs(url) || !/\.m?ts$/.test(url)) return next(url, context)
  return { format: 'module', source: await compiled(url), shortCircuit: true }
}

/** From the cache when the file there is of the same time as the source. */
async function compiled(url) {
  const source = fileURLToPath(url)
  const cached = `${COMPILED}${url.slice(ROOT.length)}.js`
  const at = modified(source)
  if (at !== undefined && modified(cached) === at) return readFileSync(cached, 'utf8')
  const { transformSync } = await import('esbuild')
  const { code } = transformSync(readFileSync(source, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    sourcefile: source,
  })
  // Whole or not at all: other processes read it.
  const partial = `${cached}.${process.pid}`
  mkdirSync(dirname(cached), { recursive: true })
  writeFileSync(partial, code)
  if (at !== undefined) utimesSync(partial, at, at)
  renameSync(partial, cached)
  return code
}

/** In whole seconds and their fraction, as `utimes` takes it; undefined where there is no such file. */
function modified(file) {
  const time = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return time === undefined ? undefined : Math.floor(time) / 1000
}
