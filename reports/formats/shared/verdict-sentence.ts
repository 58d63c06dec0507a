import type { Outcome } from '../../../spec/model/report.js'
import { type Report, type RuleResult, type Stop, UNSTABLE } from '../../../spec/model/report.js'
import { countResults } from '../../../spec/model/summary.js'
import { isAdvisory } from '../../../spec/model/verdict.js'
import { isUnanswered, stopsOf } from '../../model/stop-cause.js'
import { visible } from './escape.js'
import { byReason, type Failures } from './failures.js'
import { gateOf } from './gate.js'
import { count, firstFew } from './phrase.js'
import { unstablePhrase } from './trouble.js'

/** The verdict in one sentence, the same in every format: a mark, the verdict in capitals, and its grounds. */
export function verdictSentence(report: Report, found: Failures): string {
  const sentence = ofWhatWasTried(report, found)
  return isQuick(report) ? `${sentence} Only the likeliest mistakes were tried (--effort quick).` : sentence
}

function ofWhatWasTried(report: Report, found: Failures): string {
  const printed = { conformant, nonconformant, inconclusive }[report.verdict](report, found)
  const sentence = [printed, ...stopSentences(report)].join(' ')
  const fails = staleSentence(report)
  if (fails === undefined) return sentence
  if (report.verdict !== 'conformant') return `${sentence} ${fails}`
  // Exit code 1 and a green mark would contradict each other.
  const [, grounds = ''] = /: (.*)\.$/s.exec(sentence) ?? []
  return `✗ BASELINE STALE: ${fails} All else is conformant: ${grounds}.`
}

/** Why less was judged than was planned, and what to do. */
export function stopSentences(report: Report): readonly string[] {
  return stopsOf(report).map(({ message, remedy }) => visible(`${message} ${remedy}`))
}

/** Whether each case tried only the likeliest mistakes: no format is to let that pass for a whole run. */
export function isQuick({ selection }: Pick<Report, 'selection'>): boolean {
  return selection?.effort === 'quick'
}

/** What the baseline alone does to the verdict. */
export function staleSentence({ baseline }: Report): string | undefined {
  const stale = baseline?.stale.length ?? 0
  if (stale === 0) return undefined
  return `${count(stale, 'entry', 'entries')} of the baseline ${stale === 1 ? 'is' : 'are'} stale, and that fails the run.`
}

/** For a partial run: what was left out. */
export function partialSentence(report: Report): string | undefined {
  if (!isPartial(report)) return undefined
  const { chosenBy, only = [], skip, deployments, shard, effort } = report.selection ?? {}
  const patterns = firstFew(
    only.map((pattern) => `--only '${pattern}'`),
    5,
  )
  const because = [
    ...(only.length === 0 ? [] : [chosenBy ?? patterns]),
    ...(skip ?? []).map((pattern) => `--skip '${pattern}'`),
    ...(deployments ?? []).map((name) => `--deployment ${name}`),
    ...(shard === undefined ? [] : [`--shard ${shard}`]),
    ...(effort === undefined ? [] : [`--effort ${effort}`]),
  ]
  const { untested } = report.counts
  if (untested > 0) because.push(`${count(untested, 'planned case')} not run`)
  // What was repeated alone passes wherever the fault rests on what was sent before it. Each call of a client is alone.
  const isOfService = report.target.deployments.some(({ baseUrl }) => baseUrl !== '')
  const alone =
    chosenBy === '--replay' && isOfService && report.verdict === 'conformant'
      ? ' A fault that other requests bring about shows again with --last-failed.'
      : ''
  return visible(`Partial run (${because.join(', ')}): the verdict is about this part only.${alone}`)
}

function conformant(report: Report, { warnings, waived, advice }: Failures): string {
  const rulesOf = (outcome: Outcome | null) =>
    report.rules.filter(
      (rule) =>
        rule.outcome === outcome && !rule.advisory && (rule.level === 'must' || rule.level === 'should'),
    ).length
  const judged = rulesOf('passed') + rulesOf('failed')
  const inapplicable = rulesOf('inapplicable')
  const uncovered = report.rules.filter((rule) => isUncovered(rule, report)).length
  const but = [
    warnings.length > 0 ? count(warnings.length, 'warning') : '',
    advice.length > 0 ? `${count(advice.length, 'advisory rule')} not followed` : '',
    inapplicable > 0 ? `${inapplicable} not applicable to this target` : '',
    uncovered > 0 ? `${uncovered} not covered yet` : '',
  ].filter((text) => text !== '')
  const except = waived.length > 0 ? ` but ${waived.length} that the baseline waives` : ''
  const whole = isPartial(report) ? 'CONFORMANT in the part that ran' : 'CONFORMANT'
  return `✓ ${whole}: ${count(judged, 'rule')} judged, none broken${except}${but.length > 0 ? `; ${but.join(', ')}` : ''}.`
}

function nonconformant(_report: Report, { broken }: Failures): string {
  const rules = firstFew(
    broken.map(({ rule }) => rule.id),
    5,
  )
  return `✗ NOT CONFORMANT: ${count(broken.length, 'rule is', 'rules are')} broken: ${rules}.`
}

/** Why nothing could be judged, where that is all there is to say. */
const SILENT: Readonly<Partial<Record<Stop['cause'], string>>> = {
  unreachable: 'no request was answered',
  timeOut: 'no request was answered',
  unreadable: 'no answer that a case rests on could be read',
}

function inconclusive(report: Report, { waived }: Failures): string {
  const counts = countResults(report.results.filter((result) => !isAdvisory(result)))
  const executed = counts.passed + counts.failed + counts.cantTell
  const [silent] = stopsOf(report).flatMap(({ cause }) => SILENT[cause] ?? [])
  if (silent !== undefined && isUnanswered(report.results)) return `? INCONCLUSIVE: ${silent}.`
  if (executed === 0) return nothingExecuted(report)
  const { effectOf } = gateOf(report)
  const inconclusive = report.results.filter((result) => effectOf(result) === 'inconclusive').length
  const because =
    inconclusive > 0
      ? `${count(inconclusive, 'case')} could not be judged${unstable(report) ?? theOneReason(report)}`
      : 'the run did not finish'
  // A reason may end in a question.
  if (waived.length === 0)
    return `? INCONCLUSIVE: no rule is broken, but ${because}${because.endsWith('?') ? '' : '.'}`
  return `? INCONCLUSIVE: ${because}; no rule is broken but ${waived.length} that the baseline waives.`
}

/** Where it is unstable: that, as the most likely reason. */
function unstable({ results, trouble }: Report): string | undefined {
  const isUnstable = results.some(({ judgements }) =>
    judgements.some(({ reason }) => reason?.startsWith(UNSTABLE)),
  )
  const phrase = isUnstable ? unstablePhrase(trouble) : undefined
  return phrase === undefined ? undefined : ` (${phrase})`
}

/** What all of them have in common, unless that stopped the run and is named as such. */
function theOneReason(report: Report): string {
  const [first, ...others] = byReason(report, 'cantTell')
  if (first === undefined || others.length > 0 || stopsOf(report).length > 0) return ''
  return `: ${visible(first.reason.replace(/\.$/, ''))}`
}

/** A shard may have nothing to do: that is no failure, but no verdict either. */
function nothingExecuted(report: Report): string {
  const { selection, target } = report
  const shard = selection?.shard
  if (stopsOf(report).length > 0) return '? INCONCLUSIVE: no case was judged.'
  if (shard === undefined && isJudgedAsAdvice(report))
    return '? INCONCLUSIVE: only advisory rules were judged, which do not affect the verdict (`--gate NAME` lets a profile gate).'
  if (shard === undefined) return '? INCONCLUSIVE: nothing was executed.'
  const { length } = target.deployments
  const why =
    length === 1
      ? 'a deployment is never divided, and the target has only one: sharding has no effect'
      : `the target has ${length} deployments, and a deployment is never divided`
  return `? NOTHING TO DO in shard ${visible(shard)}: ${why}.`
}

function isJudgedAsAdvice({ counts }: Report): boolean {
  return counts.passed + counts.failed > 0
}

/** Whether the run was narrowed, or did not judge all that was planned. */
export function isPartial({ selection, counts }: Report): boolean {
  const narrowed = Object.values(selection ?? {}).some((part) => part !== undefined && part.length > 0)
  return narrowed || counts.untested > 0
}

/** A rule that could be judged, and that no case judges yet: none of its results is missing, there are none. */
export function isUncovered({ level, results }: RuleResult, { selection = {} }: Report): boolean {
  // A run of some rules alone leaves out the others of their cases.
  const isLeftOut = selection.only !== undefined || selection.skip !== undefined
  return (level === 'must' || level === 'should') && results.length === 0 && !isLeftOut
}
