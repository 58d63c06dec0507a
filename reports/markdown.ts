import type { Outcome, Report } from '../spec/types.js'
import { defuseLine } from './escape.js'
import { byReason, type Finding, findings } from './findings.js'
import { markdownCode, markdownProse, markdownText } from './markdown/escape.js'
import { findingMarkdown } from './markdown/finding.js'
import { count, firstFew } from './phrase.js'
import { partialSentence, verdictSentence } from './verdict-sentence.js'

/** A summary page takes 1 MiB and is then refused as a whole. */
const MOST_FINDINGS = 60

/** A summary for a pull request or a job's page: the verdict, the counts, what is broken, every rule in a table. */
export function renderMarkdown(report: Report): string {
  const found = findings(report)
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
    ...findingSection('Broken rules', found.broken),
    ...doubtSection(report),
    ...findingSection('Warnings', found.warnings),
    ...waivedSection(found.waived),
    ...ruleTable(report),
  ]
  return `${lines.map(defuseLine).join('\n').trimEnd()}\n`
}

function countTable({ counts }: Report): readonly string[] {
  return [
    '| passed | failed | cannot tell | not applicable | not run | waived |',
    '|---:|---:|---:|---:|---:|---:|',
    `| ${counts.passed} | ${counts.failed} | ${counts.cantTell} | ${counts.inapplicable} | ${counts.untested} | ${counts.waived} |`,
    '',
  ]
}

function findingSection(title: string, found: readonly Finding[]): readonly string[] {
  if (found.length === 0) return []
  const more = found.length - MOST_FINDINGS
  return [
    `## ${title}`,
    '',
    ...found.slice(0, MOST_FINDINGS).flatMap(findingMarkdown),
    ...(more > 0 ? [`And ${count(more, 'more rule')}.`, ''] : []),
  ]
}

function doubtSection(report: Report): readonly string[] {
  const groups = byReason(report, 'cantTell')
  if (groups.length === 0) return []
  const lines = groups.slice(0, MOST_FINDINGS).map(({ reason, results }) => {
    const ids = results.map(({ id }) => id)
    return `- ${markdownProse(reason)} (${count(ids.length, 'case')}: ${markdownText(firstFew(ids, 3))})`
  })
  return ['## Could not tell', '', ...lines, '']
}

function waivedSection(waived: readonly Finding[]): readonly string[] {
  if (waived.length === 0) return []
  const lines = waived.flatMap(({ rule, occurrences }) =>
    occurrences.slice(0, MOST_FINDINGS).map(({ result }) => {
      const why = result.waived ? `: ${result.waived.reason}, until ${result.waived.until}` : ''
      return `- ${markdownText(rule.id)} in ${markdownCode(result.id)}${markdownText(why)}`
    }),
  )
  return ['## Waived', '', ...lines, '']
}

const WORDS: Readonly<Record<Outcome, string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  cantTell: '? cannot tell',
  inapplicable: '– not applicable',
  untested: '○ not run',
}

function ruleTable({ rules }: Report): readonly string[] {
  if (rules.length === 0) return []
  return [
    '<details><summary>Every rule</summary>',
    '',
    '| rule | level | outcome | |',
    '|---|---|---|---|',
    ...rules.map(
      ({ id, level, outcome, statement }) =>
        `| ${markdownText(id)} | ${level} | ${outcome === null ? '· not judged' : WORDS[outcome]} | ${markdownProse(statement)} |`,
    ),
    '',
    '</details>',
  ]
}
