import { closeSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** Makes sure that what a run finds can be written. @throws AssayError `unwritable-file`, before anything is sent */
export function prepareFiles(folder: string, files: readonly string[]): void {
  for (const file of [join(folder, 'report.json'), ...files]) {
    try {
      mkdirSync(dirname(file), { recursive: true })
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a directory')
      // Appending nothing tells whether it may be written, and leaves what is there.
      closeSync(openSync(temporary(file), 'a'))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AssayError('unwritable-file', `${file} cannot be written: ${why}`, { cause })
    }
  }
}

/** Whole or not at all: a reader never sees half a report. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(temporary(file), text)
  renameSync(temporary(file), file)
}

function temporary(file: string): string {
  return `${file}.tmp`
}
