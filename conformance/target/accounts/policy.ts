import type { ListedRequirement, Policy } from '../../../spec/model/policy.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { jsonEquals, nodeAt } from '../../exchange/json-values.js'
import type { Registration } from '../deployment.js'

/*
 * The account policy of section 8, as the judge reckons with it. Characters are classed by code: digits are '0'-'9',
 * upper case 'A'-'Z', lower case 'a'-'z', and whatever is none of these is neither letter nor digit.
 */

export type PasswordRequirement = ListedRequirement | 'minimum-length' | 'lowercase'

export const PASSWORD_REQUIREMENTS: readonly PasswordRequirement[] = [
  'minimum-length',
  'non-letter-or-digit',
  'digit',
  'lowercase',
  'uppercase',
]

/** Section 7, letter for letter. */
export const LISTED_MESSAGES: Readonly<Record<ListedRequirement, string>> = {
  'non-letter-or-digit': 'Passwords must have at least one non letter or digit character.',
  digit: "Passwords must have at least one digit ('0'-'9').",
  uppercase: "Passwords must have at least one uppercase ('A'-'Z').",
}

export const LISTED_REQUIREMENTS = Object.keys(LISTED_MESSAGES) as readonly ListedRequirement[]

const SWITCHES = {
  'non-letter-or-digit': 'requireNonLetterOrDigit',
  digit: 'requireDigit',
  lowercase: 'requireLowercase',
  uppercase: 'requireUppercase',
} as const

export function isEnabled(requirement: PasswordRequirement, policy: Policy): boolean {
  return requirement === 'minimum-length' || policy[SWITCHES[requirement]]
}

/** Whether the password lacks what the requirement asks for, enabled or not. */
export function lacks(requirement: PasswordRequirement, password: string, policy: Policy): boolean {
  if (requirement === 'minimum-length') return password.length < policy.minimumLength
  for (let at = 0; at < password.length; at++)
    if (classOf(password.charCodeAt(at)) === requirement) return false
  return true
}

export function violatedBy(password: string, policy: Policy): readonly PasswordRequirement[] {
  return PASSWORD_REQUIREMENTS.filter(
    (requirement) => isEnabled(requirement, policy) && lacks(requirement, password, policy),
  )
}

function classOf(code: number): PasswordRequirement {
  if (code >= 0x30 && code <= 0x39) return 'digit'
  if (code >= 0x41 && code <= 0x5a) return 'uppercase'
  if (code >= 0x61 && code <= 0x7a) return 'lowercase'
  return 'non-letter-or-digit'
}

/** What the answer to a registration says, as the target declares it. */
export type RegistrationStatus = 'accepted' | 'rejected' | 'neither'

/** Statuses that do not say that this registration is invalid. */
const NO_REJECTION: readonly number[] = [401, 403, 404, 405, 429]

/** @param declared what the target file says of both, where it does */
export function classifyRegistration(
  response: HttpResponse,
  { accepted, rejected, rejectedWhen }: Pick<Registration, 'accepted' | 'rejected' | 'rejectedWhen'>,
): RegistrationStatus {
  const { status } = response
  if (accepted?.includes(status) ?? (status >= 200 && status <= 299))
    return rejectedWhen !== undefined && hasAll(response, rejectedWhen) ? 'rejected' : 'accepted'
  if (rejected?.includes(status) ?? (status >= 400 && status <= 499 && !NO_REJECTION.includes(status)))
    return 'rejected'
  return 'neither'
}

function hasAll({ json }: HttpResponse, values: NonNullable<Registration['rejectedWhen']>): boolean {
  return Object.entries(values).every(([pointer, value]) => jsonEquals(nodeAt(json.root, pointer), value))
}
