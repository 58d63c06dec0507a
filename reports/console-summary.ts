import type { Outcome, Report, RuleResult } from '../spec/types.js'
import { visible } from './escape.js'
import { byReason, type Finding, type Findings } from './findings.js'
import type { Page } from './page.js'
import { count, duration, firstFew } from './phrase.js'
import { isUncovered } from './uncovered.js'
import { wrap } from './wrap.js'

const NAMES: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  cantTell: 'could not tell',
  inapplicable: 'not applicable',
  untested: 'not run',
}

/** Rules per section, what does not apply and how to declare it, and the figures of the run. */
export function summaryLines(report: Report, found: Findings, page: Page): string[] {
  return [
    ...sectionLines(report.rules, found, page),
    '',
    ...notApplicableLines(report, page),
    ...figureLines(report, page),
    '',
  ]
}

function sectionLines(rules: readonly RuleResult[], found: Findings, page: Page): string[] {
  const { colors } = page
  const open = new Set([...found.broken, ...found.warnings].map(({ rule }) => rule))
  const onlyWaived = found.waived.filter(({ rule }) => !open.has(rule))
  const sections = groupBySection(rules)
  const silent: string[] = []
  const rows: string[] = []
  for (const [section, own] of sections) {
    const judged = own.filter(({ level }) => level === 'must' || level === 'should')
    if (judged.length === 0) {
      silent.push(section)
      continue
    }
    const among = (list: readonly Finding[]) => list.filter(({ rule }) => own.includes(rule)).length
    const covered = judged.filter((rule) => !isUncovered(rule))
    const number = (outcome: Outcome) => covered.filter((rule) => rule.outcome === outcome).length
    const passed = number('passed')
    const rest = [
      shown(among(found.broken), 'broken', colors.red),
      shown(among(found.warnings), 'not as recommended', colors.yellow),
      shown(among(onlyWaived), 'waived', colors.yellow),
      shown(number('cantTell'), 'could not tell', colors.yellow),
      shown(number('inapplicable'), 'not applicable', colors.dim),
      shown(number('untested'), 'not run', colors.yellow),
      shown(judged.length - covered.length, 'not covered yet', colors.dim),
    ].filter((text) => text !== '')
    const held = `${String(passed).padStart(2)} of ${String(judged.length).padStart(2)}`
    rows.push(
      `  ${section.padEnd(5)} ${passed === judged.length ? colors.green(held) : held}  ${rest.join(', ')}`.trimEnd(),
    )
  }
  return [
    colors.bold('Rules that hold, by section'),
    ...rows,
    ...(silent.length > 0
      ? [colors.dim(`  ${silent.join(', ')}: nothing to judge, the specification does not show it`)]
      : []),
  ]
}

function shown(n: number, what: string, paint: (text: string) => string): string {
  return n === 0 ? '' : paint(`${n} ${what}`)
}

// `Map.groupBy` is not there on Node 20.
function groupBySection(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  const sections = new Map<string, RuleResult[]>()
  for (const rule of rules) sections.set(rule.section, [...(sections.get(rule.section) ?? []), rule])
  return sections
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
      ...wrap(visible(reason), page.width - 2).map((line) => `  ${line}`),
      ...wrap(firstFew(rules, page.verbose ? rules.length : 6), page.width - 4).map(
        (line) => `    ${page.colors.dim(line)}`,
      ),
    ]),
    '',
  ]
}

function figureLines(report: Report, { colors, verbose }: Page): string[] {
  const { counts, plan, observations } = report
  const parts = (['passed', 'failed', 'cantTell', 'inapplicable', 'untested'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${NAMES[outcome]}`)
  const waived = counts.waived > 0 ? ` (${counts.waived} of the failed waived)` : ''
  const observed =
    observations.length === 0
      ? []
      : [
          `${count(observations.length, 'observation')} where the specification is silent${verbose ? '' : ', in the report'}`,
        ]
  return [
    `${colors.bold(count(plan.planned, 'case'))}: ${parts.join(', ') || 'none was executed'}${waived}`,
    ...observed,
    colors.dim(`${duration(report.durationMs)}, seed ${report.seed}`),
  ]
}
