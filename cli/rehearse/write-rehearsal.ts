import { jsonText } from '../../reports/formats/json.js'
import type { Rehearsal } from '../../spec/generated/types/rehearsal.js'
import { type Output, writeRendered } from '../shared/outputs.js'

export const FORMATS = ['console', 'html', 'markdown', 'json', 'junit'] as const

type RehearsalFormat = (typeof FORMATS)[number]

/** Writes the report of a rehearsal to each output. @returns whether all of them could be written */
export function writeRehearsal(
  report: Rehearsal,
  outputs: readonly Output<RehearsalFormat>[],
  on: (name: 'quiet' | 'no-color') => boolean,
): Promise<boolean> {
  const quiet = on('quiet')
  return writeRendered(outputs, { on }, (format, style) => render(format, report, { ...style, quiet }))
}

async function render(
  format: RehearsalFormat,
  report: Rehearsal,
  options: { readonly color: boolean; readonly width: number; readonly quiet: boolean },
): Promise<string> {
  switch (format) {
    case 'console':
      return (await import('../../reports/formats/rehearsal/console.js')).renderRehearsal(report, options)
    case 'html':
      return (await import('../../reports/formats/rehearsal/html.js')).renderRehearsalHtml(report)
    case 'markdown':
      return (await import('../../reports/formats/rehearsal/markdown.js')).renderRehearsalMarkdown(report)
    case 'junit':
      return (await import('../../reports/formats/rehearsal/junit.js')).renderRehearsalJunit(report)
    case 'json':
      return jsonText(report)
  }
}
