import { jsonText } from '../../reports/formats/json.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import { type Output, writeRendered } from '../shared/outputs.js'

export const FORMATS = ['console', 'html', 'markdown', 'json', 'junit', 'github'] as const

type Format = (typeof FORMATS)[number]

/** Writes a differential to each output. @returns whether all of them could be written */
export function writeDifferential(
  report: Differential,
  outputs: readonly Output<Format>[],
  on: (name: 'quiet' | 'no-color') => boolean,
): Promise<boolean> {
  const quiet = on('quiet')
  return writeRendered(outputs, { on }, (format, style) => render(format, report, { ...style, quiet }))
}

async function render(
  format: Format,
  report: Differential,
  options: { readonly color: boolean; readonly width: number; readonly quiet: boolean },
): Promise<string> {
  switch (format) {
    case 'console':
      return (await import('../../reports/formats/differential/console.js')).renderDifferential(
        report,
        options,
      )
    case 'html':
      return (await import('../../reports/formats/differential/html.js')).renderDifferentialHtml(report)
    case 'markdown':
      return (await import('../../reports/formats/differential/markdown.js')).renderDifferentialMarkdown(
        report,
      )
    case 'junit':
      return (await import('../../reports/formats/differential/junit.js')).renderDifferentialJunit(report)
    case 'github':
      return (await import('../../reports/formats/differential/github.js')).renderDifferentialGithub(report)
    case 'json':
      return jsonText(report)
  }
}
