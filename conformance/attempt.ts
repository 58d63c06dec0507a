import type { Case, Judgement } from '../spec/types.js'
import type { Account } from './deployment.js'
import { judge } from './judge.js'
import { judgeContext, type Sent, type Session, send } from './session.js'
import type { Bindings } from './template.js'

/** One sending of a case: all of its steps, and one judgement for each of its expectations, in their order. */
export interface Attempt {
  readonly sent: readonly Sent[]
  readonly judgements: readonly Judgement[]
  /** The run was stopped while it was on its way. */
  readonly stopped: boolean
}

/** Sends the steps of a case, one after the other, and judges every answer. */
export async function attemptCase(
  session: Session,
  subject: Case,
  bindings: Bindings,
  account: Account,
): Promise<Attempt> {
  const sent: Sent[] = []
  for (const [index, step] of subject.steps.entries()) {
    if (step.waitMs !== undefined) await session.wait(step.waitMs)
    sent.push(await send(session, subject.id, step.name ?? stepName(index), step.send, bindings, account))
  }
  return {
    sent,
    judgements: judgeSteps(session, subject, sent),
    stopped: sent.some(({ exchange }) => exchange.failure?.kind === 'stopped'),
  }
}

/** Judges the answers to a case's steps: one judgement for each expectation, in their order. */
export function judgeSteps(session: Session, subject: Case, sent: readonly Sent[]): readonly Judgement[] {
  const judgements: Judgement[] = []
  for (const [index, step] of subject.steps.entries()) {
    const own = sent[index]
    for (const expectation of step.expect ?? []) {
      const judged = expectation.of === undefined ? own : sent.find(({ label }) => label === expectation.of)
      if (judged === undefined) {
        judgements.push({ rule: expectation.rule, outcome: 'cantTell', reason: 'the step was not sent' })
      } else judgements.push(judge(expectation, judged.answer, judgeContext(session, judged, sent)))
    }
  }
  return judgements
}

/** The requests of an attempt that the service refused: each may count as a failed login. */
export function refusals(attempt: Attempt): number {
  return attempt.sent.filter(({ answer }) => !('yieldsToken' in answer && answer.yieldsToken)).length
}

function stepName(index: number): string {
  return index === 0 ? 'request' : `request ${index + 1}`
}
