import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Files and connections that a command may open before its work begins; `prove` runs many servers in one process. */
const NEEDED = { prove: 512, other: 100 }

/**
 * Opens as many files as the command may need. Without them Node says of a module that it is not there, and a process that is
 * started ends with a stack trace.
 * @throws NodeJS.ErrnoException that `exhausted` explains
 */
export function assertEnoughFiles(command: string): void {
  const opened: number[] = []
  try {
    const needed = command === 'prove' ? NEEDED.prove : NEEDED.other
    while (opened.length < needed) opened.push(openSync(devNull, 'r'))
  } catch (error) {
    if (exhausted(error) !== undefined) throw error
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

/** What the machine does not have enough of, where that is the error: no bug, and no verdict either. */
export function exhausted(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'too many files and connections are open: raise the limit that `ulimit -n` shows; 256 is enough, and 1024 for `prove`'
  if (code === 'ENOMEM') return 'there is not enough memory'
  if (code === 'EAGAIN' || code === 'ERR_WORKER_INIT_FAILED')
    return 'no more processes or threads can be started: raise the limit that `ulimit -u` shows'
  // Any free port was asked for.
  if (code === 'EADDRINUSE' && syscall === 'listen' && port === undefined)
    return 'no local port is free: end what holds many connections, or wait a minute'
  return exhausted(error.cause)
}
