import type { Checks, HeaderCheck } from '../../../spec/model/expectation.js'
import { duplicateMembers, type Json, type JsonNode, pointerTo } from '../../../spec/model/json.js'
import { cut, describeBody, describeMember } from '../../evidence/describe.js'
import { hideCookie } from '../../evidence/hidden-fields.js'
import { canonicalMediaType, headerValues } from '../../exchange/headers.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { jsonEquals, stringsOf } from '../../exchange/json-values.js'
import { type CheckContext, type CheckResult, fail, inconclusive, PASS } from './check-result.js'

export function checkYieldsToken(
  response: HttpResponse,
  expected: boolean,
  { grantType }: CheckContext,
): CheckResult {
  if (response.yieldsToken === expected) return PASS
  const accepts = isPasswordInOtherCase(grantType)
    ? `\`${grantType}\` is accepted; only \`password\`, in this letter case, is allowed`
    : 'the answer yields a token'
  return expected
    ? fail(
        `the answer yields no token${brokenJson(response)}`,
        'a JSON object with a non-empty access_token',
        `${response.status} with ${describeBody(response)}`,
      )
    : fail(accepts, 'no token', `${response.status} with a non-empty access_token`, '/access_token')
}

/** What looks like a token response, cut off at its end for instance, says why it is none. */
function brokenJson({ status, json: { problems } }: HttpResponse): string {
  return status >= 200 && status <= 299 && problems[0] !== undefined ? `: ${problems[0]}` : ''
}

/** No other grant type, which a service may be meant to support. */
export function isPasswordInOtherCase(grantType = 'password'): boolean {
  return grantType !== 'password' && grantType.toLowerCase() === 'password'
}

/** 4.1-path: a refusal for another reason says nothing about the path. */
export function checkFound(response: HttpResponse, _: true, { deployment }: CheckContext): CheckResult {
  const { path = '/Token' } = deployment.tokenRequest ?? {}
  if (path !== '/Token')
    return fail(
      'the target declares another path for token requests',
      'the base URL with /Token appended',
      `the base URL with ${path} appended`,
    )
  if (response.yieldsToken) return PASS
  const { status } = response
  if (status !== 404 && status !== 405 && status !== 410 && (status < 300 || status > 399))
    return inconclusive(`the request was refused (${status}), which says nothing of the path`)
  return fail(
    `there is nothing to POST to at that path: the status is ${status}`,
    'an endpoint',
    String(status),
  )
}

export function checkStatus(response: HttpResponse, expected: number | '2xx'): CheckResult {
  const { status } = response
  if (expected === '2xx' ? status >= 200 && status <= 299 : status === expected) return PASS
  return fail(`the status is ${status}, not ${expected}`, String(expected), String(status))
}

/** 7-token-error-media-type: compared as a media type; case, white space and quoting are free. */
export function checkMediaType(response: HttpResponse, expected: string): CheckResult {
  const actual = response.header('content-type')
  if (actual !== undefined && canonicalMediaType(actual) === canonicalMediaType(expected)) return PASS
  const isAbsent = headerValues(response.raw.headers, 'content-type').length === 0
  return fail(
    isAbsent ? 'the Content-Type is absent' : 'the Content-Type differs',
    expected,
    actual ?? (isAbsent ? 'no Content-Type' : 'several that differ'),
  )
}

/** 2.1-json-object: on the bytes, one JSON object and nothing else. */
export function checkJsonObject(response: HttpResponse): CheckResult {
  const { root, problems } = response.json
  if (root?.kind === 'object' && problems.length === 0) return PASS
  return fail(
    root?.kind === 'object' ? (problems[0] ?? '') : (problems[0] ?? `the body is JSON, but no object`),
    'one JSON object in UTF-8, no member twice, no other text',
    describeBody(response),
    problems.length > 1 ? undefined : memberWithDuplicate(root),
  )
}

/** The member in whose value an object names a member twice; of the whole object none. */
function memberWithDuplicate(root: JsonNode | undefined): string | undefined {
  const duplicate = root && duplicateMembers(root)[0]
  if (root?.kind !== 'object' || duplicate === undefined || root.members.includes(duplicate)) return undefined
  const own = root.members.findLast(({ start }) => start < duplicate.start)
  return own && pointerTo('', own.name)
}

/** What makes the value another one: of an object, its first member that is wrong, missing or extra. */
function explainDifference(response: HttpResponse, expected: Json): string {
  const { root } = response.json
  if (root?.kind !== 'object') return 'the body is JSON, but no object'
  const members = typeof expected === 'object' && expected !== null ? Object.entries(expected) : []
  for (const [name, value] of members) {
    const member = response.member(name)
    if (member === undefined) return `\`${name}\` is missing`
    if (!jsonEquals(member.value, value)) return `\`${name}\` has another value`
  }
  const extra = root.members.find(({ name }) => members.every(([known]) => known !== name))
  return extra === undefined ? 'the body is another JSON value' : `extra member \`${cut(extra.name)}\``
}

export function checkJson(response: HttpResponse, check: NonNullable<Checks['json']>): CheckResult {
  const { root, problems } = response.json
  const { equals, includes } = check
  if (equals !== undefined && (problems.length > 0 || !jsonEquals(root, equals)))
    return fail(
      problems[0] ?? explainDifference(response, equals),
      JSON.stringify(equals),
      describeBody(response),
    )
  for (const [name, value] of Object.entries(includes ?? {})) {
    const member = response.member(name)
    if (member !== undefined && jsonEquals(member.value, value)) continue
    return fail(
      member === undefined ? `\`${name}\` is missing` : `\`${name}\` has another value`,
      JSON.stringify(value),
      member === undefined ? describeBody(response) : describeMember(response, member),
      pointerTo('', name),
    )
  }
  return PASS
}

export function checkHeader(response: HttpResponse, check: HeaderCheck): CheckResult {
  const { name, absent, equals, has, startsWith, lacks, where } = check
  if (where !== undefined && fieldOf(response, where.name) !== where.equals) return PASS
  const value = fieldOf(response, name)
  const actual = value === undefined ? `no ${name}` : `${name}: ${shown(name, value)}`
  const differs = (message: string, expected: string): CheckResult => fail(message, expected, actual)
  if (absent) return value === undefined ? PASS : differs(`\`${name}\` is present`, `no ${name}`)
  if (lacks !== undefined) {
    if (value?.includes(lacks) !== true) return PASS
    // What follows the text may be a secret.
    return fail(`\`${name}\` holds ${lacks}`, `no ${lacks} there`, `${name} with ${lacks}`)
  }
  if (value === undefined)
    return differs(`\`${name}\` is missing`, `${name}: ${equals ?? has ?? startsWith ?? ''}`)
  if (equals !== undefined && value !== equals)
    return differs(`\`${name}\` is not ${JSON.stringify(equals)}`, `${name}: ${equals}`)
  if (has !== undefined && !elementsOf(value).includes(has.toLowerCase()))
    return differs(`\`${name}\` does not say ${has}`, `${name}: ${has}`)
  const lines = headerValues(response.raw.headers, name)
  if (startsWith !== undefined && !lines.some((line) => line.startsWith(startsWith)))
    return differs(`no \`${name}\` begins with ${startsWith}`, `${name}: ${startsWith}…`)
  return PASS
}

/** All lines of a name, as one. */
function fieldOf({ raw }: HttpResponse, name: string): string | undefined {
  const lines = headerValues(raw.headers, name)
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** The elements of a list, without their parameters. */
function elementsOf(value: string): readonly string[] {
  return value.split(',').map((element) => (element.split(';')[0] ?? '').trim().toLowerCase())
}

function shown(name: string, value: string): string {
  return cut(hideCookie(name, value))
}

/** No white space between the parts of the JSON text. */
export function checkCompactJson(response: HttpResponse): CheckResult {
  if (response.json.root === undefined) return inconclusive('the answer is no JSON')
  const between = response.text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '""')
  if (!/\s/.test(between)) return PASS
  return fail(
    'there is white space between the parts of the JSON text',
    'compact JSON',
    describeBody(response),
  )
}

/** There is no body, which a length of 0, no length and chunks can all say. */
export function checkEmptyBody(response: HttpResponse): CheckResult {
  if (response.raw.body.length === 0) return PASS
  return fail('there is a body', 'no body', describeBody(response))
}

/** One string of the answer is this text. */
export function checkHasString(
  response: HttpResponse,
  text: string,
  { candidate }: Pick<CheckContext, 'candidate'>,
): CheckResult {
  const { root } = response.json
  const strings = root === undefined ? [response.text] : stringsOf(root)
  const spelled = (form: 'wire' | 'shown'): string =>
    text.replace(
      /\$fresh\.(loginName|email)/g,
      (all, name: 'loginName' | 'email') => candidate?.[name][form] ?? all,
    )
  if (strings.includes(spelled('wire'))) return PASS
  return fail(
    'no string of the answer is the expected text',
    JSON.stringify(spelled('shown')),
    cut(strings.map((string) => JSON.stringify(string)).join(', ')),
  )
}

/** What programs print of themselves: of each kind signs that no message for users has together in one line. */
const DIAGNOSTICS: readonly (readonly [what: string, ...signs: readonly RegExp[]])[] = [
  ['a stack trace', /(?::\d+\)|:\d+:\d+|:line \d+)\s*$/, /^\s*at \S.*/],
  ['a stack trace', /Traceback \(most recent call last\)|^\s*File "[^"]+", line \d+/],
  ['a stack trace', /\\n\s*at [\w.$<>]+ ?\(|\\r?\\n\s+at \S+ in /],
  [
    'the name of an exception',
    /[\w.](?:Exception|Error): |(?<![\w.])(?:System|java|org|com)\.[\w.]+Exception\b/,
  ],
  ['a message of a database', /\b(?:SQLSTATE\[|ORA-\d{5}|SQL syntax|sqlite3?\.|psycopg2|SqlClient)\b/i],
  [
    'a path of its machine',
    /(?:^|["'\s(])(?:\/(?:usr|home|var|opt|srv|app)\/[\w./-]+\.\w+|[A-Z]:\\[\w\\.-]+\.\w+)/,
  ],
]

/** Nothing in the answer is meant for those who wrote the service. */
export function checkNoDiagnostics(response: HttpResponse): CheckResult {
  const { text } = response
  const lines = text.split('\n')
  for (const [what, ...signs] of DIAGNOSTICS) {
    const line = lines.find((one) => signs.every((sign) => sign.test(one)))
    if (line !== undefined)
      return fail(
        `the answer shows ${what}`,
        'a message for users, and nothing of the inside',
        cut((signs.at(-1)?.exec(line)?.[0] ?? line).trim()),
      )
  }
  return PASS
}
