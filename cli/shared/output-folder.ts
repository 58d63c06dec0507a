import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ReportFile } from '../../reports/formats/shared/report-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { refuseForeignLinks, removeFile, writeAtomic } from './files.js'

/**
 * Removes the files of an earlier call from a folder, which may hold those of others too.
 * @param owns the names of its files
 * @throws AssayError `unwritable-file`
 */
export function clearFolder(folder: string, owns: RegExp): void {
  if (!existsSync(folder)) return
  try {
    refuseForeignLinks(resolve(folder))
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && owns.test(entry.name)) removeFile(join(folder, entry.name))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('unwritable-file', `${folder} cannot be emptied: ${why}`, { cause })
  }
}

/** Writes these files in place of those of an earlier call. @throws AssayError `unwritable-file` */
export function writeFolder(folder: string, owns: RegExp, files: readonly ReportFile[]): void {
  clearFolder(folder, owns)
  // Made on the way.
  for (const { name, text } of files) writeAtomic(join(folder, basename(name)), text)
}
