import { type JudgeContext, judge, resolveReference } from '../../../../conformance/judge/judge.js'
import { HttpResponse, responseOf } from '../../../../conformance/wire/http-response.js'
import type { Outcome } from '../../../../spec/model/report.js'
import type { K6, Script, ScriptAccount, ScriptCase, ScriptStep } from './script.js'
import { type Bindings, send } from './send.js'

/** What a k6 script does in one iteration: it sends every case once, with one input each, and checks the answers. */
export function iterate(k6: K6, script: Script, virtualUser: number, iteration: number): void {
  try {
    sendCases(k6, script, virtualUser - 1 + iteration, iteration)
  } catch (error) {
    // k6 counts an iteration that ends in an error like any other.
    k6.check(null, { 'the iteration is completed': false }, {})
    throw error
  }
}

function sendCases(k6: K6, script: Script, turn: number, iteration: number): void {
  const refused = new Set<string>()
  const sampled = new Set(
    script.cases.flatMap((one, at) => (isSampled(script, turn, at) ? [one.id, one.control ?? one.id] : [])),
  )
  for (const testCase of script.cases) {
    // A case that waits would slow every iteration down: each virtual user sends it once.
    if (testCase.steps.some(({ waitMs }) => waitMs !== undefined) && iteration > 0) continue
    if (!sampled.has(testCase.id)) {
      sendUnjudged(k6, script, testCase, turn)
      continue
    }
    // Where a valid request is refused, a refusal of what differs from it proves nothing.
    const isProof = testCase.control === undefined || !refused.has(testCase.control)
    if (!runCase(k6, script, testCase, turn, isProof)) refused.add(testCase.id)
  }
}

/** Another case at each turn, and after a whole round of turns another input for the same case. */
function isSampled({ sample = 1 }: Script, turn: number, at: number): boolean {
  return (at + turn + Math.floor(turn / sample)) % sample === 0
}

/** Judging costs more than a request: what is not in the sample is held to its status alone, where the contract names one. */
function sendUnjudged(k6: K6, script: Script, testCase: ScriptCase, turn: number): void {
  const bindings = bindingsOf(script, testCase, turn)
  for (const { waitMs, send: template, expect } of testCase.steps) {
    if (waitMs !== undefined) k6.sleep(waitMs / 1000)
    const sent = send(k6, script, testCase.id, template, bindings)
    if (sent === undefined) return
    const status = statusOf(expect)
    const isExpected =
      status === '2xx'
        ? Math.floor(sent.exchange.response.status / 100) === 2
        : sent.exchange.response.status === status
    if (status !== undefined) k6.check(null, { [`${testCase.id} status`]: isExpected }, { case: testCase.id })
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
function runCase(k6: K6, script: Script, testCase: ScriptCase, turn: number, isProof: boolean): boolean {
  const bindings = bindingsOf(script, testCase, turn)
  const named = new Map<string, Judged>()
  const outcomes: Outcome[] = []
  let yieldsToken = false
  for (const step of testCase.steps) {
    if (step.waitMs !== undefined) k6.sleep(step.waitMs / 1000)
    const sent = send(k6, script, testCase.id, step.send, bindings)
    if (sent === undefined) return false
    const { exchange, userName } = sent
    const account = script.accounts.find((known) => known.userName === userName) ?? bindings.account
    const own: Judged = { response: responseOf(exchange), account }
    if (step.name !== undefined) named.set(step.name, own)
    const check = (caseId: string, expect: ScriptStep['expect']): readonly Outcome[] =>
      expect.map((expected) => {
        const judged = expected.of === undefined ? own : (named.get(expected.of) ?? own)
        const { outcome } = judge(expected, judged.response, contextOf(script, judged, named))
        const tags = { case: caseId, rule: expected.rule }
        if (outcome !== 'cantTell')
          k6.check(null, { [`${caseId} ${expected.rule}`]: outcome === 'passed' }, tags)
        return outcome
      })
    outcomes.push(...(isProof ? check(testCase.id, step.expect) : (['cantTell'] as const)))
    yieldsToken = own.response instanceof HttpResponse && own.response.yieldsToken
    // Every answer that yields a token has the documented shape, whatever case it belongs to.
    if (yieldsToken && testCase.id !== script.grant.id) check(script.grant.id, script.grant.expect)
  }
  // A case that cannot be judged proves nothing: it is never green.
  if (outcomes.includes('cantTell') && !outcomes.includes('failed'))
    k6.check(null, { [`${testCase.id} can be judged`]: false }, { case: testCase.id })
  return yieldsToken
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
