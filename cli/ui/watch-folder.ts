import { realpathSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'
import { watchPaths } from '../shared/watch-paths.js'

/**
 * Calls once for each burst of changes below a folder, but for what runs write there themselves.
 * @param home folders outside are refused
 * @returns what ends it
 * @throws AssayError where there is no such folder below `home`, or the system cannot watch it
 */
export function watchFolder(home: string, folder: string, onChange: () => void): () => void {
  const root = realpathSync(home)
  const path = resolve(root, folder)
  if (folder === '' || !isFolder(path) || !`${realpathSync(path)}${sep}`.startsWith(`${root}${sep}`))
    throw new AssayError('usage', `Run on change of: expected a folder below ${root}, such as src.`)
  const watcher = watchPaths([path], {
    ignored: [join(root, 'token-assay-report')],
    onChange: () => onChange(),
  })
  return () => watcher[Symbol.dispose]()
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
