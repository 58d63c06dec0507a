import { appendFileSync, closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { type ReporterName, reporterNames, reporters } from '../../reports/formats/reporters.js'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import type { Flags } from './arguments.js'
import { standardStream, writeAtomic } from './files.js'

const WIDTH_OF_FILES = 120

/** The flags that say how a report is rendered; several commands have them. */
export interface RenderArguments {
  readonly on: (name: 'verbose' | 'quiet' | 'no-color') => boolean
}

/** Renders the report once for each output. @returns whether all of them could be written; those that could not are named */
export function writeOutputs(
  outputs: readonly Output[],
  report: Report,
  args: RenderArguments,
): Promise<boolean> {
  return writeEach(
    outputs.map(({ reporter, file }) => async () => {
      const text = await reporters[reporter].render(report, {
        color: file === undefined && useColor(args),
        width: file === undefined ? (process.stdout.columns ?? WIDTH_OF_FILES) : WIDTH_OF_FILES,
        verbose: args.on('verbose'),
        quiet: args.on('quiet'),
      })
      if (file !== undefined) writeAtomic(file, text)
      else process.stdout.write(text)
      if (reporter === 'github') await addStepSummary(report)
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
      process.stderr.write(`token-assay: ${escapeForTerminal(error.message)}\n`)
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
    process.stderr.write(
      `token-assay: warning: the step summary was not written: ${escapeForTerminal(why)}\n`,
    )
  }
}

export function useColor(args: { readonly on: (name: 'no-color') => boolean }): boolean {
  return pc.isColorSupported && !args.on('no-color')
}

/** How a report is rendered: the same flags for every command that renders one. */
export const RENDER_FLAGS = {
  reporter: {
    value: 'NAME[=FILE]',
    many: true,
    help: 'a format, written to a file or to standard output; repeatable',
  },
  quiet: { help: 'no progress; one line for each broken rule, then the verdict' },
  verbose: { help: 'show every failed result and every exchange in full' },
  'no-color': { help: 'no colours (the environment variable NO_COLOR does the same)' },
} as const satisfies Flags

/** Whether the console report goes to standard output. */
export function writesConsole(outputs: readonly Output[]): boolean {
  return outputs.some(({ reporter, file }) => reporter === 'console' && file === undefined)
}

/** The last line of a run on the console. */
export function whereLine(page = ''): string {
  return `Report: ${escapeForTerminal(page)}\n`
}

/** The names of all formats, for the help of a command that renders. */
export const FORMATS = `Formats: ${reporterNames.join(', ')}.`

/** A format to render: to a file, or to standard output. */
export interface Output<Name extends string = ReporterName> {
  readonly reporter: Name
  readonly file?: string
}

/**
 * Reads `--reporter NAME[=FILE]`. The console is rendered too unless another reporter has standard output.
 * @throws AssayError `usage` for an unknown reporter, or two that would share standard output
 */
export function readOutputs(texts: readonly string[]): readonly Output[] {
  return readOutputsOf(texts, reporterNames)
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
    const toStdout = file === undefined || standardStream(file) === process.stdout
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

/** The files of a run's folder. A narrowed run does not replace the report of a whole one: it gets files of its own beside it. */
export function reportFiles(
  folder: string,
  isNarrowed: boolean,
): { readonly reportFile: string; readonly pageFile: string } {
  const partial = isNarrowed && isWhole(join(folder, 'report.json')) ? '.partial' : ''
  return {
    reportFile: join(folder, `report${partial}.json`),
    pageFile: join(folder, `index${partial}.html`),
  }
}

/** Larger than any report: it is not looked into. */
const MAX_BYTES = 256 * 2 ** 20

/** How our report says that its run was narrowed: before the rules and the results, which are nearly all of it. */
const NARROWED = /^ {2}"selection": \{\n {4}"(?:only|skip|deployments)":/m
const HEAD_BYTES = 64 * 1024

/** Whether the file is the report of a run that was not narrowed; a shard is not. */
function isWhole(file: string): boolean {
  let report: { readonly results?: unknown; readonly selection?: object | null } | null
  try {
    // A device may have no end.
    const status = statSync(file)
    if (!status.isFile()) return false
    if (status.size > MAX_BYTES) return true
    if (NARROWED.test(headOf(file))) return false
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // It is not there, or not a report: there is nothing to protect.
    return false
  }
  const { results, selection } = report ?? {}
  return (
    results !== undefined &&
    !['only', 'skip', 'deployments'].some((name) => Object.hasOwn(selection ?? {}, name))
  )
}

function headOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.toString('utf8', 0, readSync(descriptor, head))
  } finally {
    closeSync(descriptor)
  }
}
