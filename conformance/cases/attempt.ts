import type { Case, Judgement } from '../../spec/types.js'
import type { Account } from '../deployment.js'
import { judge } from '../judge.js'
import { judgeContext } from '../session/judge-context.js'
import { sendStep } from '../session/send-step.js'
import type { Sent, Session } from '../session/session.js'
import type { Bindings } from '../session/template.js'
import { Answer } from '../wire/answer.js'

/** One sending of a case: all of its steps, and one judgement for each of its expectations, in their order. */
export interface Attempt {
  /** In the order of sending. */
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
  const shown: Sent[] = []
  const steps: (readonly Sent[])[] = []
  for (const [index, step] of subject.steps.entries()) {
    // Nothing is to be learnt by waiting after an answer that did not come.
    if (step.waitMs !== undefined && shown.at(-1)?.exchange.failure === undefined)
      await session.wait(step.waitMs)
    const sent = await sendStep(session, subject.id, step.name ?? stepName(index), step, bindings, account)
    shown.push(...sent.shown)
    steps.push(sent.judged)
  }
  return {
    sent: shown,
    judgements: judgeSteps(session, subject, steps),
    stopped: shown.some(({ exchange }) => exchange.failure?.kind === 'stopped'),
  }
}

/**
 * Judges the answers to a case's steps: one judgement for each expectation, in their order.
 * @param sent for each step the requests that are judged
 */
export function judgeSteps(
  session: Session,
  subject: Case,
  sent: readonly (readonly Sent[])[],
): readonly Judgement[] {
  const judgements: Judgement[] = []
  const all = sent.flat()
  const answerOfStep = (name: string): Answer | undefined => {
    const answer = all.find(({ label }) => label === name)?.answer
    return answer instanceof Answer ? answer : undefined
  }
  for (const [index, step] of subject.steps.entries()) {
    for (const expectation of step.expect ?? []) {
      const { of, rule } = expectation
      const copies = of === undefined ? sent[index] : sent.find(([first]) => first?.label === of)
      const judged = copies?.[0]
      if (copies === undefined || judged === undefined) {
        judgements.push({ rule, outcome: 'cantTell', reason: 'the step was not sent' })
        continue
      }
      judgements.push(judge(expectation, judged.answer, judgeContext(session, judged, copies, answerOfStep)))
    }
  }
  return judgements
}

/** The requests of an attempt that the service refused: each may count as a failed login. */
export function refusals(attempt: Attempt): number {
  return attempt.sent.filter(
    ({ answer, candidate }) => candidate === undefined && !(answer instanceof Answer && answer.yieldsToken),
  ).length
}

function stepName(index: number): string {
  return index === 0 ? 'request' : `request ${index + 1}`
}
