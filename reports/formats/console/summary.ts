import { groupBy } from '../../../spec/model/items.js'
import type { Outcome, Report } from '../../../spec/model/report.js'
import { visible } from '../shared/escape.js'
import { byReason, type FailedRule, type Failures } from '../shared/failures.js'
import { gateOf } from '../shared/gate.js'
import { LOOKS, outcomesPhrase } from '../shared/outcomes.js'
import { type Page, paragraph } from '../shared/page.js'
import { count, duration, firstFew } from '../shared/phrase.js'
import { runFacts } from '../shared/run-facts.js'
import { isUncovered } from '../shared/verdict-sentence.js'
import { wrap } from '../shared/wrap.js'

/** Where nothing could be judged, headings and lists of rules would only hide why. */
export function hasJudgements({ counts }: Report): boolean {
  return counts.passed + counts.failed > 0
}

/** Rules by section, rules that do not apply and how to declare them, and the figures of the run. */
export function summaryLines(report: Report, found: Failures, page: Page): string[] {
  const withRules = hasJudgements(report) || page.verbose
  return [
    ...(withRules ? [...sectionLines(report, found, page), '', ...notApplicableLines(report, page)] : []),
    ...figureLines(report, page),
    ...(withRules ? [''] : []),
  ]
}

function sectionLines(report: Report, found: Failures, page: Page): string[] {
  const { colors } = page
  const open = new Set([...found.broken, ...found.warnings].map(({ rule }) => rule))
  const onlyWaived = found.waived.filter(({ rule }) => !open.has(rule))
  const sections = groupBy(report.rules, ({ section }) => section)
  const width = Math.max(5, ...Array.from(sections.keys(), (section) => visible(section).length))
  const silent: string[] = []
  const rows: string[] = []
  for (const [section, own] of sections) {
    const judged = own.filter(({ level }) => level === 'must' || level === 'should')
    if (judged.length === 0) {
      silent.push(section)
      continue
    }
    const among = (list: readonly FailedRule[]) => list.filter(({ rule }) => own.includes(rule)).length
    const covered = judged.filter((rule) => !isUncovered(rule, report))
    const number = (outcome: Outcome) => covered.filter((rule) => rule.outcome === outcome).length
    const passed = number('passed')
    const rest = [
      shown(among(found.broken), 'broken', colors.red),
      shown(among(found.warnings), 'not as recommended', colors.yellow),
      shown(among(found.advice), LOOKS.advisory.words, colors.yellow),
      shown(among(onlyWaived), 'waived', colors.yellow),
      shown(number('cantTell'), LOOKS.cantTell.words, colors.yellow),
      shown(number('inapplicable'), LOOKS.inapplicable.words, colors.dim),
      shown(number('untested'), LOOKS.untested.words, colors.yellow),
      shown(judged.length - covered.length, 'not covered yet', colors.dim),
    ].filter((text) => text !== '')
    const held = `${String(passed).padStart(2)} of ${String(judged.length).padStart(2)}`
    rows.push(
      `  ${visible(section).padEnd(width)} ${passed === judged.length ? colors.green(held) : held}  ${rest.join(', ')}`.trimEnd(),
    )
  }
  return [
    colors.bold('Rules passed, by section'),
    ...rows,
    ...(silent.length > 0
      ? [
          colors.dim(
            `  ${visible(silent.join(', '))}: nothing to judge, the specification does not define it`,
          ),
        ]
      : []),
  ]
}

function shown(n: number, what: string, paint: (text: string) => string): string {
  return n === 0 ? '' : paint(`${n} ${what}`)
}

function notApplicableLines(report: Report, page: Page): string[] {
  // A rule that another deployment exercises lacks nothing.
  const lacking = new Set(
    report.rules.filter(({ outcome }) => outcome === 'inapplicable').map(({ id }) => id),
  )
  const groups = byReason(report, 'inapplicable').flatMap((group) => {
    const rules = group.rules.filter((rule) => page.verbose || lacking.has(rule))
    return rules.length > 0 ? [{ ...group, rules }] : []
  })
  if (groups.length === 0) return []
  return [
    page.colors.bold('Not applicable to this target'),
    ...groups.flatMap(({ reason, rules }) => [
      ...paragraph(reason, page),
      ...wrap(visible(firstFew(rules, page.verbose ? rules.length : 6)), page.width - 4).map(
        (line) => `    ${page.colors.dim(line)}`,
      ),
    ]),
    '',
  ]
}

function figureLines(report: Report, page: Page): string[] {
  const { colors, verbose } = page
  const { plan, observations } = report
  const observed =
    observations.length === 0
      ? []
      : [
          `${count(observations.length, 'observation')} where the specification is silent${verbose ? '' : ', in the report'}`,
        ]
  return [
    `${colors.bold(count(plan.planned, 'case'))}: ${outcomesPhrase(report.results, gateOf(report).effectOf)}`,
    ...observed,
    ...runFacts(report, verbose ? Number.POSITIVE_INFINITY : undefined).flatMap((fact) =>
      paragraph(fact, page, '', '  '),
    ),
    colors.dim(`${duration(report.durationMs)}, seed ${report.seed}`),
  ]
}
