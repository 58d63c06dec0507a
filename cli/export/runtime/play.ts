import type { WireResponse } from '../../../conformance/exchange/exchange.js'
import { HttpResponse, responseOf } from '../../../conformance/exchange/http-response.js'
import { type JudgeContext, judge, resolveReference } from '../../../conformance/judge/judge.js'
import type { Outcome } from '../../../spec/model/report.js'
import { type Bindings, type PreparedRequest, prepare } from './request.js'
import type { Script, ScriptAccount, ScriptCase, ScriptStep } from './script.js'

/** What a load tool does for a script: it waits, or it sends a request and gives back the answer. */
export type Action = { readonly waitMs: number } | { readonly request: PreparedRequest }

/** An answer; undefined where none came. */
export type Received = Pick<WireResponse, 'status' | 'headers' | 'body'> | undefined

/** Tells the load tool of a check, called by its case and its rule. */
export type Check = (name: string, passed: boolean, tags: Readonly<Record<string, string>>) => void

/** One after the other. */
type Play<T> = Generator<Action, T, Received>

const FAILED_ITERATION = 'the iteration is completed'

/**
 * What a script does in one turn: it sends every case once, with one input each, and checks the answers.
 * @param turn another one for every turn of every virtual user, so that each input is sent in time
 * @param isFirst whether it is the virtual user's first
 */
export function* play(script: Script, turn: number, isFirst: boolean, check: Check): Play<void> {
  try {
    yield* playCases(script, turn, isFirst, check)
  } catch (error) {
    // To a load tool an iteration that ends in an error is one like any other.
    check(FAILED_ITERATION, false, {})
    throw error
  }
}

function* playCases(script: Script, turn: number, isFirst: boolean, check: Check): Play<void> {
  const refused = new Set<string>()
  const sampled = new Set(
    script.cases.flatMap((one, at) => (isSampled(script, turn, at) ? [one.id, one.control ?? one.id] : [])),
  )
  for (const testCase of script.cases) {
    // A case that waits would slow every turn down: each virtual user sends it once.
    if (testCase.steps.some(({ waitMs }) => waitMs !== undefined) && !isFirst) continue
    if (!sampled.has(testCase.id)) {
      yield* playUnjudged(script, testCase, turn, check)
      continue
    }
    // Where a valid request is refused, a refusal of what differs from it proves nothing.
    const isProof = testCase.control === undefined || !refused.has(testCase.control)
    if (!(yield* playCase(script, testCase, turn, isProof, check))) refused.add(testCase.id)
  }
}

/** Another case at each turn, and after a whole round of turns another input for the same case. */
function isSampled({ sample = 1 }: Script, turn: number, at: number): boolean {
  return (at + turn + Math.floor(turn / sample)) % sample === 0
}

/** Judging costs more than a request: what is not in the sample is held to its status alone, where the contract names one. */
function* playUnjudged(script: Script, testCase: ScriptCase, turn: number, check: Check): Play<void> {
  const bindings = bindingsOf(script, testCase, turn)
  for (const step of testCase.steps) {
    const sent = yield* send(script, testCase, step, bindings, check)
    if (sent === undefined) return
    const expected = statusOf(step.expect)
    const { status } = sent.response
    const isExpected = expected === '2xx' ? status >= 200 && status <= 299 : status === expected
    if (expected !== undefined) check(`${testCase.id} status`, isExpected, { case: testCase.id })
  }
}

function statusOf(expect: ScriptStep['expect']): number | '2xx' | undefined {
  const named = expect.find(({ status }) => status !== undefined)?.status
  return named ?? (expect.some(({ yieldsToken }) => yieldsToken === true) ? '2xx' : undefined)
}

interface Judged {
  readonly response: ReturnType<typeof responseOf>
  /** Whose credentials were sent. */
  readonly account: ScriptAccount
}

/** @returns whether its last answer yields a token */
function* playCase(
  script: Script,
  testCase: ScriptCase,
  turn: number,
  isProof: boolean,
  check: Check,
): Play<boolean> {
  const bindings = bindingsOf(script, testCase, turn)
  const named = new Map<string, Judged>()
  const outcomes: Outcome[] = []
  let yieldsToken = false
  for (const step of testCase.steps) {
    const sent = yield* send(script, testCase, step, bindings, check)
    if (sent === undefined) return false
    const { request, response, startedAt, receivedAt } = sent
    const { userName } = request
    const account = script.accounts.find((known) => known.userName === userName) ?? bindings.account
    const durationMs = receivedAt - startedAt
    const exchange = { request: request.sent, response, startedAt, receivedAt, durationMs }
    const own: Judged = { response: responseOf(exchange), account }
    if (step.name !== undefined) named.set(step.name, own)
    const judgeAll = (caseId: string, expect: ScriptStep['expect']): readonly Outcome[] =>
      expect.map((expected) => {
        const judged = expected.of === undefined ? own : (named.get(expected.of) ?? own)
        const { outcome } = judge(expected, judged.response, contextOf(script, judged, named))
        const tags = { case: caseId, rule: expected.rule }
        if (outcome !== 'cantTell') check(`${caseId} ${expected.rule}`, outcome === 'passed', tags)
        return outcome
      })
    outcomes.push(...(isProof ? judgeAll(testCase.id, step.expect) : (['cantTell'] as const)))
    yieldsToken = own.response instanceof HttpResponse && own.response.yieldsToken
    // Every answer that yields a token has the documented shape, whatever case it belongs to.
    if (yieldsToken && testCase.id !== script.grant.id) judgeAll(script.grant.id, script.grant.expect)
  }
  // A case that cannot be judged proves nothing: it is never green.
  if (outcomes.includes('cantTell') && !outcomes.includes('failed'))
    check(`${testCase.id} can be judged`, false, { case: testCase.id })
  return yieldsToken
}

interface SentRequest {
  readonly request: PreparedRequest
  readonly response: WireResponse
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly receivedAt: number
}

/** Bytes: a longer body is cut where `token-assay run` cuts it, and not judged. */
const MAX_BODY = 1024 * 1024

/** Sends one step; undefined where there is no answer to judge, which the check `answered` shows. */
function* send(
  script: Script,
  { id }: ScriptCase,
  { waitMs, send: template }: ScriptStep,
  bindings: Bindings,
  check: Check,
): Play<SentRequest | undefined> {
  if (waitMs !== undefined) yield { waitMs }
  const request = prepare(script, id, template, bindings)
  const startedAt = Date.now()
  const received = yield { request }
  const receivedAt = Date.now()
  const isBusy =
    received?.status === 429 ||
    (received?.status === 503 && received.headers.some(([name]) => name.toLowerCase() === 'retry-after'))
  check('answered', received !== undefined && !isBusy, { case: id })
  if (received === undefined || isBusy) return undefined
  const { status, headers, body } = received
  const response = { status, headers, body: body.subarray(0, MAX_BODY), truncated: body.length > MAX_BODY }
  return { request, response, startedAt, receivedAt }
}

function bindingsOf({ accounts, inputs }: Script, testCase: ScriptCase, turn: number): Bindings {
  const account = itemAt(accounts, testCase.account === 'throwaway' ? accounts.length - 1 : turn)
  return {
    ...Object.fromEntries(
      Object.entries(testCase.forall ?? {}).map(([variable, generator]) => [
        variable,
        itemAt(inputs[generator] ?? [], turn),
      ]),
    ),
    account,
    other: accounts.find(({ userName }) => userName !== account.userName) ?? account,
  }
}

/** One after the other, then from the beginning. */
function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined)
    throw new TypeError('a script has at least one account, and one input for each variable')
  return item
}

/** Conditions are not among it: expectations whose condition is not met are left out when the script is written. */
function contextOf(script: Script, { account }: Judged, named: ReadonlyMap<string, Judged>): JudgeContext {
  return {
    deployment: script.target,
    responseOf: (step) => {
      const response = named.get(step)?.response
      return response instanceof HttpResponse ? response : undefined
    },
    unmet: () => undefined,
    resolve: (text) => resolveReference(text, script.target, account),
  }
}
