import { realpathSync, statSync, watch } from 'node:fs'
import { resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'

/** Editors write a file in several steps. */
const QUIET_MS = 300
/** What runs write themselves, and what no one edits. */
const IGNORED = /(?:^|[/\\])(?:token-assay-report|node_modules|\.git)(?:[/\\]|$)/

/**
 * Calls once for each burst of changes below a folder.
 * @param home folders outside are refused
 * @returns what ends it
 * @throws AssayError where there is no such folder below `home`, or the system cannot watch it
 */
export function watchFolder(home: string, folder: string, onChange: () => void): () => void {
  const root = realpathSync(home)
  const path = resolve(root, folder)
  if (folder === '' || !isFolder(path) || !`${realpathSync(path)}${sep}`.startsWith(`${root}${sep}`))
    throw new AssayError('usage', `Run on change of: expected a folder below ${root}, such as src.`)
  let timer: NodeJS.Timeout | undefined
  try {
    const watcher = watch(path, { recursive: true }, (_event, file) => {
      if (IGNORED.test(file ?? '')) return
      clearTimeout(timer)
      timer = setTimeout(onChange, QUIET_MS)
    })
    // A folder that is removed ends the watching, and no more.
    watcher.on('error', () => watcher.close())
    return () => {
      clearTimeout(timer)
      watcher.close()
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('usage', `${folder} cannot be watched: ${why}`, { cause })
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
