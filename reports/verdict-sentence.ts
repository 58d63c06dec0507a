import type { Outcome, Report } from '../spec/types.js'
import { visible } from './escape.js'
import type { Findings } from './findings.js'
import { count, firstFew } from './phrase.js'
import { isUncovered } from './uncovered.js'

/** The verdict in one sentence, the same in every format: a mark, the verdict in capitals, and what it rests on. */
export function verdictSentence(report: Report, found: Findings): string {
  return { conformant, nonconformant, inconclusive }[report.verdict](report, found)
}

/** What was left out, where something was: the verdict is no more than that of the rest. */
export function partialSentence(report: Report): string | undefined {
  if (!isPartial(report)) return undefined
  const { only, skip, deployments, shard } = report.selection ?? {}
  const because = [
    ...(only ?? []).map((pattern) => `--only '${pattern}'`),
    ...(skip ?? []).map((pattern) => `--skip '${pattern}'`),
    ...(deployments ?? []).map((name) => `--deployment ${name}`),
    ...(shard === undefined ? [] : [`--shard ${shard}`]),
  ]
  const { untested } = report.counts
  if (untested > 0) because.push(`${count(untested, 'planned case')} not run`)
  return visible(`Partial run (${because.join(', ')}): the verdict speaks of this part only.`)
}

function conformant(report: Report, { warnings, waived }: Findings): string {
  const rulesOf = (outcome: Outcome | null) =>
    report.rules.filter(
      (rule) => rule.outcome === outcome && (rule.level === 'must' || rule.level === 'should'),
    ).length
  const judged = rulesOf('passed') + rulesOf('failed')
  const inapplicable = rulesOf('inapplicable')
  const uncovered = report.rules.filter(isUncovered).length
  const but = [
    warnings.length > 0 ? count(warnings.length, 'warning') : '',
    waived.length > 0 ? `${waived.length} waived` : '',
    inapplicable > 0 ? `${inapplicable} not applicable to this target` : '',
    uncovered > 0 ? `${uncovered} not covered yet` : '',
  ].filter((text) => text !== '')
  const whole = isPartial(report) ? 'CONFORMANT in the part that ran' : 'CONFORMANT'
  return `✓ ${whole}: ${count(judged, 'rule')} judged, none broken${but.length > 0 ? `; ${but.join(', ')}` : ''}.`
}

function nonconformant(_report: Report, { broken }: Findings): string {
  const rules = firstFew(
    broken.map(({ rule }) => rule.id),
    5,
  )
  return `✗ NOT CONFORMANT: ${count(broken.length, 'rule is', 'rules are')} broken: ${rules}.`
}

function inconclusive(report: Report): string {
  const { counts } = report
  const executed = counts.passed + counts.failed + counts.cantTell
  const silence = whySilent(report)
  if (silence !== undefined) return `? INCONCLUSIVE: no request was answered. ${visible(silence)}`
  if (executed === 0) return '? INCONCLUSIVE: nothing was executed, so nothing is proven.'
  const why = [
    counts.cantTell > 0 ? `${count(counts.cantTell, 'case')} could not be judged` : '',
    counts.untested > 0 ? `${count(counts.untested, 'case was', 'cases were')} not run` : '',
  ].filter((text) => text !== '')
  return `? INCONCLUSIVE: no gating rule is broken, but ${why.join(' and ') || 'the run did not finish'}.`
}

/** Where nothing at all came back, the reason says more than any count. */
function whySilent({ results }: Report): string | undefined {
  // What was judged was answered, whether the report keeps the exchange or not.
  if (results.some(({ outcome }) => outcome === 'passed' || outcome === 'failed')) return undefined
  const exchanges = results.flatMap((result) => result.exchanges)
  if (exchanges.some(({ response }) => response !== null)) return undefined
  return exchanges.find(({ failure }) => failure !== undefined)?.failure
}

function isPartial({ selection, counts }: Report): boolean {
  const narrowed = Object.values(selection ?? {}).some((part) => part !== undefined && part.length > 0)
  return narrowed || counts.untested > 0
}
