import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'

export interface WatchPathsOptions {
  /** Files and folders whose changes do not count, such as what the run itself writes. */
  readonly ignored: readonly string[]
  /** Called once a burst of changes is over, with a path that changed. */
  readonly onChange: (path: string) => void
}

/** A build writes many files, an editor one in several steps: one burst ends where nothing has changed for so long. */
const QUIET_MS = 150
const MAX_FOLDERS = 5000
/** What no source is: packages, version control, and the temporary files of editors and of our own. */
const NOT_SOURCE = /^(?:node_modules|\.git|4913|\.#.*|.*~|\..*\.sw[a-z]|\.token-assay-.*\.tmp)$/

/**
 * Watches files, and folders with all that is in them, until it is disposed of. It has a watcher for each folder, as Node's own
 * recursive one would watch `node_modules` too.
 * @throws AssayError `usage` for a path that is not there, or more than the system can watch
 */
export function watchPaths(
  paths: readonly string[],
  { ignored, onChange }: WatchPathsOptions,
): Disposable & { readonly files: number } {
  const watchers = new Map<string, FSWatcher>()
  const skipped = ignored.map(realPath)
  let timer: NodeJS.Timeout | undefined

  const isIgnored = (path: string): boolean =>
    NOT_SOURCE.test(basename(path)) ||
    skipped.some((skip) => path === skip || path.startsWith(`${skip}${sep}`) || path.startsWith(`${skip}.`))

  const changed = (path: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => onChange(path), QUIET_MS)
  }
  const forget = (folder: string): void => {
    for (const [path, watcher] of watchers)
      if (path === folder || path.startsWith(`${folder}${sep}`)) {
        watcher.close()
        watchers.delete(path)
      }
  }
  /** @param only the one name that counts there */
  const watchFolder = (folder: string, only?: string): void => {
    const key = only === undefined ? folder : join(folder, only)
    if (watchers.has(key)) return
    if (watchers.size >= MAX_FOLDERS)
      throw new AssayError('usage', `--watch finds more than ${MAX_FOLDERS} folders: name those that matter`)
    const watcher = watch(folder, (_, name) => {
      if (only !== undefined && name !== only) return
      const path = name === null ? folder : join(folder, name)
      if (isIgnored(path)) return
      if (only === undefined && isFolder(path)) tryFolder(path)
      else if (!isThere(path)) forget(path)
      changed(path)
    })
    // A folder that is removed: the one that it was in says so.
    watcher.on('error', () => forget(key))
    watchers.set(key, watcher)
    if (only !== undefined) return
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !isIgnored(join(folder, entry.name))) watchFolder(join(folder, entry.name))
  }
  const tryFolder = (folder: string): void => {
    try {
      // It may be another one of the same name.
      forget(folder)
      watchFolder(folder)
    } catch {
      // It is gone again, or there are too many: the rest is still watched.
    }
  }
  const close = (): void => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
  try {
    for (const path of paths) {
      if (!isThere(path)) throw new AssayError('usage', `--watch ${path}: there is no such file or folder`)
      const real = realpathSync(path)
      // An editor may put a new file in the place of the old one, which a watcher of the file would not see.
      if (isFolder(real)) watchFolder(real)
      else watchFolder(dirname(real), basename(real))
    }
  } catch (error) {
    close()
    throw asMisuse(error)
  }
  return { files: watchers.size, [Symbol.dispose]: close }
}

function asMisuse(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EMFILE') return error
  return new AssayError(
    'usage',
    '--watch: the system cannot watch so many folders (on Linux: fs.inotify.max_user_watches)',
    {
      cause: error,
    },
  )
}

/** Of a path that need not be there yet. */
function realPath(path: string): string {
  const folder = dirname(resolve(path))
  return join(isThere(folder) ? realpathSync(folder) : folder, basename(path))
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
