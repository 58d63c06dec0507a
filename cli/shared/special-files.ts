import { constants, openSync, statSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'

/** Opens it to be written to. Without `O_NONBLOCK` the open of a pipe that has no reader would never return. */
export function openSpecial(file: string): number {
  return openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4))

/** Writes all of the text, however slow the reader of a pipe is. */
export function writeAll(descriptor: number, text: string): void {
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
const STANDARD_STREAMS = new Map<string, 'stdout' | 'stderr'>(
  (['stdout', 'stderr'] as const).flatMap((name, index) =>
    [`/dev/${name}`, `/dev/fd/${index + 1}`, `/proc/self/fd/${index + 1}`].map(
      (path) => [path, name] as const,
    ),
  ),
)

/** The own output that the name means, if it means one. */
export function standardStream(file: string): NodeJS.WriteStream | undefined {
  const name = STANDARD_STREAMS.get(resolve(file))
  return name === undefined ? undefined : process[name]
}

/** Whether the name, with its links followed, is that of something else than a file or folder, such as a device. */
export function isSpecial(file: string): boolean {
  const entry = statSync(file, { throwIfNoEntry: false })
  return entry !== undefined && !entry.isFile() && !entry.isDirectory()
}
