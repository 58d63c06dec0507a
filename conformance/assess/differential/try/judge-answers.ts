import type { Case, Step } from '../../../../spec/model/case.js'
import type { Expectation } from '../../../../spec/model/expectation.js'
import type { Judgement } from '../../../../spec/model/report.js'
import type { Asked } from '../../../drivers/pair/side.js'
import { scopeOf } from '../../../drivers/send/session/case-run.js'
import { judgeSent } from '../../../drivers/send/session/judge-sent.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import type { Scope } from '../../../generators/generator.js'
import type { Candidate } from '../../../target/accounts/fresh-account.js'
import { unmetCondition } from '../../../target/unmet-condition.js'
import { judgeSteps } from '../../suite/attempt.js'
import { variablesOf } from '../../suite/forall-inputs.js'
import type { Part } from '../compare/parts.js'

/** A rule that an answer breaks, and where. */
export interface Broken {
  readonly rule: string
  readonly at: string
  /** Of the answer to which step. */
  readonly step: number
  /** It is asked of every such answer: it says nothing of the request. */
  readonly ofEvery: boolean
}

/**
 * The rules that the answers to a probe break, by the suite's own judge: those of a case that asks the same, those that
 * the final bytes put a request into the scope of, and those of every token and of every registration.
 */
export function brokenRules(asked: Asked): readonly Broken[] {
  const { session, testCase } = asked.run
  const sent = asked.sent.filter(({ label }) => label !== 'prepare')
  const { cases } = session.run.specification
  const applies = [...cases].filter(
    ({ when }) =>
      when === undefined || unmetCondition(when, session.deployment, session.run.strict) === undefined,
  )
  const same = applies.filter(({ forall, steps }) => forall === undefined && isSame(steps, testCase.steps))
  const whole = same.flatMap((known) => {
    const steps = sent.map((one, index): readonly SentRequest[] => [
      { ...one, label: known.steps[index]?.name ?? one.label },
    ])
    const judgements = judgeSteps(session, known, steps)
    const expected = known.steps.flatMap(({ expect = [] }, step) => expect.map((one) => ({ ...one, step })))
    return expected.flatMap(({ step, ...one }, index) =>
      broken([one], judgements.slice(index, index + 1), step, { answered: isAnswered(sent[step]) }),
    )
  })
  const judgeEach = (
    one: SentRequest,
    step: number,
    known: readonly Case[],
    ofEvery: boolean,
  ): readonly Broken[] =>
    known.flatMap(({ steps }) => {
      const expectations = steps.flatMap(({ expect = [] }) => expect.filter(({ of, needs }) => !of && !needs))
      const judgements = expectations.map((expectation) => judgeSent(session, expectation, one))
      return broken(expectations, judgements, step, { ofEvery, answered: isAnswered(one) })
    })
  const single = sent.flatMap((one, step) => [
    ...judgeEach(
      one,
      step,
      applies.filter((known) => concerns(known, one, asked)),
      false,
    ),
    ...judgeEach(one, step, invariants(applies, one), true),
  ])
  const all = [...whole, ...single]
  return [...new Map(all.map((one) => [`${one.rule} ${one.at} ${one.step}`, one])).values()]
}

/** A connection that ends without an answer each time is none to wait for: the answer that is asked for does not come. */
function isAnswered(sent: SentRequest | undefined): boolean {
  return sent?.response instanceof HttpResponse
}

function broken(
  expectations: readonly Expectation[],
  judgements: readonly Judgement[],
  step: number,
  { ofEvery = false, answered = true }: { readonly ofEvery?: boolean; readonly answered?: boolean },
): readonly Broken[] {
  return expectations.flatMap((expectation, index) => {
    const judgement = judgements[index]
    const isMissing = !answered && judgement?.outcome === 'cantTell' && expectation.yieldsToken !== false
    return judgement?.outcome === 'failed' || (judgement !== undefined && isMissing)
      ? [{ rule: judgement.rule, at: placeOf(expectation, judgement), step, ofEvery }]
      : []
  })
}

function isSame(known: readonly Step[], own: readonly Step[]): boolean {
  const bare = (steps: readonly Step[]): string =>
    JSON.stringify(
      steps.map(({ name: _, expect: __, send, ...rest }) => ({
        ...rest,
        ...(send && { send: { ...send, ...(send.form && { form: pairsText(send.form) }) } }),
      })),
    )
  return bare(known) === bare(own)
}

function pairsText(form: NonNullable<NonNullable<Step['send']>['form']>): unknown {
  return Array.isArray(form) ? form : Object.entries(form)
}

/** Whether the final bytes, or the new account, are of the class that a property-based case is about. */
function concerns(known: Case, sent: SentRequest, { run }: Asked): boolean {
  const [step] = known.steps
  if (known.forall === undefined || known.steps.length !== 1 || step === undefined || known.invariant)
    return false
  const { wire } = sent.prepared
  const own = scopeOf(run)
  // The accounts that were made are as known as the declared ones.
  const [first, ...others] = own.deployment.accounts
  const accounts = [first, ...others, ...run.session.registeredAccounts.values()] as const
  const scope: Scope = { ...own, deployment: { ...own.deployment, accounts } }
  if (step.register !== undefined) {
    const { candidate } = sent
    // The class is of one field: the others are plain, and no other account has them.
    const registrations = run.testCase.steps.flatMap(({ register }) => register ?? [])
    const [asked] = registrations
    const isOther = Object.keys(asked ?? {}).some((name) => !Object.hasOwn(step.register ?? {}, name))
    return (
      candidate !== undefined &&
      isUsual(candidate) &&
      registrations.length === 1 &&
      !isOther &&
      variablesOf(known).every(([, generator]) => generator.inScope(wire, scope, candidate))
    )
  }
  const isPlain =
    wire.method === 'POST' &&
    wire.path === `${run.session.basePath}/Token` &&
    isUsualForm(wire.body) &&
    !hasOddHeaders(wire.headers)
  return (
    sent.candidate === undefined &&
    isPlain &&
    (step.send?.contentType !== undefined || !hasOtherMediaType(wire.headers)) &&
    variablesOf(known).every(([, generator]) => generator.inScope(wire, scope))
  )
}

/** What a service makes of longer and odder ones is not judged. */
function isUsual({ userName, password }: Candidate): boolean {
  return (
    userName.wire.length <= 16 && password.wire.length <= 64 && /^(?!.*(.)\1\1)[!-~]*$/.test(password.wire)
  )
}

/** Limits of size are not shown (8-R4): bytes. */
const LARGE = 8192
const CONTROLS = /%[01][\da-f]|%7f/i

/** Other parameters, control characters and long texts are observed. */
function isUsualForm(body: Uint8Array | undefined): boolean {
  if (body === undefined) return true
  const text = new TextDecoder().decode(body)
  if (body.length > LARGE || CONTROLS.test(text)) return false
  return [...new URLSearchParams(text).keys()].every((name) => NAMES.has(name))
}

const NAMES = new Set(['grant_type', 'username', 'password'])

/** A form in another character set, or with parameters that a form has not. */
const ODD_FORM = /^application\/x-www-form-urlencoded\s*;(?!\s*charset\s*=\s*"?utf-8"?\s*$)/i

/** It is judged by the cases that send another one. */
function hasOtherMediaType(headers: readonly (readonly [string, string])[]): boolean {
  return headers.some(([name, value]) => /^content-type$/i.test(name) && value !== FORM)
}

const FORM = 'application/x-www-form-urlencoded'

/** What a service makes of these is its own affair. */
function hasOddHeaders(headers: readonly (readonly [string, string])[]): boolean {
  return headers.some(([name, value]) => !/^content-type$/i.test(name) || ODD_FORM.test(value))
}

/** Rules of every answer that yields a token, or to a registration. */
function invariants(cases: readonly Case[], { response, candidate }: SentRequest): readonly Case[] {
  if (!(response instanceof HttpResponse)) return []
  const kind = candidate !== undefined ? 'registration' : response.yieldsToken ? 'token' : undefined
  return cases.filter(({ invariant }) => invariant !== undefined && invariant === kind)
}

/** Which part of an answer a judgement is about. */
function placeOf({ member, ...asked }: Expectation, { pointer }: Judgement): string {
  if (member?.follows !== undefined) return 'order'
  if (pointer !== undefined) return pointer
  if (member !== undefined) return `/${member.name}`
  if (asked.exactNames ?? asked.hasMembers ?? asked.onlyMembers) return 'members'
  if (asked.status !== undefined) return 'status'
  if (asked.mediaType !== undefined) return 'media type'
  if (asked.jsonObject) return 'JSON'
  if (asked.span ?? asked.nearResponseTime) return '/.issued'
  if (asked.json ?? asked.says ?? asked.listedMessages ?? asked.neverSays) return 'body'
  return 'fate'
}

const TIMES = /^\/(?:\.?issued|\.?expires|expires_in)$/

/** Whether it is about one of the very places in which they differ: both sides may break a rule alike. */
export function isAboutPlace({ at }: Broken, { about, differences }: Part): boolean {
  return about !== 'times' || differences.some((one) => one.at === at || one.at === `format ${at}`)
}

/** Whether a broken rule of one side is about what differs in that part. */
export function isAbout(broken: Broken, part: Part, side: 'old' | 'new'): boolean {
  const { at, ofEvery, step } = broken
  const { about, differences } = part
  if (step !== part.step) return false
  switch (about) {
    // How it refuses is another matter.
    case 'fate': {
      const fate = differences.find((one) => one.at === 'fate')?.[side]
      return !ofEvery && (fate !== 'refused' || at === 'fate')
    }
    case 'refusal':
    case 'body':
      return true
    case 'headers':
      return false
    case 'times':
      return TIMES.test(at)
    case 'value':
      return differences.some((difference) => difference.at === at || difference.at === `format ${at}`)
    case 'members':
      return (
        at === 'members' ||
        differences.some(({ old, new: now }) =>
          `${old}, ${now}`.split(', ').some((name) => at === `/${name}`),
        )
      )
    default:
      return at === about
  }
}
