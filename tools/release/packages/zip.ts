import { zipSync } from 'fflate'

export interface ZipEntry {
  /** With slashes. */
  readonly path: string
  readonly bytes: Buffer
  readonly executable?: boolean
}

/** The earliest that can be said: the same files give the same bytes. */
const MTIME = new Date(1980, 0, 1)
const UNIX = 3

/** A ZIP archive, as Windows and NuGet have it. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const archive = zipSync(
    Object.fromEntries(
      entries.map(({ path, bytes, executable = false }) => {
        const attrs = (0o100000 | (executable ? 0o755 : 0o644)) * 2 ** 16
        return [path, [bytes, { level: 9, mtime: MTIME, os: UNIX, attrs }]]
      }),
    ),
  )
  return Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
}
