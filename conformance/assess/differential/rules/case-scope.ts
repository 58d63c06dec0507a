import type { Case } from '../../../../spec/model/case.js'
import type { Expectation } from '../../../../spec/model/expectation.js'
import { scopeOf } from '../../../drivers/send/session/case-run.js'
import { isAccepted } from '../../../drivers/send/session/send.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import type { WireRequest } from '../../../exchange/exchange.js'
import type { Scope } from '../../../generators/generator.js'
import { exercisedBy } from '../../../judge/traffic/exercised.js'
import type { Candidate } from '../../../target/accounts/fresh-account.js'
import { variablesOf } from '../../suite/forall-inputs.js'
import type { ServiceAnswers } from '../ask/service-side.js'

/** Whether the final bytes, or the new account, belong to the class that a property-based case is about. */
export function isInScope(known: Case, sent: SentRequest, { run }: ServiceAnswers): boolean {
  const [step] = known.steps
  if (known.forall === undefined || known.steps.length !== 1 || step === undefined || known.invariant)
    return false
  const { candidate } = sent
  const { wire } = sent.prepared
  const own = scopeOf(run)
  // New accounts are as well known as the declared ones. One without a name cannot be asked for (4.1-username).
  const [first, ...others] = own.deployment.accounts
  const registered = [...run.session.registeredAccounts.values()].filter(({ userName }) => userName !== '')
  const accounts = [first, ...others, ...registered] as const
  const scope: Scope = { ...own, deployment: { ...own.deployment, accounts } }
  if (step.register === undefined)
    return (
      candidate === undefined &&
      // A case on other spellings of the media type says nothing of the usual one.
      (step.send?.contentType === undefined || !isSentAsForm(wire)) &&
      wire.path === `${run.session.basePath}/Token` &&
      isUsualLogin(wire, step.send?.contentType !== undefined) &&
      variablesOf(known).every(([, generator]) => generator.inScope(wire, scope))
    )
  // The class is about one field: the others must be plain, and no other account may have them.
  const registrations = run.testCase.steps.flatMap(({ register }) => register ?? [])
  const [asked = {}] = registrations
  const template = step.register
  return (
    candidate !== undefined &&
    isUsualAccount(candidate) &&
    registrations.length === 1 &&
    Object.keys(asked).every((name) => Object.hasOwn(template, name)) &&
    variablesOf(known).every(([, generator]) => generator.inScope(wire, scope, candidate))
  )
}

/**
 * What a form without a grant type must be answered with: the documented error, and no token, which is not the answer of
 * 4.1-R1, whatever else the form holds.
 */
export function refusedForms(
  cases: readonly Case[],
  sent: SentRequest,
  { run }: ServiceAnswers,
): readonly Expectation[] {
  const { wire } = sent.prepared
  const { case: id } = exercisedBy({ request: wire }, run.session.deployment)
  if (id === undefined || wire.body === undefined || hasByteOrderMark(wire.body)) return []
  const expected = cases.filter((known) => known.id === id).flatMap(({ steps }) => steps.at(-1)?.expect ?? [])
  return expected.map((one) =>
    one.sameAnswerAs === undefined ? one : { rule: one.rule, yieldsToken: false },
  )
}

/**
 * What the registration of its probe came to, where it is the plain login of that account with nothing in it that a form has
 * to escape: a refusal says nothing of how forms are read.
 */
export function firstLoginOf(
  sent: readonly SentRequest[],
  step: number,
  { run }: ServiceAnswers,
): 'accepted' | 'rejected' | undefined {
  const { wire } = sent[step]?.prepared ?? {}
  if (wire?.body === undefined || !isUsualLogin(wire, false)) return undefined
  if (run.testCase.steps[step]?.send?.spelling !== undefined) return undefined
  const form = new URLSearchParams(UTF_8.decode(wire.body))
  const [userName, password] = [form.get('username'), form.get('password')]
  if (!userName || /[+%&= ]/.test(`${userName}${password}`)) return undefined
  const own = sent.slice(0, step).filter(({ candidate }) => {
    return candidate?.loginName.wire === userName && candidate.password.wire === password
  })
  if (own.length === 0) return undefined
  return own.some((one) => isAccepted(one, run.session)) ? 'accepted' : 'rejected'
}

/** Whether it registers with the user name or the address of an account that was rejected, and that no account has. */
export function isFreeAgain(sent: readonly SentRequest[], step: number, { run }: ServiceAnswers): boolean {
  const own = sent[step]?.candidate
  if (own === undefined || !isUsualAccount(own)) return false
  const shared = sent.slice(0, step).filter(({ candidate }) => {
    return candidate?.userName.wire === own.userName.wire || candidate?.email.wire === own.email.wire
  })
  return shared.length > 0 && shared.every((one) => !isAccepted(one, run.session))
}

/** What a service makes of longer and odder texts is not judged. A space inside is neither a letter nor a digit (8). */
function isUsualAccount({ userName, password: { wire: password } }: Candidate): boolean {
  return (
    userName.wire.length <= 16 &&
    password.length <= 64 &&
    password.trim() === password &&
    /^(?!.*(.)\1\1)[ -~]*$/.test(password)
  )
}

/** In bytes. Larger requests show limits of size, which are not judged (8-R4). */
const LARGE = 8192
const CONTROLS = /%[01][\da-f]|%7f/i
/** A byte order mark is part of the first name. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })
const NAMES = new Set(['grant_type', 'username', 'password'])
const FORM = 'application/x-www-form-urlencoded'
/** A form in another character set, or with parameters that the media type does not have. */
const ODD_FORM = /^application\/x-www-form-urlencoded\s*;(?!\s*charset\s*=\s*"?utf-8"?\s*$)/i

function hasByteOrderMark(body: Uint8Array): boolean {
  return UTF_8.decode(body.subarray(0, 3)) === '\ufeff'
}

function isSentAsForm({ headers }: WireRequest): boolean {
  return headers.some(([name, value]) => /^content-type$/i.test(name) && value === FORM)
}

/**
 * Other headers, other parameters, control characters in credentials and long texts are observed, not judged.
 * @param anyMediaType whether it may be sent as something else than a form: only some cases are about that
 */
function isUsualLogin({ method, headers, body }: WireRequest, anyMediaType: boolean): boolean {
  const isUsual = ([name, value]: (typeof headers)[number]): boolean =>
    /^content-type$/i.test(name) && !ODD_FORM.test(value) && (anyMediaType || value === FORM)
  if (method !== 'POST' || !headers.every(isUsual)) return false
  if (body === undefined) return true
  const text = UTF_8.decode(body)
  if (body.length > LARGE || CONTROLS.test(text.replace(/(?<=^|&)grant_type=[^&]*/g, ''))) return false
  return [...new URLSearchParams(text).keys()].every((name) => NAMES.has(name))
}
