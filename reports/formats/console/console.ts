import type { Report, Result } from '../../../spec/model/report.js'
import { printedLines, visible } from '../shared/escape.js'
import { byReason, byWaiver, explainHint, type Failures, failuresOf } from '../shared/failures.js'
import { createPage, labelled, type Page, paragraph, textColumn } from '../shared/page.js'
import { count, firstFew, nameOf } from '../shared/phrase.js'
import { verdictSentence } from '../shared/verdict-sentence.js'
import { wrap } from '../shared/wrap.js'
import { expectedAndActual, failedRuleLines, failedRuleSummary } from './failed-rule.js'
import { occurrenceLines } from './occurrence.js'
import { hasJudgements, summaryLines } from './summary.js'
import { verdictLines } from './verdict.js'

export interface ConsoleOptions {
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Every failing result in full, every exchange, every observation. */
  readonly verbose?: boolean | undefined
  /** One line per broken rule, and the verdict. */
  readonly quiet?: boolean | undefined
}

/**
 * The report for a person at a terminal or at the end of a CI log: failures by rule, undecided cases by reason, a short
 * summary, and the verdict last. Ends with a newline.
 */
export function renderConsole(report: Report, options: ConsoleOptions): string {
  const page = createPage({ ...options, command: report.command })
  const found = failuresOf(report)
  const lines = options.quiet ? quietLines(report, found, page) : fullLines(report, found, page)
  // Once more on whole lines: wrapping may have moved a command to the beginning of one.
  return printedLines(lines, options.color)
}

function fullLines(report: Report, found: Failures, page: Page): string[] {
  const shown = new Map<string, string>()
  const { colors } = page
  return [
    ...titleLines(report, page),
    ...section('Broken rules', found.broken.length, page),
    ...found.broken.flatMap((finding) => failedRuleLines(finding, page, shown, colors.red('✗'))),
    ...explainLines(found, page),
    ...undecidedLines(report, found, page),
    ...section('Warnings: recommendations that are not followed', found.warnings.length, page),
    ...found.warnings.flatMap((finding) => failedRuleLines(finding, page, shown, colors.yellow('!'))),
    ...adviceLines(report, found, page),
    ...waivedLines(report, page),
    ...staleLines(report, page),
    ...observationLines(report, page),
    ...(hasJudgements(report) ? section('Summary', 1, page) : []),
    ...summaryLines(report, found, page),
    ...verdictLines(report, found, page),
  ]
}

function quietLines(report: Report, found: Failures, page: Page): string[] {
  const { colors } = page
  return [
    ...found.broken.flatMap((finding) => [
      failedRuleSummary(finding, colors.red('✗')),
      ...expectedAndActual(finding),
    ]),
    ...verdictLines(report, found, page),
  ]
}

function titleLines({ suite, target }: Report, { colors, width, verbose }: Page): string[] {
  // What asks a service, as a client does, has no address.
  const where = target.deployments
    .filter(({ baseUrl }) => baseUrl !== '')
    .map(({ name, baseUrl }) => `${name} at ${baseUrl}`)
  const parts = [target.name, ...(where.length === 0 ? [] : [firstFew(where, verbose ? where.length : 3)])]
  const line = `${suite.name} ${suite.version}: ${parts.join(', ')}`
  return [...wrap(visible(line), width).map((text) => colors.dim(text)), '']
}

function section(title: string, size: number, { colors, width }: Page): string[] {
  if (size === 0) return []
  const rule = '─'.repeat(Math.max(0, Math.min(width, 80) - title.length - 4))
  return [`${colors.dim('──')} ${colors.bold(title)} ${colors.dim(rule)}`, '']
}

/** Once for all: what is explained is one rule at a time. */
function explainLines({ broken }: Failures, { colors, width }: Page): string[] {
  const hint = broken.map(({ rule }) => explainHint(rule.id)).find((text) => text !== undefined)
  if (hint === undefined) return []
  return [...wrap(visible(`Why it matters and how to fix it: ${hint}`), width).map(colors.dim), '']
}

function undecidedLines(report: Report, found: Failures, page: Page): string[] {
  const groups = byReason(report, 'cantTell')
  const { colors, verbose } = page
  // One reason why nothing could be judged concerns all cases: a list of them would only hide it.
  const isOfAll = groups.length === 1 && !hasJudgements(report) && !verbose
  const sentence = verdictSentence(report, found)
  return [
    ...(hasJudgements(report) ? section('Cannot tell', groups.length, page) : []),
    ...groups.flatMap(({ reason, results, rules }) => {
      const [first = '', ...rest] = wrap(visible(reason), page.width - 2)
      const ids = results.map(nameOf)
      const room = page.width - textColumn
      const reasonLines = [
        `${colors.yellow('?')} ${colors.bold(first)}`,
        ...rest.map((line) => `  ${colors.bold(line)}`),
      ]
      const evidence = evidenceLines(results, page)
      // The verdict may have named it.
      const isNamed = sentence.includes(visible(reason.replace(/\.$/, ''))) && evidence.length === 0
      if (isOfAll) return isNamed ? [] : [...reasonLines, ...evidence, '']
      return [
        ...reasonLines,
        ...labelled(
          count(ids.length, 'case'),
          wrap(visible(firstFew(ids, verbose ? ids.length : 3)), room),
          page,
        ),
        ...(rules.length === 0
          ? []
          : labelled(
              count(rules.length, 'rule'),
              wrap(visible(firstFew(rules, verbose ? rules.length : 6)), room),
              page,
            )),
        ...evidence,
        '',
      ]
    }),
  ]
}

/** What shows a reason, where a result can be repeated for that. */
function evidenceLines(results: readonly Result[], page: Page): string[] {
  for (const result of results) {
    const shows = result.judgements.find((one) => one.outcome === 'cantTell' && one.reproduce !== undefined)
    if (shows === undefined) continue
    const { reason: _, ...judgement } = shows
    return occurrenceLines({ result, judgement }, page, new Map())
  }
  return []
}

/** In a line each: what does not affect the verdict must not hide what does. */
function adviceLines(report: Report, { advice }: Failures, page: Page): string[] {
  const { colors, verbose, width } = page
  // Where nothing could be judged, why is above.
  const untried = hasJudgements(report) ? byReason(report, 'cantTell', true) : []
  const shown = new Map<string, string>()
  return [
    ...section('Advisory (does not affect the verdict)', advice.length + untried.length, page),
    ...advice.flatMap((finding) => {
      const { source } = finding.rule
      const from = source === undefined ? [] : wrap(visible(`${source.at}: “${source.says}”`), width - 4)
      const lines = verbose
        ? failedRuleLines(finding, page, shown, colors.yellow('~'))
        : paragraph(failedRuleSummary(finding, '~'), page, '', '  ')
      return [...lines, ...from.map((line) => `    ${colors.dim(line)}`)]
    }),
    ...untried.flatMap(({ reason, results }) => {
      const ids = results.map(nameOf)
      return paragraph(`? ${reason} (${firstFew(ids, 3)})`, page, '', '  ')
    }),
    ...(advice.length + untried.length === 0 ? [] : ['']),
  ]
}

function waivedLines(report: Report, page: Page): string[] {
  const groups = byWaiver(report)
  const lines = groups.flatMap(({ reason, until, places }) => [
    ...paragraph(`${reason}, until ${until}`, page),
    ...labelled(
      count(places.length, 'failure'),
      wrap(visible(firstFew(places, page.verbose ? places.length : 6)), page.width - textColumn),
      page,
    ),
  ])
  return lines.length > 0 ? [...section('Waived', 1, page), ...lines, ''] : []
}

function staleLines({ baseline }: Report, page: Page): string[] {
  const lines = (baseline?.stale ?? []).flatMap((entry) => paragraph(entry, page, '✗ ', '  '))
  return lines.length > 0 ? [...section('Stale entries of the baseline', 1, page), ...lines, ''] : []
}

function observationLines({ observations }: Report, page: Page): string[] {
  if (!page.verbose || observations.length === 0) return []
  const lines = observations.flatMap(({ deployment, section, statement, observed }) => [
    ...paragraph(`${section} ${statement} (${deployment})`, page),
    ...wrap(visible(observed), page.width - 4).map((line) => `    ${page.colors.dim(line)}`),
  ])
  return [...section('Observed where the specification is silent', 1, page), ...lines, '']
}
