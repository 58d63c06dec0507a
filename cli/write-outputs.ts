import { appendFileSync } from 'node:fs'
import pc from 'picocolors'
import { escapeForTerminal } from '../reports/escape.js'
import { reporters } from '../reports/reporters.js'
import type { Report } from '../spec/types.js'
import { type Output, writeWhole } from './output.js'

const WIDTH_OF_FILES = 120

/** The flags, of whichever command, that say how a report is rendered. */
export interface RenderArguments {
  readonly on: (name: 'verbose' | 'quiet' | 'no-color') => boolean
}

/** Renders the report once for each output. @throws AssayError `unwritable-file` */
export async function writeOutputs(
  outputs: readonly Output[],
  report: Report,
  args: RenderArguments,
): Promise<void> {
  for (const { reporter, file } of outputs) {
    const text = await reporters[reporter].render(report, {
      color: file === undefined && useColor(args),
      width: file === undefined ? (process.stdout.columns ?? WIDTH_OF_FILES) : WIDTH_OF_FILES,
      verbose: args.on('verbose'),
      quiet: args.on('quiet'),
    })
    if (file !== undefined) writeWhole(file, text)
    else process.stdout.write(text)
    if (reporter === 'github') await addStepSummary(report)
  }
}

/** GitHub's job page shows what a step appends to this file. A run that has come so far is not lost over it. */
async function addStepSummary(report: Report): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file === undefined || file === '') return
  const { renderMarkdown } = await import('../reports/markdown.js')
  try {
    appendFileSync(file, renderMarkdown(report))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`token-assay: warning: no step summary: ${escapeForTerminal(why)}\n`)
  }
}

export function useColor(args: { readonly on: (name: 'no-color') => boolean }): boolean {
  return pc.isColorSupported && !args.on('no-color')
}
