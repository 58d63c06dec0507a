import type { ListedRequirement, Policy } from '../../../spec/model/policy.js'
import { INVALID_ACCEPTED } from '../../../spec/model/report.js'
import { describeBody } from '../../evidence/describe.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { stringsOf } from '../../exchange/json-values.js'
import {
  classifyRegistration,
  isEnabled,
  LISTED_MESSAGES,
  LISTED_REQUIREMENTS,
  violatedBy,
} from '../../target/accounts/policy.js'
import { type CheckContext, type CheckResult, fail, inconclusive, PASS } from './check-result.js'

/** Section 8: a registration is accepted, or rejected. */
export function checkRegistered(
  response: HttpResponse,
  expected: boolean,
  context: CheckContext,
): CheckResult {
  const { registration } = context
  if (registration === undefined) return inconclusive('registration is not declared')
  const outcome = classifyRegistration(response, registration)
  // What must be accepted, and ends in a server error each time, is not accepted.
  if (outcome === 'neither' && !(expected && response.status >= 500))
    return inconclusive(`the status ${response.status} is declared neither accepted nor rejected`)
  if ((outcome === 'accepted') === expected) return PASS
  return fail(
    expected
      ? `a valid registration ${outcome === 'rejected' ? 'is rejected' : 'ends in a server error'}`
      : INVALID_ACCEPTED,
    expected ? 'an accepted registration' : 'a rejected registration',
    `${response.status} with ${describeBody(response)}`,
  )
}

/** 8-unique-email: of several at once, so many are accepted. */
export function checkRegisteredTimes(
  responses: readonly (HttpResponse | undefined)[],
  expected: number,
  context: CheckContext,
): CheckResult {
  const { registration } = context
  if (registration === undefined) return inconclusive('registration is not declared')
  const outcomes = responses.map((response) => response && classifyRegistration(response, registration))
  const accepted = outcomes.filter((outcome) => outcome === 'accepted').length
  const unclear = outcomes.filter((outcome) => outcome === undefined || outcome === 'neither').length
  if (accepted === expected && unclear === 0) return PASS
  if (unclear > 0 && accepted <= expected)
    return inconclusive(`${unclear} of ${responses.length} were neither accepted nor rejected`)
  return fail(
    `of ${responses.length} registrations at once, ${accepted} were accepted`,
    `${expected} accepted`,
    `${accepted} accepted`,
  )
}

/** Section 7: the listed message of this requirement occurs, letter for letter. */
export function checkSays(response: HttpResponse, requirement: ListedRequirement): CheckResult {
  if (listedMessagesOf(response).has(requirement)) return PASS
  return fail(
    'the listed message does not occur, letter for letter, in any string of the answer',
    LISTED_MESSAGES[requirement],
    nearestString(response, LISTED_MESSAGES[requirement]),
  )
}

/** 7-one-per-violation: each violated requirement's listed message, and no other listed one. */
export function checkListedMessages(response: HttpResponse, context: CheckContext): CheckResult {
  const { candidate, registration } = context
  if (candidate === undefined || registration === undefined)
    return inconclusive('the answer is to no registration')
  const violated: readonly string[] = violatedBy(candidate.password.wire, registration.policy)
  const found = listedMessagesOf(response)
  const missing = LISTED_REQUIREMENTS.find(
    (requirement) => violated.includes(requirement) && !found.has(requirement),
  )
  const unexpected = LISTED_REQUIREMENTS.find(
    (requirement) => !violated.includes(requirement) && found.has(requirement),
  )
  const wrong = missing ?? unexpected
  if (wrong === undefined) return PASS
  return fail(
    missing === undefined
      ? `the message for \`${wrong}\` is there, although the password does not violate that setting`
      : `the message for \`${wrong}\` is missing, although the password violates that setting`,
    messages(LISTED_REQUIREMENTS.filter((requirement) => violated.includes(requirement))),
    messages(LISTED_REQUIREMENTS.filter((requirement) => found.has(requirement))),
  )
}

/** 8-R2: a disabled setting's message occurs in no answer. */
export function checkNeverSays(response: HttpResponse, context: CheckContext): CheckResult {
  const policy: Policy | undefined = context.registration?.policy
  if (policy === undefined) return inconclusive('registration is not declared')
  const found = listedMessagesOf(response)
  const wrong = LISTED_REQUIREMENTS.find(
    (requirement) => !isEnabled(requirement, policy) && found.has(requirement),
  )
  if (wrong === undefined) return PASS
  return fail(
    `the message for \`${wrong}\` occurs, although that requirement is disabled`,
    `an answer without: ${LISTED_MESSAGES[wrong]}`,
    stringsIn(response).find((text) => text.includes(LISTED_MESSAGES[wrong])) ?? describeBody(response),
  )
}

/** Looked for in every decoded string: JSON string values, or the text; several may share one string. */
function listedMessagesOf(response: HttpResponse): ReadonlySet<ListedRequirement> {
  const strings = stringsIn(response)
  return new Set(
    LISTED_REQUIREMENTS.filter((requirement) =>
      strings.some((text) => text.includes(LISTED_MESSAGES[requirement])),
    ),
  )
}

function stringsIn(response: HttpResponse): readonly string[] {
  const { root } = response.json
  return root === undefined ? [response.text] : stringsOf(root)
}

/** What is in the place of the message: the string that shares its first word, or the whole body. */
function nearestString(response: HttpResponse, message: string): string {
  const words = message.toLowerCase().split(' ').slice(-3)
  const near = stringsIn(response).find((text) => words.some((word) => text.toLowerCase().includes(word)))
  return near ?? describeBody(response)
}

function messages(requirements: readonly ListedRequirement[]): string {
  if (requirements.length === 0) return 'none of the listed messages'
  return requirements.map((requirement) => LISTED_MESSAGES[requirement]).join(' ')
}
