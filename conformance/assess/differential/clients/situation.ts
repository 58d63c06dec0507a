import type { Credentials } from '../../../../spec/generated/types/client-scenarios.js'
import type { ReceivedRequest } from '../../../drivers/host/host-client.js'
import { type PairProbe, probeKey } from '../../../drivers/pair/probe.js'
import type { PairSide } from '../../../drivers/pair/service-pair.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import type { WireResponse } from '../../../exchange/exchange.js'
import { type AnswerPair, type ServiceAnswers, sentForSteps } from '../ask/service-side.js'
import type { Discrepancy } from '../compare/discrepancies.js'
import { traitsOf } from '../isolate/request-traits.js'
import { type Concern, concernOf, isConcerned } from './concerns.js'
import { ownAnswer } from './own-answer.js'
import { MIN_IN_TEXT, type StandIns } from './stand-ins.js'

/** What a finding shows: both sides' answers to its request. */
export interface ShownDifference {
  readonly probe: PairProbe
  readonly discrepancy: Discrepancy
  readonly pair: AnswerPair
}

/** An answer as a client gets it, or a connection that ends without one. */
export type ServedAnswer = WireResponse | 'reset'

export interface Situation {
  /** The same request has the same one: the old answer is the same too. */
  readonly key: string
  readonly credentials: Credentials
  readonly answers: Readonly<Record<PairSide, ServedAnswer>>
  /** To a request that the finding is not about. */
  readonly otherwise: ServedAnswer
  /** Why one of the answers cannot be served, in whose place the plain one is: it shows whom the finding concerns, no more. */
  readonly unserved?: string
  readonly concerns: (request: ReceivedRequest) => boolean
  /** What a client may know, and no output may show. */
  readonly secrets: readonly string[]
}

export interface SituationMeans {
  /** The old service's answer to the plain login, as clients get it. */
  readonly plain: ServedAnswer
  readonly standIns: StandIns
  /** Whether nothing secret is in it. */
  readonly isClean: (text: string) => boolean
}

/** Why clients cannot be tried with a finding: no sign-in of theirs meets it. */
export class NotTried extends Error {}

/** Why an answer cannot be served: whom it breaks is not known. */
export class NotServed extends Error {}

/** The sign-in that a finding is about. @throws NotTried */
export function situationOf(shown: ShownDifference, { plain, standIns, isClean }: SituationMeans): Situation {
  const { probe, discrepancy, pair } = shown
  const at = discrepancy.step
  const concern = concernIn(shown)
  const given = credentialsOf(pair.old, at)
  const credentials = {
    userName: standIns.text(given.userName),
    password: given.password === '' ? '' : standIns.of(given.password),
  }
  const served = (side: PairSide): ServedAnswer | NotServed => {
    const answer = answerTo(sentForSteps(pair[side])[at])
    if (answer === 'reset' || answer instanceof NotServed) return answer
    const { userName } = credentialsOf(pair[side], at)
    const shownAnswer = standIns.answer(renamed(answer, userName, given.userName), isClean)
    return shownAnswer ?? new NotServed('an answer may hold a secret that has no stand-in')
  }
  const [old, now] = [served('old'), served('new')]
  const unserved = [old, now].find((answer) => answer instanceof NotServed)
  const answers =
    old instanceof NotServed || now instanceof NotServed
      ? { old: plain, new: plain }
      : { old, new: old === 'reset' || now === 'reset' ? now : ownAnswer(old, now, discrepancy.differences) }
  const grants = (side: PairSide): boolean => sentForSteps(pair[side])[at]?.response.yieldsToken === true
  return {
    key: JSON.stringify([probeKey(probe), at]),
    credentials,
    answers,
    ...(unserved === undefined ? {} : { unserved: unserved.message }),
    otherwise: grants('old') ? answers.old : grants('new') ? answers.new : plain,
    concerns: (request) => isConcerned(concern, request, credentials),
    secrets: standIns.shown,
  }
}

function concernIn({ probe, discrepancy: { step: at, differences }, pair }: ShownDifference): Concern {
  const { steps } = probe.testCase
  const step = steps[at]
  if (step?.register !== undefined) throw new NotTried('it is about a registration')
  if (step?.send === undefined) throw new NotTried('it is about a sign-in through a provider')
  if (!steps.slice(0, at).every(({ register }) => register !== undefined))
    throw new NotTried('it takes several requests')
  const isAbout = (place: string): boolean =>
    differences.length > 0 && differences.every(({ at }) => at === place)
  if (isAbout('token reuse')) throw new NotTried('it takes several sign-ins')
  if (isAbout('header date')) throw new NotTried('what is served here always has a `Date`')
  const { userName, password } = credentialsOf(pair.old, at)
  if (/\0/.test(userName + password)) throw new NotTried('no variable of an environment can hold a NUL')
  const concern = concernOf(traitsOf(probe, at), step.send)
  if ('unseen' in concern)
    throw new NotTried(`no request of a client can be taken for one with ${concern.unseen.phrase}`)
  return concern
}

function answerTo(sent: SentRequest | undefined): ServedAnswer | NotServed {
  const { response, failure } = sent?.exchange ?? {}
  if (failure?.kind === 'reset') return 'reset'
  if (failure !== undefined || response === undefined || response.truncated)
    return new NotServed(`an answer cannot be repeated: ${failure?.message ?? 'it is too long'}`)
  return response
}

/** What a person would have typed: the credentials of the request, or the account's where it has none. */
function credentialsOf(answers: ServiceAnswers, at: number): Credentials {
  const { form = [] } = sentForSteps(answers)[at]?.prepared ?? {}
  const value = (name: string): string | undefined =>
    form.find((pair) => pair.name.toLowerCase() === name)?.value.wire
  const { userName, password } = answers.run.account
  return { userName: value('username') ?? userName, password: value('password') ?? password }
}

/** A new account has another name at each side. */
function renamed(answer: WireResponse, own: string, other: string): WireResponse {
  if (own === other || own.length < MIN_IN_TEXT) return answer
  return {
    ...answer,
    body: Buffer.from(
      Buffer.from(answer.body)
        .toString()
        .replaceAll(own, () => other),
    ),
  }
}
