import type { Case, Step } from '../../../spec/model/case.js'
import type { Counterexample, Judgement } from '../../../spec/model/report.js'
import type { CaseRun } from '../../drivers/send/session/case-run.js'
import { contextOf } from '../../drivers/send/session/judge-sent.js'
import { caseRequestOf, isAccepted, send } from '../../drivers/send/session/send.js'
import type { Evidence, SentRequest, Session } from '../../drivers/send/session/session.js'
import type { StepSent } from '../../drivers/send/session/sign-in.js'
import type { Barrier } from '../../drivers/send/transport/barrier.js'
import { HttpResponse } from '../../exchange/http-response.js'
import { judge } from '../../judge/judge.js'
import type { Tally } from '../../judge/tally.js'
import { capture, capturedBy } from './capture.js'

/** One sending of a case: all of its steps, and one judgement for each of its expectations, in their order. */
export interface Attempt {
  /** In the order of sending. */
  readonly sent: readonly SentRequest[]
  readonly judgements: readonly Judgement[]
  /** The run was stopped before all responses had come. */
  readonly stopped: boolean
  /** Trouble that did not recur keeps a judgement from being made; the requests were answered in the end. */
  readonly isUnstable?: boolean
  /** A registration was lost with its connection, and nothing is known of that account: another one is to be tried. */
  readonly lost?: boolean
}

/** What many attempts of one case showed. */
export type AttemptTally = Tally<{ readonly attempt: Attempt; readonly counterexample?: Counterexample }>

/** Sends the steps of a case, one after the other unless it says otherwise, and judges every response. */
export async function attempt(run: CaseRun): Promise<Attempt> {
  const { session, testCase } = run
  const shown: SentRequest[] = []
  const steps: (readonly SentRequest[])[] = []
  let bound = run
  let unsent: string | undefined
  const sendStep = async (
    own: CaseRun,
    step: Step,
    index: number,
    shared?: Barrier,
  ): Promise<readonly StepSent[]> => {
    const label = labelOf(step, index)
    const once = async (barrier = shared): Promise<StepSent> => {
      if (step.signIn !== undefined) {
        const { signIn } = await import('../../drivers/send/session/sign-in.js')
        return signIn(own, step.signIn, label)
      }
      const request = { ...caseRequestOf(own, step, label), place: barrier?.place() }
      const answered = await send(own, request)
      // Others know it by its identity.
      const sent = step.capture === undefined ? answered : { ...answered, ...capturedBy(step) }
      return { judged: sent, shown: [sent] }
    }
    const { concurrency: length } = step
    if (length === undefined) return [await once()]
    return race(session, length, (barrier) => Array.from({ length }, () => once(barrier)))
  }
  const each = (barrier?: Barrier) => testCase.steps.map((step, index) => sendStep(run, step, index, barrier))
  const all = isRace(testCase) ? await race(session, testCase.steps.length, each) : undefined
  const begun = all ?? (testCase.sideBySide ? each() : [])
  for (const [index, step] of testCase.steps.entries()) {
    // There is nothing to wait for after requests without a response.
    if (step.waitMs !== undefined && !steps.at(-1)?.every(({ exchange }) => exchange.failure))
      await session.wait(step.waitMs)
    const copies = await (begun[index] ?? sendStep(bound, step, index))
    shown.push(...copies.flatMap((copy) => copy.shown))
    steps.push(copies.map(({ judged }) => judged))
    if (copies.some(({ judged }) => judged.exchange.lost))
      return { sent: shown, judgements: [], stopped: false, lost: true }
    const taken = capture(step, copies[0]?.judged, labelOf(step, index), session)
    if (typeof taken === 'string') {
      unsent = taken
      break
    }
    bound = { ...bound, bindings: { ...bound.bindings, ...taken } }
  }
  return {
    sent: shown,
    judgements: judgeSteps(session, testCase, steps, unsent),
    stopped: shown.some(({ exchange }) => exchange.failure?.kind === 'stopped'),
  }
}

const MAX_HOLD_MS = 2000

/** Sends requests, all of which end at the same moment: as many as may be in flight. */
function race<T>(
  { run: { limit }, deployment: { timeoutMs } }: Session,
  count: number,
  send: (barrier: Barrier) => readonly Promise<T>[],
): Promise<readonly T[]> {
  return limit.inTurn(async () => {
    const { Barrier } = await import('../../drivers/send/transport/barrier.js')
    const barrier = new Barrier(Math.min(count, limit.width), Math.min(MAX_HOLD_MS, timeoutMs / 4))
    return Promise.all(send(barrier))
  })
}

/** Whether it is about a request after another one on its connection: alone it is another request. */
function isOnOneConnection({ steps }: Case): boolean {
  return steps.some(({ at }) => at === 'one-connection')
}

/** Whether it is about a request beside another one: sent alone, what goes wrong there does not. */
function isRace({ sideBySide, steps }: Case): boolean {
  const isBeside = ({ expect = [] }: Step): boolean =>
    expect.some(({ ifAccepted }) => ifAccepted !== undefined)
  return sideBySide === true && steps.some(isBeside)
}

/**
 * Judges the responses to a case's steps: one judgement for each expectation, in their order.
 * @param sent for each step the requests that are judged
 * @param unsent why later steps were not sent
 */
export function judgeSteps(
  session: Session,
  testCase: Case,
  sent: readonly (readonly SentRequest[])[],
  unsent = 'the step was not sent',
): readonly Judgement[] {
  const judgements: Judgement[] = []
  const sentAs = (name: string): SentRequest | undefined => sent.flat().find(({ label }) => label === name)
  const answersOf = (name: string): readonly HttpResponse[] =>
    sent
      .flat()
      .flatMap(({ label, response }) => (label === name && response instanceof HttpResponse ? response : []))
  const accepted = (name: string): boolean => {
    const found = sentAs(name)
    if (found?.candidate !== undefined) return isAccepted(found, session)
    return found?.response.yieldsToken === true
  }
  for (const [index, step] of testCase.steps.entries()) {
    for (const expectation of step.expect ?? []) {
      const { of, rule } = expectation
      const copies = of === undefined ? sent[index] : sent.find(([first]) => first?.label === of)
      const judged = copies?.[0]
      if (judged === undefined) {
        judgements.push({ rule, outcome: 'cantTell', reason: unsent })
        continue
      }
      const responseOf = (name: string): HttpResponse | undefined => answersOf(name)[0]
      const context = contextOf(session, judged, copies, { responseOf, answersOf, accepted })
      judgements.push(judge(expectation, judged.response, context))
    }
  }
  return judgements
}

/** How many requests of an attempt the service refused: each may count as a failed login. */
export function countRefusals({ sent }: Attempt): number {
  return sent.filter(({ response, candidate }) => candidate === undefined && !response.yieldsToken).length
}

/**
 * What shows that an attempt failed an expectation: its requests, and the one that the expectation is about. That is the
 * last one, where the expectation's step has no name of its own.
 */
export function evidenceOf(
  testCase: Case,
  { sent }: Pick<Attempt, 'sent'>,
  index: number,
  counterexample?: Counterexample,
): Evidence {
  const expected = testCase.steps.flatMap(({ name, expect = [] }) => expect.map((one) => ({ name, ...one })))
  const { of, name, member, advances, sameAnswerAs } = expected[index] ?? {}
  const about = sent.findLast((request) => request.label === (of ?? name)) ?? sent.at(-1)
  const sameAs = sent.findLast(({ label }) => label === sameAnswerAs)
  const isOfTwo = (member?.differsFrom ?? member?.sameAs ?? advances) !== undefined
  const isCompared = isOfTwo || isRace(testCase) || isOnOneConnection(testCase)
  return { sent, about, isCompared, sameAs, ...(counterexample === undefined ? {} : { counterexample }) }
}

function labelOf({ name }: Step, index: number): string {
  return name ?? (index === 0 ? 'request' : `request ${index + 1}`)
}
