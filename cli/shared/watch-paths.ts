import {
  accessSync,
  constants,
  type FSWatcher,
  fstatSync,
  readdirSync,
  realpathSync,
  statSync,
  watch,
} from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'

export interface WatchPathsOptions {
  /** Files and folders whose changes do not count, such as what the run itself writes; by number, the file of a descriptor. */
  readonly ignored: readonly (string | number)[]
  /** Called once a burst of changes is over, with a path that changed. */
  readonly onChange: (path: string) => void
}

/** A build writes many files, an editor one in several steps: one burst ends where nothing has changed for so long. */
const QUIET_MS = 150
const MAX_FOLDERS = 5000
/** What no source is: packages, version control, and the temporary files of editors and of our own. */
const NOT_SOURCE = /^(?:node_modules|\.git|4913|\.#.*|.*~|\..*\.sw[a-z]|\.token-assay-.*\.tmp)$/

/**
 * Watches files, and folders with all that is in them, until it is disposed of.
 * @throws AssayError `usage` for a path that is not there, or more than the system can watch
 */
export function watchPaths(paths: readonly string[], options: WatchPathsOptions): Disposable {
  const watcher = new PathWatcher(options)
  try {
    for (const path of paths) watcher.add(path)
    return watcher
  } catch (error) {
    watcher[Symbol.dispose]()
    throw asMisuse(error)
  }
}

/** It has a watcher for each folder: Node's own recursive one would watch `node_modules` too, chokidar each file. */
class PathWatcher implements Disposable {
  /** By folder. */
  readonly #watchers = new Map<string, FSWatcher>()
  /** By entry and what is watched: of folders that it is in. */
  readonly #entries = new Map<string, FSWatcher>()
  /** Of what is above it, nothing is watched: that may be the whole machine. */
  readonly #home = `${realpathSync('.')}${sep}`
  readonly #ignored: readonly string[]
  readonly #open: readonly number[]
  readonly #onChange: (path: string) => void
  #timer: NodeJS.Timeout | undefined

  constructor({ ignored, onChange }: WatchPathsOptions) {
    this.#ignored = ignored.flatMap((one) => (typeof one === 'string' ? realPath(one) : []))
    this.#open = ignored.flatMap((one) => (typeof one === 'number' ? one : []))
    this.#onChange = onChange
  }

  add(path: string): void {
    if (!isThere(path)) throw new AssayError('usage', `--watch ${path}: there is no such file or folder`)
    const real = realpathSync(path)
    if (isFolder(real)) this.#watchFolder(real)
    else accessSync(dirname(real), constants.R_OK)
    // A link may be set to another folder, as `current` is at each deployment.
    for (const root of new Set([real, resolve(path)])) this.#watchEntries(root)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    for (const watcher of [...this.#watchers.values(), ...this.#entries.values()]) watcher.close()
  }

  /**
   * An editor puts a new file in the place of the old one, and a build a new folder, also of one above, as `target` is of
   * `target/classes`: a watcher of what was removed sees nothing of it. So the folders that they are in are watched.
   */
  #watchEntries(root: string): void {
    for (let entry = root; entry === root || entry.startsWith(this.#home); entry = dirname(entry)) {
      const key = `${entry} of ${root}`
      this.#entries.get(key)?.close()
      // Then what is in the folder is watched alone, or there will be another one.
      if (!isReadable(dirname(entry))) continue
      const watcher = watch(dirname(entry), (event, name) => {
        // On Windows, a folder changes with what is in it, also with what does not count.
        if (name !== basename(entry) || (event !== 'rename' && isFolder(entry))) return
        if (entry !== root) this.#tryTo(() => this.#watchEntries(root))
        this.#changed(root)
      })
      watcher.on('error', () => watcher.close())
      this.#entries.set(key, watcher)
    }
  }

  #watchFolder(folder: string): void {
    if (this.#watchers.has(folder)) return
    if (this.#watchers.size >= MAX_FOLDERS)
      throw new AssayError('usage', `--watch finds more than ${MAX_FOLDERS} folders: name those that matter`)
    const watcher = watch(folder, (_, name) => this.#changed(name === null ? folder : join(folder, name)))
    // A folder that is removed: the one that it was in reports it.
    watcher.on('error', () => this.#forget(folder))
    this.#watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !this.#isIgnored(path)) this.#watchFolder(path)
    }
  }

  #changed(path: string): void {
    if (this.#isIgnored(path)) return
    // A folder may be another one of the same name.
    if (isFolder(path) || !isThere(path)) this.#forget(path)
    if (isFolder(path)) this.#tryTo(() => this.#watchFolder(realpathSync(path)))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(path), QUIET_MS)
  }

  #tryTo(action: () => void): void {
    try {
      action()
    } catch {
      // It is gone again, or there are too many: the rest is still watched.
    }
  }

  #forget(folder: string): void {
    for (const [path, watcher] of this.#watchers)
      if (path === folder || path.startsWith(`${folder}${sep}`)) {
        watcher.close()
        this.#watchers.delete(path)
      }
  }

  #isIgnored(path: string): boolean {
    const isWithin = (skip: string): boolean =>
      path === skip || path.startsWith(`${skip}${sep}`) || path.startsWith(`${skip}.`)
    return NOT_SOURCE.test(basename(path)) || this.#ignored.some(isWithin) || this.#isOpen(path)
  }

  /** It may have been moved since it was opened. */
  #isOpen(path: string): boolean {
    const found = statSync(path, { throwIfNoEntry: false })
    const isIt = (one: number): boolean => {
      const { dev, ino } = fstatSync(one)
      return dev === found?.dev && ino === found.ino
    }
    return found?.isFile() === true && this.#open.some(isIt)
  }
}

function asMisuse(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES')
    return new AssayError('usage', `--watch: ${(error as Error).message}`, { cause: error })
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

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
