/** A ZIP archive, as Windows and NuGet have it: always the same bytes for the same files. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  /** With slashes. */
  readonly path: string
  readonly bytes: Buffer
  readonly executable?: boolean
}

/** The first of January 1980, which is the earliest that can be said. */
const DATE = 0x21
const VERSION = 20
const UNIX = 3 << 8
const DEFLATED = 8
/** Names are in UTF-8. */
const FLAGS = 1 << 11

export function zip(entries: readonly ZipEntry[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { path, bytes, executable = false } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes, { level: 9 })
    const common = numbers(
      ...[
        2,
        VERSION,
        2,
        FLAGS,
        2,
        DEFLATED,
        2,
        0,
        2,
        DATE,
        4,
        crc32(bytes),
        4,
        packed.length,
        4,
        bytes.length,
      ],
      ...[2, name.length, 2, 0],
    )
    const mode = 0o100000 | (executable ? 0o755 : 0o644)
    const header = Buffer.concat([numbers(4, 0x04034b50), common, name])
    const place = numbers(2, 0, 2, 0, 2, 0, 4, mode * 2 ** 16, 4, offset)
    central.push(numbers(4, 0x02014b50, 2, UNIX | VERSION), common, place, name)
    local.push(header, packed)
    offset += header.length + packed.length
  }
  const size = central.reduce((sum, { length }) => sum + length, 0)
  const count = entries.length
  const end = numbers(4, 0x06054b50, 2, 0, 2, 0, 2, count, 2, count, 4, size, 4, offset, 2, 0)
  return Buffer.concat([...local, ...central, end])
}

/** Pairs of a width in bytes and a number. */
function numbers(...pairs: readonly number[]): Buffer {
  const parts: Buffer[] = []
  for (let i = 0; i < pairs.length; i += 2) {
    const part = Buffer.alloc(pairs[i] ?? 0)
    part.writeUIntLE(pairs[i + 1] ?? 0, 0, part.length)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
