import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { pathToFileURL } from 'node:url'

/** This program again, for a thread: its file, or source text that is evaluated. */
export function ownProgram(): { readonly code: string | URL; readonly eval: boolean } {
  // The executable file has no other file.
  if (isSea()) return { code: getAsset('token-assay.cjs', 'utf8'), eval: true }
  const [, file = ''] = process.argv
  if (extname(file) !== '.ts') return { code: file, eval: false }
  // As developers start it: `tsx` reads sources in the main thread, and in others only where it is asked to.
  const tsx = pathToFileURL(createRequire(file).resolve('tsx/esm/api').replace(/cjs$/, 'mjs')).href
  const main = pathToFileURL(file).href
  // As a URL: text that is evaluated would run without what `--import` names. It has no place in the arguments.
  const program = `process.argv.splice(1, 0, '${main}')
import { register } from '${tsx}'
register()
await import('${main}')`
  return { code: new URL(`data:text/javascript,${encodeURIComponent(program)}`), eval: false }
}
