import { answer, type Expected, invalidRequest, utf8Of } from './expected.js'
import type { OracleState } from './oracle-state.js'

const unsupported = answer(400, { error: 'unsupported_grant_type' })
const incorrect = answer(400, {
  error: 'invalid_grant',
  error_description: 'The user name or password is incorrect.',
})
const mostPairs = 1000

/** 4.1 and 7 for a form; several where a race decides. */
export function expectToken(body: string, { passwords, registered }: OracleState): readonly Expected[] {
  const decoded = body
    .split('&')
    .filter((pair) => pair !== '')
    .map(decodePair)
  const good = decoded.filter((pair) => pair !== undefined)
  const pairs = good.slice(0, mostPairs)
  const values = (name: string): readonly string[] =>
    pairs.filter(([given]) => given === name).map(([, value]) => value)

  const grantTypes = values('grant_type')
  const userNames = values('username')
  const given = values('password')
  if (!grantTypes.includes('password')) return [unsupported]
  if (pairs.length < decoded.length) return [invalidRequest('The form is not well-formed.')]
  if (grantTypes.length > 1 || userNames.length > 1 || given.length > 1)
    return [invalidRequest('A parameter is repeated.')]
  const [userName] = userNames
  const [password] = given
  if (userName === undefined) return [invalidRequest('The username is missing.')]
  if (password === undefined) return [invalidRequest('The password is missing.')]
  const success: Expected = { status: 200, headers: {}, body: { tokenOf: userName } }
  // It may be stored by now, or not yet.
  if (registered.has(userName)) return [success, incorrect]
  return [passwords.get(userName) === password ? success : incorrect]
}

function decodePair(pair: string): readonly [name: string, value: string] | undefined {
  const at = pair.indexOf('=')
  const name = decodePart(at === -1 ? pair : pair.slice(0, at))
  const value = decodePart(at === -1 ? '' : pair.slice(at + 1))
  return name === undefined || value === undefined ? undefined : [name, value]
}

function decodePart(part: string): string | undefined {
  if (/%(?![\dA-Fa-f]{2})/.test(part)) return undefined
  const bytes = part
    .replaceAll('+', ' ')
    .replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return utf8Of(bytes)
}
