import { expectAnswer } from './expect-answer.js'
import { answer, type Expected } from './expected.js'
import { bodyLimit, type OracleState } from './oracle-state.js'
import { readAnswers, type WireAnswer } from './read-answers.js'
import { readRequests } from './read-requests.js'

export interface Judgement {
  /** What is wrong; nothing: `undefined`. */
  readonly problem: string | undefined
  /** The answers in short, such as `200`, `400 invalid_grant` or `400 errors`, for counting. */
  readonly kinds: readonly string[]
  /** The tokens that were given, and to whom. */
  readonly tokens: readonly (readonly [token: string, userName: string])[]
}

const rejected = [400, 408, 413, 431]
const busy = answer(503, { error: 'temporarily_unavailable' }, { 'retry-after': '1' })

/** What may come in place of the answer that is asked for. */
export interface Allowances {
  /** 503: more may have been asked for at once than the server takes on. */
  readonly busy?: boolean
  /** 408: the server may have waited less long than the network, or this machine, took. */
  readonly late?: boolean
}

/**
 * Judges everything that came back on a connection by everything that was sent on it: one answer to each request, in
 * their order and as asked for, then one that turns the rest away, where there is one.
 */
export function judgeAnswers(
  sent: string,
  received: string,
  state: OracleState,
  may: Allowances = {},
): Judgement {
  const { requests, ragged } = readRequests(sent, bodyLimit)
  const kinds: string[] = []
  const tokens: [string, string][] = []
  const judge = (): string | undefined => {
    const answers = readAnswers(
      received,
      requests.map(({ method }) => method),
    )
    let at = 0
    for (const request of requests) {
      const found = answers[at++]
      if (found === undefined) return `request ${at} has no answer`
      kinds.push(kindOf(found))
      const all = expectAnswer(request, state)
      const matching = (may.busy ? [...all, busy] : all).find((one) => matches(one, found, request.method))
      if (matching === undefined) {
        const isLate = may.late === true && found.status === 408
        if ((request.maybe || isLate) && isTurningAway(found)) return unasked(answers, at)
        return `request ${at} is to be answered ${JSON.stringify(all)}, and is ${shown(found)}`
      }
      if (typeof matching.body === 'object' && 'tokenOf' in matching.body)
        tokens.push([tokenOf(found), matching.body.tokenOf])
      if ((found.headers.get('connection') === 'close') !== request.closes)
        return `answer ${at} says ${found.headers.get('connection')} of the connection`
      if (request.closes) return unasked(answers, at)
    }
    if (!ragged) return unasked(answers, at)
    const last = answers[at++]
    if (last === undefined) return 'what is no request has no answer'
    kinds.push(kindOf(last))
    return isTurningAway(last) ? unasked(answers, at) : `what is no request is answered ${shown(last)}`
  }
  try {
    return { problem: judge(), kinds, tokens }
  } catch (error) {
    return { problem: String(error), kinds, tokens }
  }
}

function unasked(answers: readonly WireAnswer[], expected: number): string | undefined {
  const next = answers[expected]
  return next === undefined ? undefined : `an unasked answer: ${shown(next)}`
}

function isTurningAway({ status, headers, body }: WireAnswer): boolean {
  return rejected.includes(status) && headers.get('connection') === 'close' && body === ''
}

const always: Readonly<Record<string, string>> = {
  'content-type': 'application/json;charset=UTF-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
}

function matches(expected: Expected, found: WireAnswer, method: string): boolean {
  return (
    found.status === expected.status &&
    Object.entries({ ...always, ...expected.headers }).every(
      ([name, value]) => found.headers.get(name) === value,
    ) &&
    (method === 'HEAD' ? found.body === '' : matchesBody(expected.body, found.body))
  )
}

function matchesBody(expected: Expected['body'], bytes: string): boolean {
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  if (typeof expected === 'string') return text === expected
  const members: Record<string, unknown> = JSON.parse(text)
  if ('accountOf' in expected)
    return members.userName === expected.accountOf && Object.keys(members).join() === 'userName,userId'
  return (
    Object.keys(members).join() === 'access_token,token_type,expires_in,userName,.issued,.expires' &&
    /^[\w-]{43}$/.test(tokenOf({ body: bytes })) &&
    members.token_type === 'bearer' &&
    members.expires_in === 1_209_599 &&
    members.userName === expected.tokenOf &&
    Date.parse(`${members['.expires']}`) - Date.parse(`${members['.issued']}`) === 1_209_600_000
  )
}

function tokenOf({ body }: Pick<WireAnswer, 'body'>): string {
  return /^\{"access_token":"([^"]*)"/.exec(body)?.[1] ?? ''
}

function kindOf({ status, body }: WireAnswer): string {
  const error = /^\{"(?:error":"(?=\w)|(?=errors))(\w+)"/.exec(body)?.[1]
  return error === undefined ? `${status}` : `${status} ${error}`
}

function shown({ status, body }: WireAnswer): string {
  return `${status} ${body.slice(0, 300)}`
}
