import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { xmlAttribute, xmlText } from '../shared/escape.js'
import { CLASS_WORDS, commandsOf, differentialSentence, ruleOf } from './words.js'

/** JUnit XML: a failure for each difference, skipped where it is accepted; an error for what is inconclusive. */
export function renderDifferentialJunit(report: Differential): string {
  const stale = report.accepted?.stale ?? []
  const inconclusive = [...report.inconclusive, ...report.flaky.map(({ title }) => `flaky: ${title}`)]
  const cases = [
    ...report.findings.map(findingCase),
    ...stale.map((text) => testCase('accepted', text, element('failure', 'stale', text))),
    ...inconclusive.map((text) => testCase('run', text, element('error', 'inconclusive', text))),
    ...(report.verdict === 'same' ? [testCase('run', differentialSentence(report), '')] : []),
  ]
  const open = report.findings.filter(({ accepted }) => accepted === undefined).length
  const counts = attributes({
    tests: cases.length,
    failures: open + stale.length,
    errors: inconclusive.length,
    skipped: report.findings.length - open,
    time: (report.durationMs / 1000).toFixed(3),
  })
  const name = `token-assay diff: ${report.old.baseUrl} → ${report.new.baseUrl}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite${attributes({ name })}${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`
}

function findingCase(finding: Finding): string {
  const text = [
    CLASS_WORDS[finding.class],
    ...(finding.also ?? []).map((request) => `also: ${request}`),
    ...finding.differences.map(({ at, old, new: now }) => `${at}: old ${old}, new ${now}`),
    ...commandsOf(finding),
  ].join('\n')
  const { accepted } = finding
  const content =
    accepted === undefined
      ? `<failure${attributes({ type: ruleOf(finding) || finding.class, message: finding.title })}>${xmlText(text)}</failure>`
      : `<skipped${attributes({ message: `accepted until ${accepted.until}: ${accepted.reason}` })}/>`
  return testCase(finding.class, finding.title, content)
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
