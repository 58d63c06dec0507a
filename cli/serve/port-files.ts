import { statSync } from 'node:fs'
import type { ReferenceServer } from '../../reference/server.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { assertWritable, removeFile, writeAtomic } from '../shared/files.js'

/** Where a server writes what the program that started it must know. */
export interface PortFiles {
  readonly 'port-file'?: string | undefined
  readonly 'control-port-file'?: string | undefined
  readonly 'certificate-file'?: string | undefined
}

const BLOCK = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g
const NUMBER = /^\d{0,5}\s*$/

/** Whether a text is what an earlier run can have left in the file of that name; an empty one may be made before. */
const isLeftover: Readonly<Record<keyof PortFiles, (text: string) => boolean>> = {
  'port-file': (text) => NUMBER.test(text),
  'control-port-file': (text) => NUMBER.test(text),
  'certificate-file': (text) => text.replaceAll(BLOCK, '').trim() === '',
}
const LEFTOVER_LIMIT = { kib: 64, code: 'usage' } as const

/**
 * What is left from an earlier start must not be read for this one's.
 * @throws AssayError `unwritable-file`; `usage` for a file that is someone's own
 */
export function preparePortFiles(files: PortFiles): void {
  const names = Object.values(files).filter((file) => file !== undefined)
  assertWritable(names)
  for (const [name, isOurs] of Object.entries(isLeftover)) {
    const file = files[name as keyof PortFiles]
    if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() && !isOurs(textOf(file)))
      throw new AssayError(
        'usage',
        `--${name}: ${file} is there and holds something else: name a file that may be written over`,
      )
  }
  for (const file of names) removeFile(file)
}

/** What cannot be read, or is long, is as good as any text that is no leftover. */
function textOf(file: string): string {
  try {
    return readTextFile(file, 'a leftover', LEFTOVER_LIMIT)
  } catch {
    return 'another text'
  }
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
  // A key may be in the same file of the operator.
  const blocks = certificate?.match(BLOCK) ?? []
  write(files['certificate-file'], blocks.map((block) => `${block}\n`).join(''))
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
