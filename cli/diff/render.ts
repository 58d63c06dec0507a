import { jsonText } from '../../reports/json.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'

export const FORMATS = ['console', 'html', 'markdown', 'json', 'junit', 'github'] as const
export type Format = (typeof FORMATS)[number]

export interface Output {
  readonly format: Format
  readonly file?: string
}

/** Reads `--reporter NAME[=FILE]`. @throws AssayError `usage` */
export function readFormats(texts: readonly string[]): readonly Output[] {
  const outputs = texts.map((text): Output => {
    const [name = '', ...rest] = text.split('=')
    const format = FORMATS.find((known) => known === name)
    if (format === undefined)
      throw new AssayError(
        'usage',
        `unknown reporter \`${name}\` for a differential: ${didYouMean(name, FORMATS)}`,
      )
    if (rest.length > 0 && rest.join('=') === '')
      throw new AssayError('usage', `--reporter ${name}= needs a file name after \`=\``)
    return rest.length === 0 ? { format } : { format, file: rest.join('=') }
  })
  const toStdout = outputs.filter(({ file }) => file === undefined)
  if (toStdout.length > 1)
    throw new AssayError(
      'usage',
      `${toStdout.map(({ format }) => format).join(' and ')} cannot both use standard output`,
    )
  return toStdout.length === 1 ? outputs : [...outputs, { format: 'console' }]
}

export async function render(
  format: Format,
  report: Differential,
  options: { readonly color: boolean; readonly width: number; readonly quiet: boolean },
): Promise<string> {
  switch (format) {
    case 'console':
      return (await import('../../reports/differential/console.js')).renderDifferential(report, options)
    case 'html':
      return (await import('../../reports/differential/html.js')).renderDifferentialHtml(report)
    case 'markdown':
      return (await import('../../reports/differential/markdown.js')).renderDifferentialMarkdown(report)
    case 'junit':
      return (await import('../../reports/differential/junit.js')).renderDifferentialJunit(report)
    case 'github':
      return (await import('../../reports/differential/github.js')).renderDifferentialGithub(report)
    case 'json':
      return jsonText(report)
  }
}
