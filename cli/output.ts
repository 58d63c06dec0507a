import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isReporterName, type ReporterName, reporterNames } from '../reports/reporters.js'
import { AssayError } from '../spec/assay-error.js'
import { nearest } from '../spec/nearest.js'

/** One rendering that was asked for: to a file, or to standard output. */
export interface Output {
  readonly reporter: ReporterName
  readonly file?: string
}

/**
 * Reads `--reporter NAME[=FILE]`. The console is rendered too unless another reporter has standard output.
 * @throws AssayError `usage` for an unknown reporter, or two that would share standard output
 */
export function readOutputs(texts: readonly string[]): readonly Output[] {
  const outputs = texts.map((text): Output => {
    const at = text.indexOf('=')
    const name = at < 0 ? text : text.slice(0, at)
    const file = at < 0 ? undefined : text.slice(at + 1)
    if (!isReporterName(name)) {
      const near = nearest(name, reporterNames)
      throw new AssayError(
        'usage',
        `there is no reporter \`${name}\`: ${near === undefined ? `there are ${reporterNames.join(', ')}` : `did you mean \`${near}\`?`}`,
      )
    }
    if (file === '') throw new AssayError('usage', `--reporter ${name}= needs the name of a file`)
    return { reporter: name, ...(file === undefined ? {} : { file }) }
  })
  const toStdout = outputs.filter(({ file }) => file === undefined)
  if (toStdout.length > 1) {
    const names = toStdout.map(({ reporter }) => reporter).join(' and ')
    throw new AssayError(
      'usage',
      `${names} cannot share standard output: give one a file, as in --reporter junit=junit.xml`,
    )
  }
  return toStdout.length === 1 ? outputs : [...outputs, { reporter: 'console' }]
}

/** One file cannot hold two renderings. @throws AssayError `usage` */
export function refuseSharedFiles(files: readonly string[]): void {
  const paths = files.map((file) => resolve(file))
  const shared = files.find((_, index) => paths.indexOf(paths[index] ?? '') !== index)
  if (shared !== undefined)
    throw new AssayError('usage', `${shared} cannot hold two reports: give each a file of its own`)
}

/** Makes sure that what a run finds can be written. @throws AssayError `unwritable-file`, before anything is sent */
export function prepareFiles(files: readonly string[]): void {
  const made: string[] = []
  try {
    for (const file of files) attempt(file, () => probe(file, made))
  } catch (error) {
    for (const folder of made.reverse()) rmdirSync(folder)
    throw error
  }
}

function probe(file: string, made: string[]): void {
  makeFolder(dirname(file), made)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a directory')
  closeSync(openSync(temporary(file), 'w'))
  rmSync(temporary(file))
}

/** Whole or not at all: a reader never sees half a report. @throws AssayError `unwritable-file` */
export function writeWhole(file: string, text: string | Iterable<string>): void {
  attempt(file, () => {
    const descriptor = openSync(temporary(file), 'w')
    try {
      for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(descriptor, piece)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary(file), file)
  })
}

function attempt(file: string, action: () => void): void {
  try {
    action()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('unwritable-file', `${file} cannot be written: ${why}`, { cause })
  }
}

/** Node's own `recursive` never ends where a file system says ENOENT below a folder that is there, as `/proc` does. */
function makeFolder(folder: string, made: string[]): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder), made)
  mkdirSync(folder)
  made.push(folder)
}

function temporary(file: string): string {
  return `${file}.tmp`
}
