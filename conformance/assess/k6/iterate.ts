import type { Outcome } from '../../../spec/model/report.js'
import type { K6 } from '../../drivers/k6/k6.js'
import { HttpResponse, type ResponseOrReason, responseOf } from '../../exchange/http-response.js'
import { type JudgeContext, judge, resolveReference } from '../../judge/judge.js'
import type { Script, ScriptAccount, ScriptCase, ScriptStep } from './script.js'
import { type Iteration, sendCase } from './send-case.js'

/** What a k6 script does in one iteration: it sends every case once, with one input each, and checks the answers. */
export function iterate(k6: K6, script: Script, virtualUser: number, iteration: number): void {
  try {
    // Another turn for every iteration of every virtual user, so that each input is sent in time.
    sendAll({ k6, script, turn: virtualUser - 1 + iteration }, iteration === 0)
  } catch (error) {
    // To k6 an iteration that ends in an error is one like any other.
    k6.check(null, { 'the iteration is completed': false }, {})
    throw error
  }
}

function sendAll(iteration: Iteration, isFirst: boolean): void {
  const { script, turn } = iteration
  const refused = new Set<string>()
  const sampled = new Set(
    script.cases.flatMap((one, at) => (isSampled(script, turn, at) ? [one.id, one.control ?? one.id] : [])),
  )
  for (const testCase of script.cases) {
    // A case that waits would slow every iteration down: each virtual user sends it once.
    if (testCase.steps.some(({ waitMs }) => waitMs !== undefined) && !isFirst) continue
    if (!sampled.has(testCase.id)) {
      checkStatuses(iteration, testCase)
      continue
    }
    // Where a valid request is refused, a refusal of what differs from it proves nothing.
    const isProof = testCase.control === undefined || !refused.has(testCase.control)
    if (!judgeCase(iteration, testCase, isProof)) refused.add(testCase.id)
  }
}

/** Another case at each turn, and after a whole round of turns another input for the same case. */
function isSampled({ sample = 1 }: Script, turn: number, at: number): boolean {
  return (at + turn + Math.floor(turn / sample)) % sample === 0
}

/** Judging costs more than a request: what is not in the sample is held to its status alone, where the contract names one. */
function checkStatuses(iteration: Iteration, testCase: ScriptCase): void {
  for (const { step, response } of sendCase(iteration, testCase)) {
    const expected = statusOf(step.expect)
    if (expected === undefined) continue
    const { status } = response
    const isExpected = expected === '2xx' ? status >= 200 && status <= 299 : status === expected
    iteration.k6.check(null, { [`${testCase.id} status`]: isExpected }, { case: testCase.id })
  }
}

function statusOf(expect: ScriptStep['expect']): number | '2xx' | undefined {
  const named = expect.find(({ status }) => status !== undefined)?.status
  return named ?? (expect.some(({ yieldsToken }) => yieldsToken === true) ? '2xx' : undefined)
}

interface JudgedStep {
  readonly response: ResponseOrReason
  readonly account: ScriptAccount
}

/**
 * Sends a case and judges its answers: one check for each expectation, called by its case and its rule.
 * @param isProof whether its control was accepted @returns whether its last answer yields a token
 */
function judgeCase(iteration: Iteration, testCase: ScriptCase, isProof: boolean): boolean {
  const { k6, script } = iteration
  const named = new Map<string, JudgedStep>()
  const outcomes: Outcome[] = []
  let answered = 0
  let yieldsToken = false
  for (const { step, exchange, account } of sendCase(iteration, testCase)) {
    answered += 1
    const own: JudgedStep = { response: responseOf(exchange), account }
    if (step.name !== undefined) named.set(step.name, own)
    const judgeAll = (caseId: string, expect: ScriptStep['expect']): readonly Outcome[] =>
      expect.map((expected) => {
        const judged = expected.of === undefined ? own : (named.get(expected.of) ?? own)
        const { outcome } = judge(expected, judged.response, contextOf(script, judged, named))
        if (outcome !== 'cantTell') {
          const tags = { case: caseId, rule: expected.rule }
          k6.check(null, { [`${caseId} ${expected.rule}`]: outcome === 'passed' }, tags)
        }
        return outcome
      })
    outcomes.push(...(isProof ? judgeAll(testCase.id, step.expect) : (['cantTell'] as const)))
    yieldsToken = own.response instanceof HttpResponse && own.response.yieldsToken
    // Every answer that yields a token has the documented shape, whatever case it belongs to.
    if (yieldsToken && testCase.id !== script.grant.id) judgeAll(script.grant.id, script.grant.expect)
  }
  if (answered < testCase.steps.length) return false
  // A case that cannot be judged proves nothing: it is never green.
  if (outcomes.includes('cantTell') && !outcomes.includes('failed'))
    k6.check(null, { [`${testCase.id} can be judged`]: false }, { case: testCase.id })
  return yieldsToken
}

/** Expectations whose condition is not met are left out when the script is written. */
function contextOf(
  { target }: Script,
  { account }: JudgedStep,
  named: ReadonlyMap<string, JudgedStep>,
): JudgeContext {
  return {
    deployment: target,
    responseOf: (step) => {
      const response = named.get(step)?.response
      return response instanceof HttpResponse ? response : undefined
    },
    unmet: () => undefined,
    resolve: (text) => resolveReference(text, target, account),
  }
}
