import { answer, type Expected, isText, membersOf } from './expected.js'
import type { OracleState } from './oracle-state.js'

/** Section 8 with the values that it lists, and the messages of section 7. An account is remembered in the state. */
export function expectRegistration(body: string, state: OracleState): Expected {
  const { userName, email: givenEmail, password } = membersOf(body)
  const email = givenEmail === null || givenEmail === '' ? undefined : givenEmail
  if (!isText(userName) || !isText(password) || !(email === undefined || isText(email)))
    return answer(400, { errors: ['The body is no JSON object with the strings that it needs.'] })

  const errors = [...passwordErrors(password), ...nameErrors(userName, state), ...emailErrors(email, state)]
  if (errors.length > 0) return answer(400, { errors })
  state.registered.add(userName)
  if (email !== undefined) state.emails.add(email)
  return { status: 201, headers: {}, body: { accountOf: userName } }
}

function passwordErrors(password: string): readonly string[] {
  const characters = password.split('')
  const between = (low: string, high: string): boolean =>
    characters.some((character) => character >= low && character <= high)
  const rules: readonly (readonly [kept: boolean, message: string])[] = [
    [characters.length >= 6, 'Passwords must be at least 6 characters.'],
    [/[^\dA-Za-z]/.test(password), 'Passwords must have at least one non letter or digit character.'],
    [between('0', '9'), "Passwords must have at least one digit ('0'-'9')."],
    [between('a', 'z'), "Passwords must have at least one lowercase ('a'-'z')."],
    [between('A', 'Z'), "Passwords must have at least one uppercase ('A'-'Z')."],
  ]
  return rules.filter(([kept]) => !kept).map(([, message]) => message)
}

function nameErrors(userName: string, { passwords, registered }: OracleState): readonly string[] {
  if (userName === '') return ['Name cannot be null or empty.']
  if (userName.length > 256) return ['The user name is too long.']
  const taken = passwords.has(userName) || registered.has(userName)
  return taken ? [`Name ${userName} is already taken.`] : []
}

function emailErrors(email: string | undefined, { emails }: OracleState): readonly string[] {
  if (email === undefined) return ['Email cannot be null or empty.']
  if (email.length > 320) return ['The e-mail address is too long.']
  const [local, domain, ...more] = email.split('@')
  const sound = local !== '' && domain !== undefined && domain !== '' && more.length === 0
  if (!sound || /\s/.test(email)) return [`Email '${email}' is invalid.`]
  return emails.has(email) ? [`Email '${email}' is already taken.`] : []
}
