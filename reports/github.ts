import type { Report } from '../spec/types.js'
import { escapeForTerminal, visible } from './escape.js'
import { byReason, type Finding, findings } from './findings.js'
import { count, firstFew } from './phrase.js'
import { verdictSentence } from './verdict-sentence.js'

type Level = 'error' | 'warning' | 'notice'

/** GitHub shows ten annotations of each level of a step, and drops the rest without a word. */
const MOST_OF_A_LEVEL = 9

/**
 * GitHub's workflow commands: an annotation for each broken rule, each warning and each reason for doubt. A text of the
 * target cannot become a command: it stands on one line, with `%`, and in a title `:` and `,`, escaped.
 */
export function renderGithub(report: Report): string {
  const found = findings(report)
  const errors = found.broken.map((finding) => findingCommand('error', finding))
  const warnings = [
    ...found.warnings.map((finding) => findingCommand('warning', finding)),
    ...byReason(report, 'cantTell').map(({ reason, results }) =>
      command('warning', `could not tell, ${count(results.length, 'case')}`, reason),
    ),
  ]
  const { passed, failed, cantTell, inapplicable, untested, waived } = report.counts
  const counts = `${passed} passed, ${failed} failed, ${cantTell} cannot tell, ${inapplicable} not applicable, ${untested} not run, ${waived} waived`
  const lines = [
    ...bounded('error', errors),
    ...bounded('warning', warnings),
    command('notice', `Token Assay: ${report.verdict}`, counts),
    escapeForTerminal(verdictSentence(report, found)),
  ]
  return `${lines.join('\n')}\n`
}

function findingCommand(level: Level, { rule, occurrences }: Finding): string {
  const [first] = occurrences
  const { message, expected, actual } = first?.judgement ?? {}
  const where = firstFew(
    occurrences.map(({ result }) => result.id),
    3,
  )
  const sides = [
    ...(expected === undefined ? [] : [`expected: ${visible(expected)}`]),
    ...(actual === undefined ? [] : [`actual: ${visible(actual)}`]),
  ]
  const lines = [visible(message ?? rule.statement), ...sides, `in ${visible(where)}`]
  return command(level, `${rule.id} is broken`, ...lines)
}

/** One workflow command; the lines are joined by `%0A`, which the annotation shows as line ends. */
function command(level: Level, title: string, ...lines: readonly string[]): string {
  return `::${level} title=${property(title)}::${lines.map(data).join('%0A')}`
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function bounded(level: Level, commands: readonly string[]): readonly string[] {
  const more = commands.length - MOST_OF_A_LEVEL
  // "and 1 more" would take the place of the one.
  if (more <= 1) return commands
  const rest = command(level, `and ${more} more`, 'The report has them all.')
  return [...commands.slice(0, MOST_OF_A_LEVEL), rest]
}
