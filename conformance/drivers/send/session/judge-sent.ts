import type { Expectation } from '../../../../spec/model/expectation.js'
import type { Judgement } from '../../../../spec/model/report.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { type JudgeContext, judge, resolveReference } from '../../../judge/judge.js'
import { unmetCondition } from '../../../target/unmet-condition.js'
import type { SentRequest, Session } from './session.js'

/**
 * What the response to one request of a case is judged in.
 * @param copies all requests of its step, where it sent several at once
 * @param steps of the other steps of the case, by their names: the response, and whether it was accepted
 */
export function contextOf(
  session: Session,
  sent: SentRequest,
  copies: readonly SentRequest[] = [sent],
  steps: Pick<JudgeContext, 'responseOf' | 'answersOf' | 'accepted'> = { responseOf: () => undefined },
): JudgeContext {
  const { deployment, run, sibling } = session
  return {
    deployment,
    ...steps,
    copies: copies.map(({ response }) => (response instanceof HttpResponse ? response : undefined)),
    registration: deployment.registration,
    candidate: sent.candidate,
    grantType: sent.prepared.form?.find(({ name }) => name === 'grant_type')?.value.wire,
    unmet: (condition) => unmetCondition(condition, deployment, run.strict, sibling !== undefined),
    resolve: (text) => resolveReference(text, deployment, sent.account),
    checks: run.checks,
  }
}

export function judgeSent(session: Session, expectation: Expectation, sent: SentRequest): Judgement {
  return judge(expectation, sent.response, contextOf(session, sent))
}
