import { isDeepStrictEqual } from 'node:util'
import { failureKind } from '../../../../reports/model/known-failures/fingerprint.js'
import type { Case, Step } from '../../../../spec/model/case.js'
import type { Expectation } from '../../../../spec/model/expectation.js'
import type { Judgement } from '../../../../spec/model/report.js'
import { singleRequests } from '../../../drivers/pair/probe.js'
import { judgeSent } from '../../../drivers/send/session/judge-sent.js'
import { foldName } from '../../../drivers/send/session/send.js'
import type { SentRequest, Session } from '../../../drivers/send/session/session.js'
import { pairsOf } from '../../../exchange/form-pairs.js'
import { HttpResponse, textIn } from '../../../exchange/http-response.js'
import { unmetCondition } from '../../../target/unmet-condition.js'
import { judgeSteps } from '../../suite/attempt.js'
import { type ServiceAnswers, sentForSteps } from '../ask/service-side.js'
import { firstLoginOf, isFreeAgain, isInScope, refusedForms } from './case-scope.js'

interface JudgedRule {
  readonly rule: string
  /** In words, without values. */
  readonly how: string
  readonly at: string
  readonly step: number
  /** It applies to every such answer, so it says nothing of the request. */
  readonly ofEvery: boolean
}

export interface BrokenRule extends JudgedRule {
  /** The answer's user name is the one that was sent, or the account's, in another spelling. */
  readonly isSpelling: boolean
}

/**
 * The rules that the answers to a probe break, by the suite's own judge: the rules of a case that sends the same, the rules
 * of property-based cases whose scope the final bytes are in, and the rules of every token and every registration.
 */
export function brokenRules(answers: ServiceAnswers): readonly BrokenRule[] {
  const rules = judged.get(answers) ?? judgeAnswers(answers)
  judged.set(answers, rules)
  return rules
}

/** Each difference of an answer asks for them. */
const judged = new WeakMap<ServiceAnswers, readonly BrokenRule[]>()

function judgeAnswers(answers: ServiceAnswers): readonly BrokenRule[] {
  const { session, testCase } = answers.run
  const { deployment, run } = session
  const sent = sentForSteps(answers)
  const cases = [...run.specification.cases].filter(
    ({ when }) => when === undefined || unmetCondition(when, deployment, run.strict) === undefined,
  )
  const same = cases.filter((known) => isSame(known.steps, testCase.steps) && isDrawnFor(known, testCase))
  const judgeEach = (one: SentRequest, step: number, known: readonly Case[], ofEvery: boolean) =>
    known
      .flatMap(({ steps }) => steps.flatMap(({ expect = [] }) => expect))
      .filter(({ of, needs }) => !of && !needs)
      .flatMap((expectation) => broken(expectation, judgeSent(session, expectation, one), one, step, ofEvery))
  const judgeOne = (one: SentRequest, step: number) => {
    const registered = firstLoginOf(sent, step, answers)
    const asked = [
      ...(registered === undefined ? [] : firstLogins(cases, registered === 'accepted')),
      ...(isFreeAgain(sent, step, answers) ? laterRegistrations(cases) : []),
      ...refusedForms(cases, one, answers),
    ]
    const inScope = cases.filter((known) => registered !== 'accepted' && isInScope(known, one, answers))
    return [
      ...asked.flatMap((expected) => broken(expected, judgeSent(session, expected, one), one, step, false)),
      ...judgeEach(one, step, inScope, false),
    ]
  }
  const all = [
    ...same.flatMap((known) => judgeWhole(answers, known, sent)),
    ...sent.flatMap((one, step) => [
      ...judgeOne(one, step),
      ...judgeEach(one, step, invariants(cases, one), true),
    ]),
  ]
  const byPlace = new Map(all.map((one) => [`${one.rule} ${one.at} ${one.step}`, one]))
  return [...byPlace.values()].flatMap((one) => {
    const isName = one.at === '/userName'
    if (isName && isTrimmedName(sent[one.step])) return []
    return { ...one, isSpelling: isName && hasOtherSpelling(sent[one.step], session) }
  })
}

/** What is expected of the first login of a new account, however the account was registered, or that was rejected. */
function firstLogins(cases: readonly Case[], isAccepted: boolean): readonly Expectation[] {
  const logins = cases.flatMap(({ steps: [first, second] }) =>
    first?.register !== undefined && second?.send !== undefined ? (second.expect ?? []) : [],
  )
  return logins.filter(({ yieldsToken, rule }) => yieldsToken === isAccepted && rule === '8-R1').slice(0, 1)
}

/** What is expected of a registration whose user name or address was rejected before, whatever for. */
function laterRegistrations(cases: readonly Case[]): readonly Expectation[] {
  const expected = cases.flatMap(({ steps }) => steps.flatMap(({ expect = [] }) => expect))
  const asked = expected.find(({ ifRejected, registered }) => ifRejected !== undefined && registered === true)
  return asked === undefined ? [] : [{ rule: asked.rule, registered: true }]
}

/** By a case that sends the same requests. */
function judgeWhole(
  { run: { session } }: ServiceAnswers,
  known: Case,
  sent: readonly SentRequest[],
): readonly JudgedRule[] {
  const named = sent.map((one, index) => [{ ...one, label: known.steps[index]?.name ?? one.label }])
  const judgements = judgeSteps(session, known, named)
  const expected = known.steps.flatMap(({ expect = [] }, step) => expect.map((one) => ({ one, step })))
  return expected.flatMap(({ one, step }, index) => broken(one, judgements[index], sent[step], step, false))
}

/** Nothing where the rule holds. A connection that ends without an answer breaks the rules that ask for one. */
function broken(
  expectation: Expectation,
  judgement: Judgement | undefined,
  sent: SentRequest | undefined,
  step: number,
  ofEvery: boolean,
): readonly JudgedRule[] {
  if (judgement === undefined) return []
  const { rule, outcome } = judgement
  const isAnswered = sent?.response instanceof HttpResponse
  const isMissing = !isAnswered && outcome === 'cantTell' && expectation.yieldsToken !== false
  if (outcome !== 'failed' && !isMissing) return []
  const at = placeOf(expectation, judgement)
  // A refusal for another reason breaks it in the same way, and a success does not.
  const how = at === 'status' ? String(judgement.actual).charAt(0) : failureKind(judgement, false)
  return [{ rule, how, at, step, ofEvery }]
}

/** A service may have trimmed what it was registered with: which name that is, is not judged. */
function isTrimmedName(sent: SentRequest | undefined): boolean {
  const own = sent?.account?.userName
  if (own === undefined || !(sent?.response instanceof HttpResponse)) return false
  return own !== own.trim() && textIn(sent.response, 'userName') === own.trim()
}

/**
 * Letter case and outer white space are judged (2.1/user-name-in-other-case, 2.1/user-name-with-outer-space); what a service
 * makes of normalisation is not.
 */
function hasOtherSpelling(sent: SentRequest | undefined, { registeredAccounts }: Session): boolean {
  if (!(sent?.response instanceof HttpResponse)) return false
  const [asked, own] = [sent.prepared.userName ?? '', sent.account?.userName]
  const answered = textIn(sent.response, 'userName')
  if (answered === undefined) return false
  if (own !== undefined && foldName(asked) === foldName(own))
    return answered.trim() === own.trim() && registeredAccounts.has(answered)
  const fold = (name: string): string => foldName(name.normalize('NFKC'))
  return [asked, own].some((name) => name !== undefined && fold(name) === fold(answered))
}

/** Values come from the generators of the case. One of a single step is judged by its scope, whichever case drew it. */
function isDrawnFor({ forall, steps }: Case, own: Case): boolean {
  return forall === undefined || (steps.length > 1 && isDeepStrictEqual(forall, own.forall))
}

function isSame(known: readonly Step[], own: readonly Step[]): boolean {
  return bareTextOf(known) === bareTextOf(own)
}

const bareTexts = new WeakMap<readonly Step[], string>()

/** What steps send, as a text: that of a case is compared with each probe. */
function bareTextOf(steps: readonly Step[]): string {
  const known = bareTexts.get(steps)
  if (known !== undefined) return known
  const bare = (singleRequests(steps) ?? steps).map(({ name: _, expect: __, send, ...rest }) => ({
    ...rest,
    ...(send && { send: { ...send, ...(send.form && { form: pairsOf(send.form) }) } }),
  }))
  const text = JSON.stringify(bare)
  bareTexts.set(steps, text)
  return text
}

/** The cases with the rules of every answer that yields a token, or of every registration. */
function invariants(cases: readonly Case[], { response, candidate }: SentRequest): readonly Case[] {
  if (!(response instanceof HttpResponse)) return []
  const kind = candidate !== undefined ? 'registration' : response.yieldsToken ? 'token' : undefined
  return cases.filter(({ invariant }) => invariant !== undefined && invariant === kind)
}

function placeOf({ member, ...asked }: Expectation, { pointer }: Judgement): string {
  if (member?.follows !== undefined) return 'order'
  if (asked.jsonObject) return 'JSON'
  if (pointer !== undefined) return pointer
  if (member !== undefined) return `/${member.name}`
  if (asked.exactNames ?? asked.hasMembers ?? asked.onlyMembers) return 'members'
  if (asked.status !== undefined) return 'status'
  if (asked.mediaType !== undefined) return 'media type'
  if (asked.span ?? asked.nearResponseTime) return '/.issued'
  if (asked.json ?? asked.says ?? asked.listedMessages ?? asked.neverSays) return 'body'
  return 'outcome'
}
