import { jsonText } from '../reports/formats/json.js'
import { type Comparison, compareReports } from '../reports/model/comparison.js'
import { readReport } from '../reports/model/read-report.js'
import { AssayError } from '../spec/model/assay-error.js'
import { describeFlags, type Flags, readArguments } from './shared/arguments.js'
import { type Command, EXIT } from './shared/command.js'
import { assertWritable, refuseSharedFiles } from './shared/files.js'
import { type OutputStyle, RENDER_FLAGS, readOutputsOf, writeRendered } from './shared/outputs.js'
import { clearingRefusal } from './shared/refusal.js'

const FORMATS = ['console', 'markdown', 'html', 'json'] as const
type ComparisonFormat = (typeof FORMATS)[number]

const FLAGS = {
  reporter: {
    value: 'NAME[=FILE]',
    values: FORMATS,
    many: true,
    help: `one of ${FORMATS.join(', ')} (default: console)`,
  },
  'fail-on': {
    value: 'regression',
    values: ['regression'],
    help: 'exit 1 if the last report is worse than the first',
  },
  'no-color': RENDER_FLAGS['no-color'],
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay compare FILE FILE… [flags]

Compares reports of several implementations, or of several runs: first the regressions
from the first report to the last, then the fixes, then other differences. A regression
is a rule with a worse outcome in the last report than in the first, such as one that no
longer applies, or a result that fails only in the last. What the last report could not
judge is no regression, nor is a failure that is waived. A rule that the first report
could not judge, or that did not apply then, is not fixed.

${describeFlags(FLAGS)}

Exit codes: 0 compared · 2 misuse
            with --fail-on regression: 1 there is one · 3 not all was judged in the last
`,
  execute: async (argv) => {
    const args = readArguments(argv, FLAGS)
    const files = args.positionals
    if (files.length < 2)
      throw new AssayError('usage', `compare takes two or more reports, found ${files.length}`)
    const failOn = args.one('fail-on')
    if (failOn !== undefined && failOn !== 'regression')
      throw new AssayError('usage', `--fail-on takes regression, not \`${failOn}\``)
    const outputs = readOutputsOf(args.all('reporter'), FORMATS, 'a comparison')
    const written = outputs.flatMap(({ file }) => file ?? [])
    refuseSharedFiles(written, files)
    return clearingRefusal(written, async () => {
      const comparison = compareFiles(files)
      assertWritable(written)
      const isWritten = await writeRendered(outputs, args, (format, style) =>
        render(format, comparison, style),
      )
      if (!isWritten) return EXIT.misuse
      const changes = new Set(comparison.rules.map(({ change }) => change))
      if (failOn === undefined) return EXIT.conformant
      if (changes.has('regression')) return EXIT.nonconformant
      return changes.has('open') ? EXIT.inconclusive : EXIT.conformant
    })
  },
}

function compareFiles(files: readonly string[]): Comparison {
  const columns = files.map((file) => ({ file, report: readReport(file) }))
  const names = columns.map(({ report }) => report.target.name)
  const distinct = new Set(names).size === names.length
  return compareReports(
    columns.map(({ file, report }) => ({ label: distinct ? report.target.name : file, report })),
  )
}

async function render(format: ComparisonFormat, comparison: Comparison, style: OutputStyle): Promise<string> {
  switch (format) {
    case 'console':
      return (await import('../reports/formats/compare/console.js')).renderComparison(comparison, style)
    case 'markdown':
      return (await import('../reports/formats/compare/markdown.js')).renderComparisonMarkdown(comparison)
    case 'html':
      return (await import('../reports/formats/compare/html.js')).renderComparisonHtml(comparison)
    case 'json': {
      const { columns, rules, observations } = comparison
      const reports = columns.map(({ label, report: { verdict, counts, startedAt } }) => ({
        label,
        verdict,
        counts,
        startedAt,
      }))
      return jsonText({ reports, rules, observations })
    }
  }
}
