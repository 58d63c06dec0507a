import type { Outcome } from '../../../spec/model/report.js'
import { HttpResponse, type ResponseOrReason, responseOf } from '../../exchange/http-response.js'
import { type JudgeContext, judge, resolveReference } from '../../judge/judge.js'
import type { Script, ScriptAccount, ScriptCase, ScriptStep } from './script.js'
import { type Iteration, sendCase } from './send-case.js'

interface JudgedStep {
  readonly response: ResponseOrReason
  readonly account: ScriptAccount
}

/**
 * Sends a case and judges its answers: one check for each expectation, called by its case and its rule.
 * @param isProof whether its control was accepted @returns whether its last answer yields a token
 */
export function judgeCase(iteration: Iteration, testCase: ScriptCase, isProof: boolean): boolean {
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
