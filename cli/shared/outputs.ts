import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import {
  type FolderReporterName,
  folderReporterNames,
  folderReporters,
  isFolderReporter,
  type ReporterName,
  reporterNames,
  reporters,
} from '../../reports/formats/reporters.js'
import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import type { Flags } from './arguments.js'
import { standardStream, writeAtomic } from './files.js'
import { writeFolder } from './output-folder.js'
import { passOn, print, widthOf } from './print.js'

const WIDTH_OF_FILES = 120

/** The flags that say how a report is rendered; several commands have them. */
export interface RenderArguments {
  readonly on: (name: 'verbose' | 'quiet' | 'no-color') => boolean
}

/** How one output is rendered: colours and the width of the terminal are for standard output alone. */
export interface OutputStyle {
  readonly color: boolean
  readonly width: number
}

/** Renders the report once for each output. @returns whether all of them could be written; those that could not are named */
export async function writeOutputs(
  outputs: readonly Output[],
  report: Report,
  args: RenderArguments,
): Promise<boolean> {
  const style = { verbose: args.on('verbose'), quiet: args.on('quiet') }
  const inFolders = outputs.flatMap(({ reporter, file }) =>
    isFolderReporter(reporter) && file !== undefined ? [{ reporter, folder: file }] : [],
  )
  const texts = outputs.flatMap(({ reporter, ...output }) =>
    isFolderReporter(reporter) ? [] : [{ ...output, reporter }],
  )
  const areTextsWritten = await writeRendered(texts, args, async (reporter, styleOfOutput) => {
    const text = await reporters[reporter].render(report, { ...styleOfOutput, ...style })
    if (reporter === 'github') await addStepSummary(report)
    return text
  })
  const areFoldersWritten = await writeEach(
    inFolders.map(({ reporter, folder }) => async () => {
      const { owns, render } = folderReporters[reporter]
      writeFolder(folder, owns, await render(report))
    }),
  )
  return areTextsWritten && areFoldersWritten
}

/** The same for what has formats of its own. */
export function writeRendered<Name extends string>(
  outputs: readonly Output<Name>[],
  args: { readonly on: (name: 'no-color') => boolean },
  render: (name: Name, style: OutputStyle) => Promise<string>,
): Promise<boolean> {
  return writeEach(
    outputs.map(({ reporter, file }) => async () => {
      const toStdout = file === undefined
      const width = toStdout ? (widthOf('stdout') ?? WIDTH_OF_FILES) : WIDTH_OF_FILES
      const text = await render(reporter, { color: toStdout && useColor(args), width })
      if (file !== undefined) writeAtomic(file, text)
      else passOn(text)
    }),
  )
}

/** Does each, also after one that cannot write its file: what can be kept is kept. @returns whether all of them succeeded */
export async function writeEach(writes: readonly (() => void | Promise<void>)[]): Promise<boolean> {
  let complete = true
  for (const write of writes) {
    try {
      await write()
    } catch (error) {
      if (!(error instanceof AssayError && error.code === 'unwritable-file')) throw error
      print(error.message)
      complete = false
    }
  }
  return complete
}

/** GitHub's job page shows what a step appends to this file. A failure to write it does not fail the run. */
async function addStepSummary(report: Report): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file === undefined || file === '') return
  const { renderMarkdown } = await import('../../reports/formats/markdown/markdown.js')
  try {
    appendFileSync(file, renderMarkdown(report))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    print(`warning: the step summary was not written: ${why}`)
  }
}

export function useColor(args: { readonly on: (name: 'no-color') => boolean }): boolean {
  return pc.isColorSupported && !args.on('no-color')
}

/** How a report is rendered: the same flags for every command that renders one. */
export const RENDER_FLAGS = {
  reporter: {
    value: 'NAME[=PATH]',
    values: [...reporterNames, ...folderReporterNames],
    many: true,
    help: 'a format, written to a file or folder, or to standard output; repeatable',
  },
  quiet: { help: 'no progress; each broken rule with what was expected, then the verdict' },
  verbose: { help: 'show every failed result and every exchange in full' },
  'no-color': { help: 'no colours (the environment variable NO_COLOR does the same)' },
} as const satisfies Flags

/** The same for a command that lists differences, in formats of its own. */
export function differenceFlags(formats: readonly string[]) {
  return {
    reporter: {
      value: 'NAME[=FILE]',
      values: formats,
      many: true,
      help: `one of ${formats.join(', ')}; repeatable`,
    },
    quiet: { help: 'one line for each difference, then the verdict' },
    'no-color': RENDER_FLAGS['no-color'],
  } as const satisfies Flags
}

/** Whether the console report goes to standard output. */
export function writesConsole(outputs: readonly Output[]): boolean {
  return outputs.some(({ reporter, file }) => reporter === 'console' && file === undefined)
}

/** The names of all formats, for the help of a command that renders. */
export const FORMATS = `Formats: ${reporterNames.join(' ')}
To a folder: ${folderReporterNames.join(' ')}`

/** A format to render: to a file or a folder, or to standard output. */
export interface Output<Name extends string = ReporterName | FolderReporterName> {
  readonly reporter: Name
  readonly file?: string
}

/**
 * Reads `--reporter NAME[=FILE]`. The console is rendered too unless another reporter has standard output.
 * @throws AssayError `usage` for an unknown reporter, or two that would share standard output
 */
export function readOutputs(texts: readonly string[]): readonly Output[] {
  const outputs = readOutputsOf(texts, [...reporterNames, ...folderReporterNames])
  const lost = outputs.find(({ reporter, file }) => isFolderReporter(reporter) && file === undefined)
  if (lost !== undefined) {
    const { reporter } = lost
    throw new AssayError(
      'usage',
      `${reporter} writes several files: give it a folder, as in --reporter ${reporter}=FOLDER`,
    )
  }
  return outputs
}

/** Every file that the outputs write; of a folder its pattern, which shows whether files can be written there. */
export function filesOf(outputs: readonly Output[]): readonly string[] {
  return outputs.flatMap(({ reporter, file }) =>
    file === undefined ? [] : isFolderReporter(reporter) ? join(file, '*') : file,
  )
}

/**
 * The same for what has formats of its own.
 * @param what what is rendered, as `a comparison`
 * @throws AssayError as `readOutputs` does
 */
export function readOutputsOf<Name extends string>(
  texts: readonly string[],
  names: readonly (Name | 'console')[],
  what?: string,
): readonly Output<Name | 'console'>[] {
  const outputs = texts.map((text): Output<Name | 'console'> => {
    const at = text.indexOf('=')
    const given = at < 0 ? text : text.slice(0, at)
    const file = at < 0 ? undefined : text.slice(at + 1)
    const reporter = names.find((known) => known === given)
    if (reporter === undefined) {
      const place = what === undefined ? '' : ` for ${what}`
      throw new AssayError('usage', `unknown reporter \`${given}\`${place}: ${didYouMean(given, names)}`)
    }
    if (file === '') throw new AssayError('usage', `--reporter ${given}= needs a file name after \`=\``)
    const next = names.find((name) => file?.includes(`,${name}=`))
    if (next !== undefined)
      throw new AssayError('usage', `--reporter takes one format: repeat it, as in --reporter ${next}=FILE`)
    const toStdout = file === undefined || standardStream(file) === 'stdout'
    return { reporter, ...(toStdout ? {} : { file }) }
  })
  const toStdout = outputs.filter(({ file }) => file === undefined)
  if (toStdout.length > 1) {
    const both = toStdout.map(({ reporter }) => reporter).join(' and ')
    throw new AssayError(
      'usage',
      `${both} cannot both use standard output: give one a file, as in --reporter ${toStdout[1]?.reporter}=FILE`,
    )
  }
  return toStdout.length === 1 ? outputs : [...outputs, { reporter: 'console' }]
}
