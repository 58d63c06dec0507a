import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { AssayError, type AssayErrorCode } from '../model/assay-error.js'
import { shownFile } from '../model/shown-file.js'

/** A bound on the size of a file: all of it is held in memory. */
export interface SizeLimit {
  readonly kib: number
  /** Of the error where the file is larger. */
  readonly code: AssayErrorCode
  /** Whether a pipe or a device is read too. */
  readonly pipes?: boolean
  /** For the next bytes of a pipe; by default long enough for what asks for a password before it writes. */
  readonly patienceMs?: number
}

/** Of a certificate or a key, which may come from another program. */
export const PEM_LIMIT = { kib: 1024, code: 'malformed-file', pipes: true } as const

/** Of a file that no limit is given for: those of the specification. */
const DEFAULT_LIMIT: SizeLimit = { kib: 1024, code: 'malformed-file' }

/**
 * The text of a UTF-8 file, without a byte order mark.
 * @param expected what the file is, for messages: "a baseline"
 * @throws AssayError `missing-file`, `malformed-file`, or the limit's code
 */
export function readTextFile(file: string, expected: string, limit: SizeLimit = DEFAULT_LIMIT): string {
  const bytes = readBytes(file, expected, limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AssayError('malformed-file', `${file}: expected text in UTF-8, found other bytes`, { cause })
  }
}

function readBytes(
  file: string,
  expected: string,
  { kib, code, pipes = false, patienceMs = 30_000 }: SizeLimit,
): Uint8Array {
  const missing = (cause?: unknown): AssayError =>
    new AssayError(
      'missing-file',
      `${shownFile(file)}: expected ${expected}, found no file that can be read${reason(cause)}`,
      {
        cause,
      },
    )
  const status = attempt(() => statSync(file, { throwIfNoEntry: false }), missing)
  // To open a pipe may take for ever.
  if (status === undefined || !(status.isFile() || (pipes && !status.isDirectory()))) throw missing()
  const size = kib >= 1024 ? `${kib / 1024} MiB` : `${kib} KiB`
  const tooLarge = (found: string): AssayError =>
    new AssayError(code, `${file}: expected at most ${size}, found ${found}`)
  if (status.size > kib * 1024) throw tooLarge(`${Math.ceil(status.size / 2 ** 20)} MiB`)
  const chunks = attempt(() => readChunks(file, kib * 1024, patienceMs), missing)
  if (chunks === undefined) throw tooLarge('more')
  return Buffer.concat(chunks)
}

/** A name may be too long, or lead round in circles. */
function attempt<T>(read: () => T, failed: (cause: unknown) => AssayError): T {
  try {
    return read()
  } catch (cause) {
    throw failed(cause)
  }
}

const POLL_MS = 5
const POLL = new Int32Array(new SharedArrayBuffer(4))

/** Undefined where there is more than that: the size of a pipe shows only when it is read. */
function readChunks(file: string, maxBytes: number, patienceMs: number): readonly Uint8Array[] | undefined {
  // Without it, the open of a pipe that nothing writes to would never return, and no signal be heard. Windows has no such flag.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const chunks: Uint8Array[] = []
    const isPipe = fstatSync(descriptor).isFIFO()
    let deadline = performance.now() + patienceMs
    for (let total = 0; total <= maxBytes; ) {
      const chunk = Buffer.allocUnsafe(Math.max(64 * 1024, fstatSync(descriptor).size + 1))
      const length = readSome(descriptor, chunk)
      const isAwaited = length === undefined || (length === 0 && isPipe && total === 0)
      if (isAwaited && performance.now() < deadline) {
        Atomics.wait(POLL, 0, 0, POLL_MS)
        continue
      }
      if (length === undefined) throw new Error('nothing more was written to it')
      if (length === 0) return chunks
      chunks.push(chunk.subarray(0, length))
      total += length
      deadline = performance.now() + patienceMs
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Undefined where nothing has been written yet. */
function readSome(descriptor: number, chunk: Uint8Array): number | undefined {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, null)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

/** What a person can mend elsewhere than in the name of the file. */
function reason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'EACCES' ? ': no permission' : ''
}
