import { randomBytes } from 'node:crypto'
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'
import { type OwnOutput, passOn } from './print.js'

/**
 * @param read files that must not be written over, of which two may be one: a certificate and its key
 * @throws AssayError `usage` where two of them name the same file, or one a folder for another
 */
export function refuseSharedFiles(written: readonly string[], read: readonly string[] = []): void {
  const inputs = new Set(read.map((file) => resolve(file)))
  const files = [...inputs, ...written]
  const paths = files.map((file) => resolve(file))
  const shared =
    files.find((_, index) => paths.indexOf(paths[index] ?? '') !== index) ??
    written.find((file) => [...inputs].some((input) => isSameFile(file, input)))
  if (shared !== undefined)
    throw new AssayError('usage', `${shared} is named twice: give each report its own file`)
  const folder = files.find((_, index) => paths.some((path) => path.startsWith(`${paths[index]}${sep}`)))
  if (folder !== undefined)
    throw new AssayError('usage', `${folder} is named as a file and as a folder: give each report its own`)
}

/** Also by two names, through a link; what is no regular file, such as a terminal, may be read and written. */
function isSameFile(file: string, other: string): boolean {
  const [one, two] = [file, other].map((name) => entryOf(name))
  return one?.isFile() === true && one.dev === two?.dev && one.ino === two.ino
}

function entryOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })
  } catch {
    // Where it is read or written, a message says why it cannot be.
    return undefined
  }
}

/** Makes sure, before anything is sent, that these files can be written. @throws AssayError `unwritable-file` */
export function assertWritable(files: readonly string[]): void {
  const made: string[] = []
  try {
    for (const file of files) attempt(file, () => probe(file, made))
  } catch (error) {
    for (const folder of made.reverse()) rmdirSync(folder)
    throw error
  }
}

/**
 * The same, and empties what an earlier call left in these files: where this one ends without writing them, they must not be
 * read as its own. A file keeps its mode, and a link its end.
 */
export function clearOutputs(files: readonly string[]): void {
  assertWritable(files)
  for (const file of files)
    attempt(file, () => {
      const isOwn = standardStream(file) === undefined && !isSpecial(file)
      if (isOwn && existsSync(file)) truncateSync(file)
    })
}

function probe(file: string, made: string[]): void {
  if (standardStream(file) !== undefined) return
  refuseForeignLinks(resolve(file))
  if (isSpecial(file)) {
    accessSync(file, constants.W_OK)
    return
  }
  const path = resolveLinks(file)
  makeFolder(dirname(path), made)
  const { descriptor, name } = openTemporary(path)
  closeSync(descriptor)
  rmSync(name)
}

/**
 * Writes all of a regular file or nothing: a reader never sees half a report. Links are followed first. What is no
 * regular file, such as a device or a pipe, is written straight to: it must not be replaced.
 * @throws AssayError `unwritable-file`
 */
export function writeAtomic(file: string, text: string | Iterable<string>): void {
  const pieces = typeof text === 'string' ? [text] : text
  if (standardStream(file) !== undefined || attempt(file, () => isSpecial(file))) {
    const output = openOutput(file)
    try {
      for (const piece of pieces) output.write(piece)
    } finally {
      output.close()
    }
  } else attempt(file, () => replace(file, pieces))
}

/** Writes a file that must not exist, not even as a broken link. @throws NodeJS.ErrnoException `EEXIST` */
export function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeFileSync(descriptor, text)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Opens a file to be written piece by piece. @throws AssayError `unwritable-file` */
export function openOutput(file: string): { write(text: string): void; close(): void } {
  const stream = standardStream(file)
  if (stream !== undefined) return { write: (text) => passOn(text, stream), close: () => undefined }
  const descriptor = attempt(file, () =>
    isSpecial(file) ? openSpecial(file) : openSync(resolveLinks(file), 'w'),
  )
  return {
    write: (text) => attempt(file, () => writeAll(descriptor, text)),
    close: () => attempt(file, () => closeSync(descriptor)),
  }
}

/** @throws AssayError `unwritable-file` */
export function renameFile(file: string, to: string): void {
  attempt(file, () => renameSync(file, to))
}

/** Removes a file or a link to one; a device, a pipe and a folder stay. */
export function removeFile(file: string): void {
  if (standardStream(file) === undefined && !isSpecial(file)) rmSync(file, { force: true })
}

function replace(file: string, pieces: Iterable<string>): void {
  const path = resolveLinks(file)
  const { descriptor, name } = openTemporary(path)
  try {
    try {
      for (const piece of pieces) writeFileSync(descriptor, piece)
    } finally {
      closeSync(descriptor)
    }
    renameSync(name, path)
  } catch (error) {
    rmSync(name, { force: true })
    throw error
  }
}

/** A name that cannot be foreseen, and `wx`, which follows no link: a file that was put there is not written to. */
function openTemporary(path: string): { readonly descriptor: number; readonly name: string } {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (entry?.isDirectory()) throw new Error('it is a folder')
  const name = join(dirname(path), `.token-assay-${randomBytes(8).toString('hex')}.tmp`)
  return { descriptor: openSync(name, 'wx', entry === undefined ? 0o666 : entry.mode & 0o777), name }
}

/**
 * As the kernel does with `protected_symlinks`, which looks neither at folders on the way nor where a link is read: anyone who
 * may write to a folder such as /tmp could have put a link there, to one of our files.
 */
export function refuseForeignLinks(path: string): void {
  const folder = dirname(path)
  if (folder === path) return
  refuseForeignLinks(folder)
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink() !== true) return
  const { mode, uid } = statSync(folder)
  const isShared = (mode & 0o1002) === 0o1002
  if (isShared && link.uid !== uid && link.uid !== process.getuid?.())
    throw new Error(`${path} is a link of another user in a folder that everyone can write to`)
}

/** The file that a chain of links ends at, whether or not it exists. */
function resolveLinks(file: string): string {
  refuseForeignLinks(resolve(file))
  if (existsSync(file)) return realpathSync(file)
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? resolveLinks(resolve(dirname(file), readlinkSync(file))) : file
}

function attempt<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('unwritable-file', `${file} cannot be written: ${why}`, { cause })
  }
}

/** Node's `recursive` never ends where a file system answers ENOENT below an existing folder, as `/proc` does. */
function makeFolder(folder: string, made: string[]): void {
  if (existsSync(folder)) return
  if (lstatSync(folder, { throwIfNoEntry: false }))
    throw new Error(`${folder} is a link to what is not there`)
  makeFolder(dirname(folder), made)
  mkdirSync(folder)
  made.push(folder)
}

/** Opens it to be written to. Without `O_NONBLOCK` the open of a pipe that has no reader would never return. */
function openSpecial(file: string): number {
  return openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4))

/** Writes all of the text, however slow the reader of a pipe is. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(PAUSE, 0, 0, 5)
    }
  }
}

/** The names by which a program can name its own outputs: they may be sockets, which cannot be opened by a name. */
const STANDARD_STREAMS = new Map<string, OwnOutput>(
  (['stdout', 'stderr'] as const).flatMap((name, index) =>
    [`/dev/${name}`, `/dev/fd/${index + 1}`, `/proc/self/fd/${index + 1}`].map(
      (path) => [path, name] as const,
    ),
  ),
)

/** The own output that the name means, if it means one. */
export function standardStream(file: string): OwnOutput | undefined {
  return STANDARD_STREAMS.get(resolve(file))
}

/** Whether the name, with its links followed, is that of something else than a file or folder, such as a device. */
function isSpecial(file: string): boolean {
  const entry = statSync(file, { throwIfNoEntry: false })
  return entry !== undefined && !entry.isFile() && !entry.isDirectory()
}
