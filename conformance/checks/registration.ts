import type { ListedRequirement, Policy } from '../../spec/types.js'
import { isEnabled, LISTED_MESSAGES, violatedBy } from '../policy.js'
import type { Answer } from '../wire/answer.js'
import { stringsOf } from '../wire/json-pointer.js'
import { describeBody } from './describe.js'
import { type CheckContext, type Finding, HOLDS } from './finding.js'

/** What a registration came to, by the statuses that the target declares. */
export type RegistrationOutcome = 'accepted' | 'rejected' | 'neither'

/** Statuses that say something else than that this registration is invalid. */
const NO_REJECTION: readonly number[] = [401, 403, 404, 405, 429]
const LISTED: readonly ListedRequirement[] = ['non-letter-or-digit', 'digit', 'uppercase']

export function registrationOutcome(
  { status }: Answer,
  { accepted, rejected }: NonNullable<CheckContext['registration']>,
): RegistrationOutcome {
  if (accepted?.includes(status) ?? (status >= 200 && status <= 299)) return 'accepted'
  if (rejected?.includes(status) ?? (status >= 400 && status <= 499 && !NO_REJECTION.includes(status)))
    return 'rejected'
  return 'neither'
}

/** Section 8: a registration is accepted, or rejected. */
export function checkRegistered(answer: Answer, expected: boolean, context: CheckContext): Finding {
  const { registration } = context
  if (registration === undefined) return { kind: 'undecided', reason: 'registration is not declared' }
  const outcome = registrationOutcome(answer, registration)
  if (outcome === 'neither')
    return {
      kind: 'undecided',
      reason: `the status ${answer.status} is declared neither accepted nor rejected`,
    }
  if ((outcome === 'accepted') === expected) return HOLDS
  return {
    kind: 'broken',
    message: expected ? 'a valid registration is rejected' : 'an invalid registration is accepted',
    expected: expected ? 'an accepted registration' : 'a rejected registration',
    actual: `${answer.status} with ${describeBody(answer)}`,
  }
}

/** 8-unique-email: of several at once, so many are accepted. */
export function checkRegisteredTimes(
  answers: readonly (Answer | undefined)[],
  expected: number,
  context: CheckContext,
): Finding {
  const { registration } = context
  if (registration === undefined) return { kind: 'undecided', reason: 'registration is not declared' }
  const outcomes = answers.map((answer) => answer && registrationOutcome(answer, registration))
  const accepted = outcomes.filter((outcome) => outcome === 'accepted').length
  const unclear = outcomes.filter((outcome) => outcome === undefined || outcome === 'neither').length
  if (accepted === expected && unclear === 0) return HOLDS
  if (unclear > 0 && accepted <= expected)
    return { kind: 'undecided', reason: `${unclear} of ${answers.length} were neither accepted nor rejected` }
  return {
    kind: 'broken',
    message: `of ${answers.length} registrations at once, ${accepted} were accepted`,
    expected: `${expected} accepted`,
    actual: `${accepted} accepted`,
  }
}

/** Section 7: the listed message of this requirement occurs, letter for letter. */
export function checkSays(answer: Answer, requirement: ListedRequirement): Finding {
  if (listedMessagesOf(answer).has(requirement)) return HOLDS
  return {
    kind: 'broken',
    message: 'the listed message does not occur, letter for letter, in any string of the answer',
    expected: LISTED_MESSAGES[requirement],
    actual: nearestString(answer, LISTED_MESSAGES[requirement]),
  }
}

/** 7-one-per-violation: each violated requirement's listed message, and no other listed one. */
export function checkListedMessages(answer: Answer, context: CheckContext): Finding {
  const { candidate, registration } = context
  if (candidate === undefined || registration === undefined)
    return { kind: 'undecided', reason: 'the answer is to no registration' }
  const violated: readonly string[] = violatedBy(candidate.password.wire, registration.policy)
  const said = listedMessagesOf(answer)
  const missing = LISTED.find((requirement) => violated.includes(requirement) && !said.has(requirement))
  const surplus = LISTED.find((requirement) => !violated.includes(requirement) && said.has(requirement))
  const wrong = missing ?? surplus
  if (wrong === undefined) return HOLDS
  return {
    kind: 'broken',
    message:
      missing === undefined
        ? `the message for \`${wrong}\` occurs, which the password does not violate`
        : `the message for \`${wrong}\` does not occur, which the password violates`,
    expected: messages(LISTED.filter((requirement) => violated.includes(requirement))),
    actual: describeBody(answer),
  }
}

/** 8-R2: a disabled setting's message occurs in no answer. */
export function checkNeverSays(answer: Answer, context: CheckContext): Finding {
  const policy: Policy | undefined = context.registration?.policy
  if (policy === undefined) return { kind: 'undecided', reason: 'registration is not declared' }
  const said = listedMessagesOf(answer)
  const wrong = LISTED.find((requirement) => !isEnabled(requirement, policy) && said.has(requirement))
  if (wrong === undefined) return HOLDS
  return {
    kind: 'broken',
    message: `the message for \`${wrong}\` occurs, although that requirement is disabled`,
    expected: `an answer without: ${LISTED_MESSAGES[wrong]}`,
    actual: describeBody(answer),
  }
}

/** Looked for in every decoded string: JSON string values, or the text; several may share one string. */
function listedMessagesOf(answer: Answer): ReadonlySet<ListedRequirement> {
  const strings = stringsIn(answer)
  return new Set(
    LISTED.filter((requirement) => strings.some((text) => text.includes(LISTED_MESSAGES[requirement]))),
  )
}

function stringsIn(answer: Answer): readonly string[] {
  const { root } = answer.json
  return root === undefined ? [answer.text] : stringsOf(root)
}

/** What stands where the message should: the string that shares its first word, or the whole body. */
function nearestString(answer: Answer, message: string): string {
  const words = message.toLowerCase().split(' ').slice(-3)
  const near = stringsIn(answer).find((text) => words.some((word) => text.toLowerCase().includes(word)))
  return near ?? describeBody(answer)
}

function messages(requirements: readonly ListedRequirement[]): string {
  if (requirements.length === 0) return 'none of the listed messages'
  return requirements.map((requirement) => LISTED_MESSAGES[requirement]).join(' ')
}
