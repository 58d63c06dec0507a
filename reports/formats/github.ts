import type { Report } from '../../spec/model/report.js'
import { escapeForTerminal, visible } from './shared/escape.js'
import { byReason, explainHint, type FailedRule, failuresOf } from './shared/failures.js'
import { gateOf } from './shared/gate.js'
import { COUNTED, countedOutcomes } from './shared/outcomes.js'
import { count, firstFew } from './shared/phrase.js'
import { stopSentences, verdictSentence } from './shared/verdict-sentence.js'

type Level = 'error' | 'warning' | 'notice'

/** GitHub shows ten annotations of each level of a step, and drops the rest without a word. */
const MAX_OF_A_LEVEL = 9

/**
 * GitHub's workflow commands: an annotation for each broken rule, each warning and each reason why a case is undecided. A text
 * of the target cannot become a command: it is on one line, with `%`, and in a title `:` and `,`, escaped.
 */
export function renderGithub(report: Report): string {
  const found = failuresOf(report)
  const { problems } = gateOf(report)
  // What is wrong with the run first: of the rest only so many are shown.
  const errors = [
    ...problems.map(({ title, message }) => command('error', `not true: ${title}`, message)),
    ...stopSentences(report).map((sentence) => command('error', 'not all was judged', sentence)),
    ...found.broken.map((finding) => findingCommand('error', finding)),
  ]
  const warnings = [
    ...found.warnings.map((finding) => findingCommand('warning', finding)),
    ...byReason(report, 'cantTell').map(({ reason, results }) =>
      command('warning', `cannot tell, ${count(results.length, 'case')}`, reason),
    ),
  ]
  const counts = countedOutcomes(report.counts, COUNTED)
  const lines = [
    ...bounded('error', errors),
    ...bounded('warning', warnings),
    ...bounded(
      'notice',
      found.advice.map((finding) => findingCommand('notice', finding)),
    ),
    command('notice', `Token Assay: ${report.verdict}`, counts),
    escapeForTerminal(verdictSentence(report, found)),
  ]
  return `${lines.join('\n')}\n`
}

function findingCommand(level: Level, { rule, occurrences }: FailedRule): string {
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
  const why = message === undefined ? [] : [visible(message)]
  const lines = [visible(rule.statement), ...why, ...sides, `in ${visible(where)}`]
  const title = level === 'notice' ? `advice: ${rule.id} is not followed` : `${rule.id} is broken`
  const hint = explainHint(rule.id)
  const more = hint === undefined ? [] : [`more: ${visible(hint)}`]
  return command(level, title, ...lines, ...sourceOf(rule), ...more)
}

function sourceOf({ source }: FailedRule['rule']): readonly string[] {
  return source === undefined ? [] : [`source: ${visible(source.at)}`]
}

/** One workflow command; the lines are joined by `%0A`, which the annotation shows as line ends. */
export function command(level: Level, title: string, ...lines: readonly string[]): string {
  return `::${level} title=${property(title)}::${lines.map(data).join('%0A')}`
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

export function bounded(level: Level, commands: readonly string[]): readonly string[] {
  const more = commands.length - MAX_OF_A_LEVEL
  // "and 1 more" would take the place of the one.
  if (more <= 1) return commands
  const rest = command(level, `and ${more} more`, 'The report has all of them.')
  return [...commands.slice(0, MAX_OF_A_LEVEL), rest]
}
