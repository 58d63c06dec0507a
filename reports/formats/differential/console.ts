import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { printedLines, visible } from '../shared/escape.js'
import { createPage, labelled, type Page } from '../shared/page.js'
import { count } from '../shared/phrase.js'
import { ellipsis, wrap } from '../shared/wrap.js'
import {
  acceptedText,
  CLASS_WORDS,
  clientsText,
  differentialSentence,
  headingOf,
  hurtText,
  listsOf,
  replayLine,
  ruleOf,
} from './words.js'

const MAX_DIFFERENCES = 6
/** Lists that say why nothing is known, or why a comparison fails without a difference. */
const REASONS: readonly string[] = ['flaky', 'inconclusive', 'clients', 'stale']

/** What clients will notice, for a terminal. */
export function renderDifferential(
  report: Differential,
  options: { color: boolean; width: number; quiet?: boolean },
): string {
  const page = createPage(options)
  const { bold, dim } = page.colors
  if (options.quiet)
    return printedLines(
      [
        ...report.findings.flatMap((finding) => [
          `${finding.class} ${ruleOf(finding)}: ${visible(finding.title)}`,
          ...(finding.clients?.breaks.length ? [`  ${visible(clientsText(finding, report) ?? '')}`] : []),
        ]),
        ...listsOf(report)
          .filter(({ id }) => REASONS.includes(id))
          .flatMap(({ heading, items }) => items.map((item) => `${heading}: ${visible(item)}`)),
        differentialSentence(report),
      ],
      options.color,
    )
  const lines = [
    `${bold('old')}  ${visible(report.old.baseUrl)} (${count(report.old.requests, 'request')})`,
    `${bold('new')}  ${visible(report.new.baseUrl)} (${count(report.new.requests, 'request')}), seed ${report.seed}`,
    ...report.findings.flatMap((finding) => ['', ...findingLines(finding, report, page)]),
    ...listsOf(report).flatMap((list) => [
      '',
      bold(headingOf(list)),
      ...list.items.flatMap((item) =>
        wrap(visible(item), page.width - 4).map((line, at) => (at === 0 ? '  ' : '    ') + line),
      ),
    ]),
    '',
    differentialSentence(report),
    dim(`${(report.durationMs / 1000).toFixed(1)} s`),
  ]
  return printedLines(lines, options.color)
}

function findingLines(finding: Finding, report: Differential, page: Page): readonly string[] {
  const { colors, width } = page
  const color = { breaks: colors.red, both: colors.yellow, mends: colors.yellow, silent: colors.cyan }[
    finding.class
  ]
  const accepted = acceptedText(finding)
  const clients = clientsText(finding, report)
  const differences = finding.differences.slice(0, MAX_DIFFERENCES)
  const side = (own: Finding['old']): readonly string[] =>
    own.reproduce === undefined ? [] : [visible(own.reproduce)]
  const part = (label: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : labelled(label, lines, page)
  return [
    color(visible(finding.title)),
    `  ${visible(CLASS_WORDS[finding.class])}: ${visible(ruleOf(finding))}`,
    `  ${visible(hurtText(finding))}`,
    ...(accepted === undefined ? [] : [`  ${visible(accepted)}`]),
    ...(clients === undefined ? [] : wrap(visible(clients), width - 2).map((line) => `  ${line}`)),
    ...differences.flatMap(({ at, old, new: now }) => [
      `  ${visible(at.trim())}`,
      ...part('  old', [ellipsis(visible(old), width - 16)]),
      ...part('  new', [ellipsis(visible(now), width - 16)]),
    ]),
    ...part('also', (finding.also ?? []).map(visible)),
    ...part('seen', [`in ${count(finding.behind, 'request')}: ${visible(finding.examples.join(', '))}`]),
    ...(finding.limited
      ? part('limited', ['ran out of allowed failed logins before finding the smallest request'])
      : []),
    ...part(
      'broken',
      (finding.clients?.breaks ?? []).map(({ client, ended }) => visible(`${client}: ${ended}`)),
    ),
    ...part('old', side(finding.old)),
    ...part('new', side(finding.new)),
    ...part('again', [visible(replayLine(finding, report))]),
    ...part('id', [finding.id]),
  ]
}
