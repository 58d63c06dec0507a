import { loadShipped } from '../../../spec/load/advice.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import type { Case } from '../../../spec/model/case.js'
import type { Expectation } from '../../../spec/model/expectation.js'
import { HIDDEN } from '../../../spec/model/hidden-value.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import type { Report, ReportExchange, Result } from '../../../spec/model/report.js'
import { isOfTheSender } from '../../../spec/model/sender-headers.js'
import { type FailedRule, failuresOf, type Occurrence } from '../shared/failures.js'
import { verdictSentence } from '../shared/verdict-sentence.js'
import {
  type AnswerCheck,
  answerChecks,
  type CheckScope,
  YIELDS_NO_TOKEN,
  YIELDS_TOKEN,
} from './answer-checks.js'
import { isControl, isGrant, isOfNewAccount, preparationOf, type ShownRequest } from './preparation.js'
import { type Encoding, hasLostValue, TestVariables, type TextPart, type TextPlace } from './text-parts.js'

/** A request as a test sends it. */
export interface TestRequest {
  readonly label: string
  readonly method: string
  /** After the base URL; or a whole URL, where it goes to another service. */
  readonly target: readonly TextPart[]
  /** The variable that has the base URL; undefined: the target is whole. */
  readonly base: string | undefined
  readonly headers: readonly (readonly [name: string, value: readonly TextPart[]])[]
  readonly body: readonly TextPart[] | undefined
}

/** One broken rule as a test. */
export interface RuleTest {
  readonly rule: string
  readonly section: string
  /** The sentence of the specification. */
  readonly statement: string
  /** What the case does, and what was wrong. */
  readonly title: string
  readonly message: string
  /** In the order of sending. */
  readonly requests: readonly TestRequest[]
  /** The place of the request whose answer is checked. */
  readonly judged: number
  /** Those of the requests before it that a right service grants, so that its answer shows something. */
  readonly granted: readonly number[]
  readonly checks: readonly AnswerCheck[]
  /** Why nothing can be checked without the suite, and the command that repeats it. */
  readonly skip?: string
}

export interface RuleTests {
  readonly tests: readonly RuleTest[]
  /** Each with what it holds. */
  readonly variables: readonly (readonly [name: string, content: string])[]
  readonly suite: string
  /** Of the run, in a sentence: it may have been stopped, or quick. */
  readonly verdict: string
}

const MAX_REQUESTS = 10
/** Of section 2.1, and of the target file. */
const LIFETIME = 1_209_600
const CLOCK_SKEW = 60

/** Every broken rule of a report, each by the first failure that a test can show. */
export function ruleTests(report: Report): RuleTests {
  // The first deployment of recorded traffic is the client.
  const [main] = report.target.deployments.flatMap(({ declared }) => accountsOf(declared))
  const variables = new TestVariables(typeof main?.userName === 'string' ? main.userName : '')
  const found = failuresOf(report)
  const tests = found.broken.map((one) => testOf(one, report, variables))
  const bases = new Set(tests.flatMap(({ requests }) => requests.flatMap(({ base }) => base ?? [])))
  return {
    tests,
    variables: [
      ...[...bases].map((name) => [name, 'the base URL, without /Token'] as const),
      ...variables.all,
    ],
    suite: `${report.suite.name} ${report.suite.version}`,
    verdict: verdictSentence(report, found),
  }
}

function testOf({ rule, occurrences }: FailedRule, report: Report, variables: TestVariables): RuleTest {
  const { id, section, statement } = rule
  const common = { rule: id, section, statement }
  const candidates = occurrences.map((occurrence) => ({ occurrence, expectation: expectationOf(occurrence) }))
  for (const { occurrence, expectation } of candidates) {
    const checks = expectation && checksOf(expectation, section, occurrence, report)
    const shown = checks && shownExchanges(occurrence)
    if (expectation === undefined || checks === undefined || shown === undefined) continue
    const judged = judgedOf(shown, expectation, occurrence)
    const isComparable = checks.every(
      ({ other }) => other === undefined || shown.some(({ label }) => label === other),
    )
    if (judged === undefined || !isComparable) continue
    // The suite has another reason, such as a path that the target declares.
    if (checks.every(({ name }) => name === YIELDS_TOKEN) && isGrant(shown[judged])) continue
    const { result, judgement } = occurrence
    const before = preparationOf(evidenceOf(occurrence), judgement.reproduce, deploymentOf(result, report))
    if (before === undefined) continue
    if (!isRecorded(result) && [...before, ...shown].some(isOfLostValue)) continue
    const granted = [
      ...before.map(isControl),
      ...shown.slice(0, judged).map((one) => one.label === expectation.ifAccepted && isGrant(one)),
    ]
    return {
      ...common,
      ...{ title: result.title, message: judgement.message ?? '', judged: before.length + judged, checks },
      granted: granted.flatMap((isGranted, at) => (isGranted ? [at] : [])),
      requests: [...before, ...shown].map((one) =>
        requestOf(one, occurrence, report, variables, inWords(id, checks)),
      ),
    }
  }
  const [first] = occurrences
  const replay = first?.judgement.replay
  const repeat =
    replay === undefined
      ? ''
      : `; it is repeated by: ${report.command ?? 'token-assay run …'} --replay '${replay}'`
  return {
    ...common,
    ...{ title: first?.result.title ?? '', message: first?.judgement.message ?? '' },
    ...{ requests: [], judged: 0, granted: [], checks: [] },
    skip: `only the suite can judge this rule${repeat}`,
  }
}

/** Undefined where a part needs the suite, or where a service that refuses the request would be right as well. */
function checksOf(
  expectation: Expectation,
  section: string,
  occurrence: Occurrence,
  report: Report,
): readonly AnswerCheck[] | undefined {
  const checks = answerChecks(expectation, scopeOf(occurrence, report))
  const { ifAccepted, of = evidenceOf(occurrence).at(-1)?.label } = expectation
  if (ifAccepted !== undefined && ifAccepted === of) return undefined
  // Another answer than the wanted one, such as an error, has none of the faults of a token response.
  return checks && section === '2.1' ? [{ name: YIELDS_TOKEN, args: [] }, ...checks] : checks
}

function scopeOf(occurrence: Occurrence, report: Report): CheckScope {
  const { judgement, result } = occurrence
  const declared = deploymentOf(result, report)?.declared
  const number = (name: string, otherwise: number): number => {
    const value = isMap(declared) ? declared[name] : undefined
    return typeof value === 'number' ? value : otherwise
  }
  return {
    judgement,
    // What the declared ones have is not asked of a new one.
    accounts: isOfNewAccount(evidenceOf(occurrence)) ? [] : accountsOf(declared),
    tokenLifetime: number('tokenLifetime', LIFETIME),
    clockSkew: number('clockSkew', CLOCK_SKEW),
  }
}

function accountsOf(declared: Json | undefined): CheckScope['accounts'] {
  const accounts = isMap(declared) ? declared.accounts : undefined
  return Array.isArray(accounts) ? accounts.filter((account) => isMap(account)) : []
}

function deploymentOf({ deployment }: Result, report: Report) {
  return report.target.deployments.find(({ name }) => name === deployment)
}

let cases: readonly Case[] | undefined

/** What was expected: by the place of the judgement among those of its rule. Of a recorded request, as of any case of the suite. */
function expectationOf({ result, judgement }: Occurrence): Expectation | undefined {
  cases ??= [
    ...loadSpecification().cases,
    ...Object.values(loadShipped().profiles).flatMap((profile) => profile.cases),
  ]
  const own = cases.find(({ id }) => id === result.case)
  const of = (testCase: Case): readonly Expectation[] =>
    testCase.steps.flatMap(({ name, expect = [] }) =>
      expect.flatMap((one) =>
        one.rule === judgement.rule ? { ...(name === undefined ? {} : { of: name }), ...one } : [],
      ),
    )
  if (own === undefined) return isRecorded(result) ? cases.flatMap(of)[0] : undefined
  const place = result.judgements.filter(({ rule }) => rule === judgement.rule).indexOf(judgement)
  return of(own)[place]
}

/** Whose values are known to those who recorded it, or whose client sends them. */
function isRecorded({ case: id }: Result): boolean {
  return id.startsWith('har:')
}

function isOfLostValue({ request: { url, body } }: ShownRequest): boolean {
  return hasLostValue(url) || (body !== undefined && 'text' in body && hasLostValue(body.text))
}

function evidenceOf({ result, judgement }: Occurrence): readonly ReportExchange[] {
  return (judgement.exchanges ?? []).flatMap((at) => result.exchanges[at] ?? [])
}

/** The exchanges that show a failure, without its controls; undefined where they are not all there, or cut. */
function shownExchanges(occurrence: Occurrence): readonly ReportExchange[] | undefined {
  const own = evidenceOf(occurrence).filter((one) => !isControl(one))
  const isWhole = own.every(
    ({ request: { body } }) => body === undefined || ('text' in body && !body.truncated),
  )
  return own.length > 0 && own.length <= MAX_REQUESTS && isWhole ? own : undefined
}

/** As `evidenceOf` finds it: the request that the expectation names, else the last. */
function judgedOf(
  shown: readonly ReportExchange[],
  { of }: Expectation,
  { result }: Occurrence,
): number | undefined {
  const at = of === undefined ? -1 : shown.findLastIndex(({ label }) => label === of)
  if (of !== undefined && at < 0 && !isRecorded(result)) return undefined
  return at < 0 ? shown.length - 1 : at
}

/** With other credentials a test shows nothing: any service refuses wrong ones, whatever else is wrong with the request. */
function inWords(rule: string, checks: readonly AnswerCheck[]): string {
  if (rule === '4.1-credentials') return `the test of ${rule}, which takes wrong credentials`
  const isOfToken = checks.some(({ name }) => name === YIELDS_TOKEN || name === YIELDS_NO_TOKEN)
  return `the test of ${rule}${isOfToken ? ', which takes right credentials' : ''}`
}

function requestOf(
  { label, request }: ShownRequest,
  { result }: Occurrence,
  report: Report,
  variables: TestVariables,
  test: string,
): TestRequest {
  const { method, url, headers, body } = request
  const deployment = deploymentOf(result, report)
  const base = deployment?.baseUrl.replace(/\/$/, '')
  const isBelow = base !== undefined && base !== '' && url.startsWith(base)
  const name = result.deployment === 'default' ? '' : result.deployment
  const suffix = name === '' ? '' : `_${name.toUpperCase().replace(/\W/g, '_')}`
  const place: TextPlace = {
    service: report.target.deployments.length === 1 ? '' : name,
    test,
  }
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const text = body !== undefined && 'text' in body ? body.text : undefined
  return {
    label,
    method,
    target: variables.parts(isBelow ? url.slice(base.length) : url, 'form', place),
    base: isBelow ? `TOKEN_ASSAY_BASE_URL${suffix}` : undefined,
    headers: headers
      // The tests read no answer that is encoded.
      .filter(([header]) => !isOfTheSender(header) && header.toLowerCase() !== 'accept-encoding')
      .map(([header, value]) => [
        header,
        variables.parts(value === HIDDEN ? declaredHeader(header, deployment) : value, 'raw', {
          ...place,
          header,
        }),
      ]),
    body: text === undefined ? undefined : variables.parts(text, encodingOf(text, type), place),
  }
}

/** A header of which an exchange shows nothing, as the target shows it: with the names of its variables. */
function declaredHeader(name: string, deployment: ReturnType<typeof deploymentOf>): string {
  const headers = isMap(deployment?.declared) ? deployment.declared.headers : undefined
  const declared = Object.entries(isMap(headers) ? headers : {})
  const [, value] = declared.find(([own]) => own.toLowerCase() === name.toLowerCase()) ?? []
  return typeof value === 'string' ? value : HIDDEN
}

/** By what the body is: a form under a wrong media type is spelled as a form too. */
function encodingOf(text: string, contentType: string): Encoding {
  if (/^\s*[[{]/.test(text)) return 'json'
  return /^multipart\//i.test(contentType) || !/^[^=&\s]*=/.test(text) ? 'raw' : 'form'
}
