import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { pathToFileURL } from 'node:url'

/** This program again, for a thread: its file, or source text that is evaluated. */
export function ownProgram(): { readonly code: string; readonly eval: boolean } {
  // The executable file has no other file.
  if (isSea()) return { code: getAsset('token-assay.cjs', 'utf8'), eval: true }
  const [, file = ''] = process.argv
  if (extname(file) !== '.ts') return { code: file, eval: false }
  // As developers start it: `tsx` reads sources in the main thread, and in others only where it is asked to.
  const tsx = pathToFileURL(createRequire(file).resolve('tsx/esm/api').replace(/cjs$/, 'mjs')).href
  const main = pathToFileURL(file).href
  const program = `import('${tsx}').then(({ register }) => (register(), import('${main}')))`
  return { code: program, eval: true }
}
