import type { Outcome, Report, Result } from '../spec/types.js'
import { headline, notable, plainResult } from './plain-result.js'
import { xmlAttribute, xmlText } from './xml.js'

/**
 * JUnit XML as Jenkins, GitLab and GitHub's readers share it: a suite per deployment, a test case per result.
 * failed is a failure, cantTell an error, inapplicable and untested are skipped.
 */
export function renderJunit(report: Report): string {
  const deployments = new Set([
    ...report.target.deployments.map(({ name }) => name),
    ...report.results.map(({ deployment }) => deployment),
  ])
  const suites = Array.from(deployments, (name) =>
    suite(
      name,
      report.results.filter(({ deployment }) => deployment === name),
      report,
    ),
  )
  const { tests, failures, errors } = tally(report.results)
  const attributes = attributeList({
    name: `${report.suite.name}: ${report.target.name}`,
    tests,
    failures,
    errors,
    time: seconds(report.durationMs),
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${suites.join('')}</testsuites>\n`
}

function suite(name: string, results: readonly Result[], report: Report): string {
  const attributes = attributeList({
    name,
    ...tally(results),
    time: seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    // The readers' date has neither fraction nor zone; it is UTC.
    timestamp: report.startedAt.slice(0, 19),
  })
  const base = report.target.deployments.find((deployment) => deployment.name === name)?.baseUrl
  const properties = [
    ...(base === undefined ? [] : [['baseUrl', base] as const]),
    ['seed', String(report.seed)] as const,
    ['verdict', report.verdict] as const,
  ].map(([key, value]) => `      <property${attributeList({ name: key, value })}/>\n`)
  return [
    `  <testsuite${attributes}>\n    <properties>\n${properties.join('')}    </properties>\n`,
    ...results.map(testCase),
    '  </testsuite>\n',
  ].join('')
}

function testCase(result: Result): string {
  // Readers take what stands before the last dot for a package, so the section's own dot is a hyphen.
  const section = (result.case.split('/')[0] ?? '').replaceAll('.', '-')
  const attributes = attributeList({
    classname: `${result.deployment}.section-${section}`,
    name: `${result.case} ${result.title}`,
    time: seconds(result.durationMs),
  })
  const content = ELEMENTS[result.outcome](result)
  return content === ''
    ? `    <testcase${attributes}/>\n`
    : `    <testcase${attributes}>\n      ${content}\n    </testcase>\n`
}

const ELEMENTS: Readonly<Record<Outcome, (result: Result) => string>> = {
  passed: () => '',
  failed: (result) => withText('failure', result),
  cantTell: (result) => withText('error', result),
  inapplicable: (result) => `<skipped${attributeList({ message: `not applicable: ${headline(result)}` })}/>`,
  untested: (result) => `<skipped${attributeList({ message: `not run: ${headline(result)}` })}/>`,
}

function withText(element: 'failure' | 'error', result: Result): string {
  const type = notable(result)[0]?.rule ?? result.outcome
  return `<${element}${attributeList({ type, message: headline(result) })}>${xmlText(plainResult(result))}</${element}>`
}

function tally(results: readonly Result[]) {
  const number = (...outcomes: readonly Outcome[]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    tests: results.length,
    failures: number('failed'),
    errors: number('cantTell'),
    skipped: number('inapplicable', 'untested'),
  }
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}

function attributeList(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('')
}
