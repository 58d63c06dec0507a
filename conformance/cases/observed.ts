import type { Probe } from '../../spec/types.js'
import { describeBody } from '../checks/describe.js'
import type { Sent } from '../session/session.js'
import { Answer } from '../wire/answer.js'
import { headerValues } from '../wire/header.js'
import { stringsOf } from '../wire/json-pointer.js'

const SPECIFIED = ['access_token', 'token_type', 'expires_in', 'userName', '.issued', '.expires', 'userId']
const HEADERS = [
  'Cache-Control',
  'Pragma',
  'Expires',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Vary',
  'Set-Cookie',
  'WWW-Authenticate',
]
const LONGEST = 600

/** One line about the answers to a probe. */
export function showObserved(shows: Probe['shows'], sent: readonly Sent[]): string {
  if (shows === 'tokens') return cut(showTokens(sent))
  const parts = sent.map(({ label, answer }) => {
    const text = answer instanceof Answer ? SHOW[shows](answer) : `no answer: ${answer.reason}`
    return sent.length > 1 ? `${label}: ${text}` : text
  })
  return cut(parts.join('; '))
}

type Show = (answer: Answer) => string

const SHOW: Readonly<
  Record<Exclude<Probe['shows'], 'tokens' | 'rate-limit'>, Show> & { 'rate-limit': Show }
> = {
  answer: describeAnswer,
  status: (answer) => `${answer.status}, ${answer.header('content-type') ?? 'no Content-Type'}`,
  grant: (answer) => (answer.yieldsToken ? 'a token' : `no token: ${describeAnswer(answer)}`),
  headers: (answer) => {
    const found = HEADERS.flatMap((name) =>
      headerValues(answer.response.headers, name).map(
        (value) => `${name}: ${name === 'Set-Cookie' ? '‹redacted›' : value}`,
      ),
    )
    return `${answer.status}; ${found.length === 0 ? 'none of them' : found.join('; ')}`
  },
  'extra-members': (answer) => {
    const { root } = answer.json
    if (root?.kind !== 'object') return 'no JSON object'
    const extra = root.members.map(({ name }) => name).filter((name) => !SPECIFIED.includes(name))
    return extra.length === 0 ? 'none' : extra.join(', ')
  },
  registration: (answer) => {
    const { root } = answer.json
    const strings = root === undefined ? [answer.text] : stringsOf(root)
    return `${answer.status}: ${
      strings.length === 0
        ? 'no text'
        : [...strings]
            .reverse()
            .map((text) => JSON.stringify(text))
            .join(', ')
    }`
  },
  'rate-limit': () => '',
}

function describeAnswer(answer: Answer): string {
  const type = answer.header('content-type') ?? 'no Content-Type'
  return `${answer.status}, ${type}, ${describeBody(answer)}`
}

function showTokens(sent: readonly Sent[]): string {
  const tokens = sent.map(({ answer }) =>
    answer instanceof Answer ? answer.member('access_token')?.value : undefined,
  )
  const [first, second] = tokens
  if (first?.kind !== 'string') return 'no token'
  const { value } = first
  const format = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)
    ? 'three base64url parts, as of a JWT'
    : /^[\w-]+$/.test(value)
      ? 'letters of base64url'
      : /^[A-Za-z0-9+/]+=*$/.test(value)
        ? 'letters of base64'
        : 'other characters'
  const again = second?.kind === 'string' && second.value === value ? 'the same one' : 'another one'
  return `${format}, ${value.length} characters; the same account gets ${again} the second time`
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
