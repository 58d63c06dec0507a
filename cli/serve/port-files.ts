import { statSync } from 'node:fs'
import type { ReferenceServer } from '../../reference/server.js'
import { assertWritable, removeFile, writeAtomic } from '../shared/files.js'

/** Where a server writes what the program that started it must know. */
export interface PortFiles {
  readonly 'port-file'?: string | undefined
  readonly 'control-port-file'?: string | undefined
  readonly 'certificate-file'?: string | undefined
}

/** What is left from an earlier start must not be read for this one's. @throws AssayError `unwritable-file` */
export function preparePortFiles(files: PortFiles): void {
  const names = Object.values(files).filter((file) => file !== undefined)
  assertWritable(names)
  for (const file of names) removeFile(file)
}

/** What listens: the reference server, or the proxy. */
type ListeningServer = Pick<ReferenceServer, 'port'> &
  Partial<Pick<ReferenceServer, 'controlUrl' | 'certificate'>>

/** The files that a server has written, each with what tells it from one that another process put in its place. */
export type Written = Map<string, string>

/** Each whole or not at all. @throws AssayError `unwritable-file` */
export function writePortFiles(
  files: PortFiles,
  { port, controlUrl, certificate }: ListeningServer,
  written: Written,
): void {
  const controlPort = controlUrl === undefined ? undefined : new URL(controlUrl).port
  const write = (file: string | undefined, text: string): void => {
    if (file === undefined) return
    writeAtomic(file, text)
    written.set(file, identityOf(file))
  }
  write(files['certificate-file'], certificate ?? '')
  write(files['control-port-file'], `${controlPort ?? ''}\n`)
  // The last one: a program that waits for it finds the others too.
  write(files['port-file'], `${port}\n`)
}

/** A file that another process has written meanwhile stays: it is that one's. */
export function removePortFiles(written: Written): void {
  for (const [file, identity] of written) if (identityOf(file) === identity) removeFile(file)
}

function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? 'none' : `${found.dev} ${found.ino} ${found.mtimeNs}`
}
