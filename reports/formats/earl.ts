import type { Outcome, Report, Result } from '../../spec/model/report.js'
import { jsonText } from './json.js'
import { anchor } from './shared/escape.js'
import { headline } from './shared/failures.js'
import type { RunProblem } from './shared/gate.js'
import { runProblems } from './shared/run-problems.js'
import { isQuick } from './shared/verdict-sentence.js'

/** Inline, so that a reader need not fetch it. */
const CONTEXT = {
  earl: 'http://www.w3.org/ns/earl#',
  dct: 'http://purl.org/dc/terms/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  assertedBy: { '@id': 'earl:assertedBy', '@type': '@id' },
  subject: { '@id': 'earl:subject', '@type': '@id' },
  test: { '@id': 'earl:test', '@type': '@id' },
  mode: { '@id': 'earl:mode', '@type': '@id' },
  result: { '@id': 'earl:result' },
  outcome: { '@id': 'earl:outcome', '@type': '@id' },
  info: 'earl:info',
  title: 'dct:title',
  description: 'dct:description',
  identifier: 'dct:identifier',
  version: 'dct:hasVersion',
  date: { '@id': 'dct:date', '@type': 'xsd:dateTime' },
  requires: { '@id': 'dct:requires', '@type': '@id' },
}

const OUTCOME = {
  passed: 'earl:passed',
  failed: 'earl:failed',
  cantTell: 'earl:cantTell',
  inapplicable: 'earl:inapplicable',
  untested: 'earl:untested',
} as const satisfies Readonly<Record<Outcome, string>>

const ASSERTOR = '#assertor'
const RUN = '#run'

/**
 * W3C EARL 1.0 as JSON-LD: an assertion per result, of a test case about a deployment; a rule is a test requirement.
 * Every name is a fragment of the document itself, so no text of the target becomes an address.
 */
export function renderEarl(report: Report): string {
  const { suite, target, startedAt, results, rules } = report
  const cases = casesOf(results)
  return jsonText({
    '@context': CONTEXT,
    '@graph': [
      {
        '@id': ASSERTOR,
        '@type': ['earl:Assertor', 'earl:Software'],
        title: suite.name,
        version: suite.version,
        ...(isQuick(report)
          ? { description: 'a quick run (--effort quick): only the likeliest mistakes were tried' }
          : {}),
      },
      ...target.deployments.map(({ name, baseUrl }) => ({
        '@id': fragment('deployment', name),
        '@type': 'earl:TestSubject',
        title: `${target.name}, ${name}`,
        ...(baseUrl === '' ? {} : { identifier: baseUrl }),
      })),
      ...rules.map(({ id, statement }) => ({
        '@id': fragment('rule', id),
        '@type': 'earl:TestRequirement',
        identifier: id,
        description: statement,
      })),
      ...Array.from(cases, ([id, { title, rules }]) => ({
        '@id': fragment('case', id),
        '@type': 'earl:TestCase',
        identifier: id,
        title,
        requires: Array.from(rules, (rule) => fragment('rule', rule)),
      })),
      ...results.map((result) => assertion(result, startedAt)),
      ...runProblems(report).flatMap((problem, index) => problemNodes(problem, index, report)),
    ],
  })
}

/** Every case, with its rules in whatever deployment. */
function casesOf(results: readonly Result[]) {
  const cases = new Map<string, { readonly title: string; readonly rules: Set<string> }>()
  for (const result of results) {
    const known = cases.get(result.case) ?? { title: result.title, rules: new Set() }
    cases.set(result.case, known)
    for (const { rule } of result.judgements) known.rules.add(rule)
  }
  return cases
}

function assertion(result: Result, date: string): object {
  return {
    '@id': fragment('result', result.id),
    '@type': 'earl:Assertion',
    assertedBy: ASSERTOR,
    subject: fragment('deployment', result.deployment),
    test: fragment('case', result.case),
    mode: 'earl:automatic',
    result: {
      '@type': 'earl:TestResult',
      outcome: OUTCOME[result.outcome],
      date,
      ...(result.outcome === 'passed' ? {} : { info: headline(result) }),
    },
  }
}

/** Something that is wrong with the run as a whole, said of its first deployment. */
function problemNodes(
  { effect, title, message }: RunProblem,
  index: number,
  report: Report,
): readonly object[] {
  const test = `${RUN}/${index + 1}`
  return [
    { '@id': test, '@type': 'earl:TestCase', identifier: 'run', title },
    {
      '@id': `${test}/assertion`,
      '@type': 'earl:Assertion',
      assertedBy: ASSERTOR,
      subject: fragment('deployment', report.target.deployments[0]?.name ?? ''),
      test,
      mode: 'earl:automatic',
      result: {
        '@type': 'earl:TestResult',
        outcome: OUTCOME[effect === 'broken' ? 'failed' : 'cantTell'],
        date: report.startedAt,
        info: message,
      },
    },
  ]
}

function fragment(kind: 'deployment' | 'rule' | 'case' | 'result', id: string): string {
  return `#${anchor(kind, id)}`
}
