import { parseForm } from '../http/form.js'
import { parseJsonObject } from '../http/json-body.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { shownMediaType } from './explain-content-type.js'

/** What a server knows, and may therefore show of a request that names it. */
export interface ServerFacts {
  /** No trailing slash. */
  readonly basePath: string
  readonly isAccount: (userName: string) => boolean
  /** Some of the names and addresses that there are: enough for a hint, few enough to be looked through. */
  readonly someNames: () => readonly string[]
  readonly isProvider: (name: string) => boolean
}

const grantTypes = ['password', 'refresh_token', 'client_credentials', 'authorization_code']
/** In the place of what was sent. */
export const withheld = '‹withheld›'

/** Each known parameter, and whether a value of it may be shown. */
const parameters: ReadonlyMap<string, (value: string, known: ServerFacts) => boolean> = new Map([
  ['grant_type', (value: string) => grantTypes.includes(value)],
  ['username', (value: string, known: ServerFacts) => known.isAccount(value)],
  ['userName', (value: string, known: ServerFacts) => known.isAccount(value)],
  ['provider', (value: string, known: ServerFacts) => known.isProvider(value)],
  ...['password', 'email', 'code', 'refresh_token', 'scope', 'client_id', 'client_secret'].map(
    (name): [string, () => boolean] => [name, () => false],
  ),
])

/**
 * The parameters of a form or a JSON object, as far as they may be shown: names that the service reads, and values that
 * its own configuration holds. All else is withheld: a client that mixes its fields up sends the password anywhere.
 */
export function shownParameters(
  request: ReceivedRequest,
  known: ServerFacts,
): Readonly<Record<string, string>> | undefined {
  const pairs = pairsOf(request)
  if (pairs.length === 0) return undefined
  const shown: Record<string, string> = {}
  for (const [name, value] of pairs) {
    const mayBeShown = parameters.get(name)
    const key = mayBeShown === undefined ? '‹another›' : name
    const text = mayBeShown?.(value, known) === true ? value : withheld
    shown[key] = shown[key] === undefined || shown[key] === text ? text : '‹several›'
  }
  return shown
}

/** Whether a parameter of this name is known to services of this kind. */
export function isParameter(name: string): boolean {
  return parameters.has(name)
}

/** The user name that a request gives, where one account has it. */
export function accountNamed(request: ReceivedRequest, known: ServerFacts): string | undefined {
  const names = pairsOf(request).flatMap(([name, value]) => (/^user_?name$/i.test(name) ? [value] : []))
  const [name, ...others] = names
  return name !== undefined && others.length === 0 && known.isAccount(name) ? name : undefined
}

function pairsOf(request: ReceivedRequest): readonly (readonly [string, string])[] {
  if (shownMediaType(request.contentType) !== 'application/json') return parseForm(request.body).pairs
  return Object.entries(parseJsonObject(request.body) ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
}
