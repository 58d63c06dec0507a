import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { AssayError } from '../../spec/model/assay-error.js'
import { writeAtomic, writeNew } from '../shared/files.js'

/** Bytes: what the file systems of today take. */
const MAX_NAME = 255

/**
 * Writes a target file that a page asks for: YAML, below the folder, through no link that leads out of it, and never over
 * a file unless that was asked for.
 * @returns its name from the folder
 * @throws AssayError
 */
export function saveTarget(folder: string, file: string, text: string, replace: boolean): string {
  const refuse = (why: string): AssayError => new AssayError('unwritable-file', why)
  if (/[\p{Cc}]/u.test(file) || !/\.ya?ml$/i.test(file))
    throw refuse('Save it as: expected the name of a YAML file, such as token-assay.yaml.')
  const home = realpathSync(folder)
  const path = resolve(home, file)
  const parent = dirname(path)
  if (!isWithin(home, path) || !existsSync(parent) || !isWithin(home, realpathSync(parent)))
    throw refuse(`Save it as: expected a place below ${home}, in a folder that is there.`)
  if (Buffer.byteLength(basename(path)) > MAX_NAME)
    throw refuse(`Save it as: expected a name of at most ${MAX_NAME} bytes.`)
  const place = resolve(realpathSync(parent), basename(path))
  const entry = lstatSync(place, { throwIfNoEntry: false })
  const name = relative(home, place)
  if (entry !== undefined && !entry.isFile()) throw refuse(`${name} is no regular file: choose another name.`)
  if (entry !== undefined && !replace)
    throw refuse(`${name} is there already: choose another name, or tick “replace it”.`)
  try {
    if (entry === undefined) writeNew(place, text)
    else writeAtomic(place, text)
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('unwritable-file', `${name} cannot be written: ${why}`, { cause })
  }
  return name
}

function isWithin(home: string, path: string): boolean {
  return path === home || path.startsWith(home.endsWith(sep) ? home : home + sep)
}
