import { rmSync } from 'node:fs'
import type { ReferenceServer } from '../../reference/server.js'
import { prepareFiles, writeWhole } from '../output.js'

/** Where a server writes what whoever started it must know. */
export interface ToldFiles {
  readonly 'port-file'?: string | undefined
  readonly 'control-port-file'?: string | undefined
  readonly 'certificate-file'?: string | undefined
}

/** What is left from an earlier start must not be read for this one's. @throws AssayError `unwritable-file` */
export function prepareTold(files: ToldFiles): void {
  const names = Object.values(files).filter((file) => file !== undefined)
  prepareFiles(names)
  removeTold(files)
}

/** Each whole or not at all. @throws AssayError `unwritable-file` */
export function writeTold(files: ToldFiles, { port, controlUrl, certificate }: ReferenceServer): void {
  const controlPort = controlUrl === undefined ? undefined : new URL(controlUrl).port
  if (files['certificate-file'] !== undefined) writeWhole(files['certificate-file'], certificate ?? '')
  if (files['control-port-file'] !== undefined)
    writeWhole(files['control-port-file'], `${controlPort ?? ''}\n`)
  // The last one: whoever waits for it finds the others too.
  if (files['port-file'] !== undefined) writeWhole(files['port-file'], `${port}\n`)
}

export function removeTold(files: ToldFiles): void {
  for (const file of Object.values(files)) if (file !== undefined) rmSync(file, { force: true })
}
