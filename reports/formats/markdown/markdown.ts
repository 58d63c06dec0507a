import type { Report } from '../../../spec/model/report.js'
import { defuseLine } from '../shared/escape.js'
import { byReason, byWaiver, type FailedRule, failuresOf } from '../shared/failures.js'
import { COUNTED, LOOKS, ruleStates, type State } from '../shared/outcomes.js'
import { count, firstFew, nameOf } from '../shared/phrase.js'
import { runFacts } from '../shared/run-facts.js'
import { partialSentence, verdictSentence } from '../shared/verdict-sentence.js'
import { markdownProse, markdownText } from './escape.js'
import { failedRuleMarkdown } from './failed-rule.js'

/** A summary page takes 1 MiB and is then refused as a whole. */
const MAX_RULES = 60

/** A summary for a pull request or a job's page: the verdict, the counts, what is broken, every rule in a table. */
export function renderMarkdown(report: Report): string {
  const found = failuresOf(report)
  const sentence = verdictSentence(report, found)
  const colon = sentence.indexOf(':')
  const partial = partialSentence(report)
  const lines = [
    `## ${markdownText(sentence.slice(0, colon))}`,
    '',
    markdownText(sentence.slice(colon + 1).trim()),
    '',
    ...(partial === undefined ? [] : [`> ${markdownText(partial)}`, '']),
    `${markdownText(report.target.name)}, seed ${report.seed}`,
    '',
    ...countTable(report),
    ...factList(report),
    ...findingSection('Broken rules', found.broken),
    ...undecidedSection(report),
    ...findingSection('Warnings', found.warnings),
    ...findingSection('Advisory (does not affect the verdict)', found.advice),
    ...undecidedSection(report, true),
    ...waivedSection(report),
    ...staleSection(report),
    ...ruleTable(report),
  ]
  return `${lines.map(defuseLine).join('\n').trimEnd()}\n`
}

function countTable({ counts }: Report): readonly string[] {
  return [
    `| ${COUNTED.map((name) => LOOKS[name].words).join(' | ')} |`,
    `|${COUNTED.map(() => '---:|').join('')}`,
    `| ${COUNTED.map((name) => counts[name]).join(' | ')} |`,
    '',
  ]
}

function factList(report: Report): readonly string[] {
  const facts = runFacts(report).map((fact) => `- ${markdownProse(fact)}`)
  return facts.length > 0 ? [...facts, ''] : []
}

function findingSection(title: string, found: readonly FailedRule[]): readonly string[] {
  if (found.length === 0) return []
  const more = found.length - MAX_RULES
  return [
    `## ${title}`,
    '',
    ...found.slice(0, MAX_RULES).flatMap(failedRuleMarkdown),
    ...(more > 0 ? [`And ${count(more, 'more rule')}.`, ''] : []),
  ]
}

function undecidedSection(report: Report, advisory = false): readonly string[] {
  const groups = byReason(report, 'cantTell', advisory)
  if (groups.length === 0) return []
  const lines = groups.slice(0, MAX_RULES).map(({ reason, results }) => {
    const ids = results.map(nameOf)
    return `- ${markdownProse(reason)} (${count(ids.length, 'case')}: ${markdownText(firstFew(ids, 3))})`
  })
  return [`## Cannot tell${advisory ? ', of advice' : ''}`, '', ...lines, '']
}

function waivedSection(report: Report): readonly string[] {
  const groups = byWaiver(report)
  if (groups.length === 0) return []
  const lines = groups.map(
    ({ reason, until, places }) =>
      `- ${markdownText(`${reason}, until ${until}`)}: ${markdownText(firstFew(places, MAX_RULES))}`,
  )
  return ['## Waived', '', ...lines, '']
}

function staleSection({ baseline }: Report): readonly string[] {
  const stale = baseline?.stale ?? []
  if (stale.length === 0) return []
  return ['## Stale entries of the baseline', '', ...stale.map((entry) => `- ${markdownText(entry)}`), '']
}

function marked(state: State): string {
  return `${LOOKS[state].mark} ${LOOKS[state].words}`
}

function ruleTable(report: Report): readonly string[] {
  const { rules } = report
  if (rules.length === 0) return []
  const stateOf = ruleStates(report)
  return [
    '<details><summary>Every rule</summary>',
    '',
    '| rule | level | outcome | |',
    '|---|---|---|---|',
    ...rules.map(
      (rule) =>
        `| ${markdownText(rule.id)} | ${rule.level} | ${marked(stateOf(rule))} | ${markdownProse(rule.statement)} |`,
    ),
    '',
    '</details>',
  ]
}
