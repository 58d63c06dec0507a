import { realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'
import { realFolder } from '../shared/real-folder.js'
import { watchPaths } from '../shared/watch-paths.js'

/**
 * Calls once for each burst of changes below a folder, but for what runs write there themselves.
 * @param home folders outside are refused
 * @returns what ends it
 * @throws AssayError where there is no such folder below `home`, or the system cannot watch it
 */
export function watchFolder(home: string, folder: string, onChange: () => void): () => void {
  const root = realpathSync(home)
  const path = folder === '' ? undefined : realFolder(resolve(root, folder))
  if (path === undefined || !`${path}${sep}`.startsWith(`${root}${sep}`))
    throw new AssayError('usage', `Run on change of: expected a folder below ${root}, such as src.`)
  const watcher = watchPaths([path], {
    ignored: [join(root, 'token-assay-report')],
    onChange: () => onChange(),
  })
  return () => watcher[Symbol.dispose]()
}
