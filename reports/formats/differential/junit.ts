import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { xmlAttribute, xmlText } from '../shared/escape.js'
import {
  CLASS_WORDS,
  clientsText,
  commandsOf,
  differentialSentence,
  isFailure,
  ruleOf,
  undecidedOf,
} from './words.js'

/** JUnit XML: a failure for each difference, skipped where it is accepted; an error for what is inconclusive. */
export function renderDifferentialJunit(report: Differential): string {
  const stale = report.accepted?.stale ?? []
  const inconclusive = [
    ...report.inconclusive,
    ...report.flaky.map(({ title }) => `flaky: ${title}`),
    ...undecidedOf(report),
  ]
  const cases = [
    ...report.findings.map((finding) => findingCase(finding, report)),
    ...stale.map((text) => testCase('accepted', text, element('failure', 'stale', text))),
    ...inconclusive.map((text) => testCase('run', text, element('error', 'inconclusive', text))),
    ...(report.verdict === 'same' ? [testCase('run', differentialSentence(report), '')] : []),
  ]
  const open = report.findings.filter((finding) => isFailure(finding, report)).length
  const counts = attributes({
    tests: cases.length,
    failures: open + stale.length,
    errors: inconclusive.length,
    skipped: report.findings.filter(({ accepted }) => accepted !== undefined).length,
    time: (report.durationMs / 1000).toFixed(3),
  })
  const name = `token-assay diff: ${report.old.baseUrl} → ${report.new.baseUrl}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite${attributes({ name })}${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`
}

function findingCase(finding: Finding, report: Differential): string {
  const text = [
    CLASS_WORDS[finding.class],
    ...[clientsText(finding, report) ?? []].flat(),
    ...(finding.also ?? []).map((request) => `also: ${request}`),
    ...finding.differences.map(({ at, old, new: now }) => `${at}: old ${old}, new ${now}`),
    ...commandsOf(finding),
  ].join('\n')
  return testCase(finding.class, finding.title, contentOf(finding, isFailure(finding, report), text))
}

function contentOf(finding: Finding, fails: boolean, text: string): string {
  const { accepted, title } = finding
  if (fails)
    return `<failure${attributes({ type: ruleOf(finding) || finding.class, message: title })}>${xmlText(text)}</failure>`
  return accepted === undefined
    ? `<system-out>${xmlText(`${title}\n${text}`)}</system-out>`
    : `<skipped${attributes({ message: `accepted until ${accepted.until}: ${accepted.reason}` })}/>`
}

function element(name: 'failure' | 'error', type: string, text: string): string {
  return `<${name}${attributes({ type, message: text })}>${xmlText(text)}</${name}>`
}

function testCase(classname: string, name: string, content: string): string {
  const head = `    <testcase${attributes({ classname: `diff.${classname}`, name, time: '0.000' })}`
  return content === '' ? `${head}/>\n` : `${head}>\n      ${content}\n    </testcase>\n`
}

function attributes(all: Readonly<Record<string, string | number>>): string {
  return Object.entries(all)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('')
}
