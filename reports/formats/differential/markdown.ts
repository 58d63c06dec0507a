import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { markdownCode, markdownProse } from '../markdown/escape.js'
import { defuseLine } from '../shared/escape.js'
import { capital } from '../shared/phrase.js'
import {
  byClass,
  CLASS_WORDS,
  clientsText,
  commandsOf,
  differentialSentence,
  factsOf,
  headingOf,
  listsOf,
  ruleOf,
} from './words.js'

/** What clients will notice, for a pull request. */
export function renderDifferentialMarkdown(report: Differential): string {
  const lines = [
    '# Old against new',
    '',
    markdownProse(differentialSentence(report)),
    '',
    `- old: ${markdownCode(report.old.baseUrl)}`,
    `- new: ${markdownCode(report.new.baseUrl)}`,
    '',
    ...byClass(report).flatMap(([own, findings]) => [
      `## ${capital(CLASS_WORDS[own])} (${findings.length})`,
      '',
      ...findings.flatMap((finding) => findingLines(finding, report)),
    ]),
    ...listsOf(report).flatMap((list) => [
      `## ${headingOf(list)}`,
      '',
      ...list.items.map((item) => `- ${markdownProse(item)}`),
      '',
    ]),
  ]
  return `${lines.map(defuseLine).join('\n').trimEnd()}\n`
}

function findingLines(finding: Finding, report: Differential): readonly string[] {
  const clients = clientsText(finding, report)
  return [
    `### ${markdownProse(finding.title)}`,
    '',
    [markdownCode(ruleOf(finding)), ...factsOf(finding).map(markdownProse)].join('; '),
    '',
    ...(clients === undefined ? [] : [`Clients: ${markdownProse(clients)}`, '']),
    ...(finding.also === undefined ? [] : [`Also: ${finding.also.map(markdownProse).join('; ')}`, '']),
    '| where | old | new |',
    '|---|---|---|',
    ...finding.differences.map(
      ({ at, old, new: now }) => `| ${markdownCode(at)} | ${markdownCode(old)} | ${markdownCode(now)} |`,
    ),
    '',
    ...commandsOf(finding).map((command) => `    ${command.replace(/[\r\n]+/g, ' ')}`),
    '',
  ]
}
