import type { Report, Result } from '../../spec/model/report.js'
import { failsAsAdvice } from '../../spec/model/summary.js'
import type { GateEffect } from '../../spec/model/verdict.js'
import { plainResult, type ResultContext } from './console/occurrence.js'
import { xmlAttribute, xmlText } from './shared/escape.js'
import { failuresOf, headline, notable } from './shared/failures.js'
import { type Gate, gateOf, type RunProblem } from './shared/gate.js'
import { outcomesPhrase } from './shared/outcomes.js'
import { count } from './shared/phrase.js'
import { verdictSentence } from './shared/verdict-sentence.js'

/**
 * JUnit XML as Jenkins, GitLab and GitHub's readers share it: a suite per deployment, a test case per result.
 * What gates is a failure, what could not be judged or was stopped an error; what does not gate is skipped.
 */
export function renderJunit(report: Report): string {
  const { effectOf, problems } = gateOf(report)
  const deployments = new Set([
    ...report.target.deployments.map(({ name }) => name),
    ...report.results.map(({ deployment }) => deployment),
  ])
  const summary = verdictSentence(report, failuresOf(report))
  const suites = Array.from(deployments, (name) =>
    suite(
      name,
      report.results.filter(({ deployment }) => deployment === name),
      report,
      effectOf,
      summary,
    ),
  )
  const effects = [...report.results.map(effectOf), ...problems.map(({ effect }) => effect)]
  const { tests, failures, errors } = tally(effects)
  const attributes = attributeList({
    name: `${report.suite.name}: ${report.target.name}`,
    tests,
    failures,
    errors,
    time: seconds(report.durationMs),
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${suites.join('')}${runSuite(problems, report.startedAt)}</testsuites>\n`
}

/** What is wrong with the run as a whole: a failure or an error of its own. */
function runSuite(problems: readonly RunProblem[], startedAt: string): string {
  if (problems.length === 0) return ''
  const cases = problems.map(({ effect, title, message }) => {
    const element = effect === 'broken' ? 'failure' : 'error'
    const content = `<${element}${attributeList({ type: 'run', message })}>${xmlText(message)}</${element}>`
    return `    <testcase${attributeList({ classname: 'run', name: title, time: seconds(0) })}>\n      ${content}\n    </testcase>\n`
  })
  const attributes = attributeList({
    name: 'run',
    timestamp: moment(startedAt),
    ...tally(problems.map(({ effect }) => effect)),
    time: seconds(0),
  })
  return `  <testsuite${attributes}>\n${cases.join('')}  </testsuite>\n`
}

function suite(
  name: string,
  results: readonly Result[],
  report: Report,
  effectOf: Gate['effectOf'],
  summary: string,
): string {
  const attributes = attributeList({
    name,
    ...tally(results.map(effectOf)),
    time: seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    timestamp: moment(report.startedAt),
  })
  const base = report.target.deployments.find((deployment) => deployment.name === name)?.baseUrl
  const properties = [
    ...(!base ? [] : [['baseUrl', base] as const]),
    ['seed', String(report.seed)] as const,
    ['verdict', report.verdict] as const,
    // As the console counts: JUnit has no words for what is inconclusive, or does not apply.
    ['cases', `${count(results.length, 'case')}: ${outcomesPhrase(results, effectOf)}`] as const,
    ['summary', summary] as const,
  ].map(([key, value]) => `      <property${attributeList({ name: key, value })}/>\n`)
  return [
    `  <testsuite${attributes}>\n    <properties>\n${properties.join('')}    </properties>\n`,
    ...results.map((result) => testCase(result, effectOf(result), report)),
    '  </testsuite>\n',
  ].join('')
}

function testCase(result: Result, effect: GateEffect, context: ResultContext): string {
  // Readers take the text before the last dot as a package, so the dot of the section becomes a hyphen.
  const section = (result.case.split('/')[0] ?? '').replaceAll('.', '-')
  const attributes = attributeList({
    classname: `${result.deployment}.section-${section}`,
    name: `${result.case} ${result.title}`,
    time: seconds(result.durationMs),
  })
  const content = ELEMENTS[effect](result, context)
  return content === ''
    ? `    <testcase${attributes}/>\n`
    : `    <testcase${attributes}>\n      ${content}\n    </testcase>\n`
}

const skipped = (result: Result, what: string): string =>
  `<skipped${attributeList({ message: `${what}${headline(result)}` })}/>`

type Render = (result: Result, context: ResultContext) => string

const ELEMENTS: Readonly<Record<GateEffect, Render>> = {
  passed: () => '',
  broken: (result, context) => withText('failure', result, context),
  inconclusive: (result, context) => withText('error', result, context),
  stopped: (result, context) => withText('error', result, context),
  // Its headline begins with the waiver.
  waived: (result) => skipped(result, ''),
  advice: (result) => skipped(result, failsAsAdvice(result) ? 'advisory: ' : 'only a recommendation: '),
  skipped: (result) => skipped(result, result.outcome === 'inapplicable' ? 'not applicable: ' : 'not run: '),
}

function withText(element: 'failure' | 'error', result: Result, context: ResultContext): string {
  const type = notable(result)[0]?.rule ?? result.outcome
  return `<${element}${attributeList({ type, message: headline(result) })}>${xmlText(plainResult(result, context))}</${element}>`
}

function tally(effects: readonly GateEffect[]) {
  const number = (...those: readonly GateEffect[]) =>
    effects.filter((effect) => those.includes(effect)).length
  return {
    tests: effects.length,
    failures: number('broken'),
    errors: number('inconclusive', 'stopped'),
    skipped: number('waived', 'advice', 'skipped'),
  }
}

/** The readers' date has neither fraction nor zone; it is UTC. */
function moment(startedAt: string): string {
  return startedAt.slice(0, 19)
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}

function attributeList(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('')
}
