import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { markdownCode, markdownProse, markdownText } from '../markdown/escape.js'
import { defuseLine } from '../shared/escape.js'
import { CLASSES, differentialSentence, ruleOf } from './words.js'

/** What clients will notice, for a pull request. */
export function renderDifferentialMarkdown(report: Differential): string {
  const section = (heading: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`## ${heading} (${items.length})`, '', ...items.map((item) => `- ${item}`), '']
  const classes = (Object.keys(CLASSES) as Finding['class'][]).flatMap((own) => {
    const findings = report.findings.filter((finding) => finding.class === own)
    return findings.length === 0
      ? []
      : [`## ${sentence(CLASSES[own])} (${findings.length})`, '', ...findings.flatMap(findingLines)]
  })
  const lines = [
    '# Old against new',
    '',
    markdownProse(differentialSentence(report)),
    '',
    `- old: ${markdownCode(report.old.baseUrl)}`,
    `- new: ${markdownCode(report.new.baseUrl)}`,
    '',
    ...classes,
    ...section(
      'Noise: old differs from itself',
      report.noise.map(
        ({ at, seen, values }) => `${markdownCode(at)} ${seen}×: ${values.map(markdownCode).join(' or ')}`,
      ),
    ),
    ...section(
      'Flaky',
      report.flaky.map(({ title }) => markdownProse(title)),
    ),
    ...section('Could not be decided', report.inconclusive.map(markdownText)),
    ...section('Left out', (report.notes ?? []).map(markdownProse)),
    ...section('Stale entries of accepted differences', (report.accepted?.stale ?? []).map(markdownText)),
  ]
  return `${lines.map(defuseLine).join('\n').trimEnd()}\n`
}

function findingLines(finding: Finding): readonly string[] {
  const { accepted } = finding
  return [
    `### ${markdownProse(finding.title)}`,
    '',
    `${markdownCode(ruleOf(finding))}; seen on ${finding.behind} requests; id ${markdownCode(finding.id)}${
      accepted === undefined
        ? ''
        : `; accepted until ${accepted.until}: ${markdownText(accepted.reason)} (${markdownText(accepted.owner)})`
    }`,
    '',
    ...(finding.also === undefined ? [] : [`Also: ${finding.also.map(markdownProse).join('; ')}`, '']),
    '| where | old | new |',
    '|---|---|---|',
    ...finding.differences.map(
      ({ at, old, new: now }) => `| ${markdownCode(at)} | ${markdownCode(old)} | ${markdownCode(now)} |`,
    ),
    '',
    ...[finding.old.reproduce ?? [], finding.new.reproduce ?? []]
      .flat()
      .map((command) => `    ${command.replace(/[\r\n]+/g, ' ')}`),
    '',
  ]
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
