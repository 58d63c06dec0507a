import type { CheckContext } from '../checks/finding.js'
import { unmetCondition } from '../condition.js'
import type { Account } from '../deployment.js'
import type { JudgeContext } from '../judge.js'
import { Answer } from '../wire/answer.js'
import type { Sent, Session } from './session.js'

/** What the expectations about `sent` are judged in. @param copies the answers to all requests of its step */
export function judgeContext(
  session: Session,
  sent: Sent,
  copies: readonly Sent[],
  answerOfStep: CheckContext['answerOf'],
): JudgeContext {
  const { deployment } = session
  return {
    deployment,
    answerOf: answerOfStep,
    copies: copies.map(({ answer }) => (answer instanceof Answer ? answer : undefined)),
    ...(deployment.registration === undefined ? {} : { registration: deployment.registration }),
    ...(sent.candidate === undefined ? {} : { candidate: sent.candidate }),
    unmet: (condition) =>
      unmetCondition(condition, deployment, session.strict, session.sibling !== undefined),
    resolve: (text) => resolveReference(text, session, sent.account),
  }
}

function resolveReference(
  text: string,
  { deployment }: Session,
  account: Account | undefined,
): string | undefined {
  switch (text) {
    case '$target.tokenLifetime':
      return String(deployment.tokenLifetime)
    case '$account.userName':
      return account?.userName
    case '$account.userId':
      return account?.userId
    default:
      return text
  }
}
