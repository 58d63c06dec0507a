import type { Checks } from '../../spec/types.js'
import type { Answer } from '../wire/answer.js'
import { jsonEquals } from '../wire/json-equals.js'
import { canonicalMediaType } from '../wire/media-type.js'
import { describeBody, describeMember, pointerTo } from './describe.js'
import { type Finding, HOLDS } from './finding.js'

export function checkYieldsToken(answer: Answer, expected: boolean): Finding {
  if (answer.yieldsToken === expected) return HOLDS
  return expected
    ? {
        kind: 'broken',
        message: 'the answer yields no token',
        expected: 'a JSON object with a non-empty access_token',
        actual: `${answer.status} with ${describeBody(answer)}`,
      }
    : {
        kind: 'broken',
        message: 'the answer yields a token',
        expected: 'no token',
        actual: `${answer.status} with a non-empty access_token`,
        pointer: '/access_token',
      }
}

/** 4.1-path: a refusal for another reason says nothing about the path. */
export function checkFound(answer: Answer): Finding {
  if (answer.yieldsToken) return HOLDS
  const { status } = answer
  if (status !== 404 && status !== 405 && status !== 410 && (status < 300 || status > 399))
    return {
      kind: 'undecided',
      reason: `the request was refused (${status}), which says nothing of the path`,
    }
  return {
    kind: 'broken',
    message: `there is nothing to POST to at that path: the status is ${status}`,
    expected: 'an endpoint',
    actual: String(status),
  }
}

export function checkStatus(answer: Answer, expected: number | '2xx'): Finding {
  const { status } = answer
  if (expected === '2xx' ? status >= 200 && status <= 299 : status === expected) return HOLDS
  return {
    kind: 'broken',
    message: `the status is ${status}, not ${expected}`,
    expected: String(expected),
    actual: String(status),
  }
}

/** 7-token-error-media-type: compared as a media type; case, white space and quoting are free. */
export function checkMediaType(answer: Answer, expected: string): Finding {
  const actual = answer.header('content-type')
  if (actual !== undefined && canonicalMediaType(actual) === canonicalMediaType(expected)) return HOLDS
  return {
    kind: 'broken',
    message: 'the Content-Type differs',
    expected,
    actual: actual ?? 'none, or several that differ',
  }
}

/** 2.1-json-object: on the bytes, one JSON object and nothing else. */
export function checkJsonObject(answer: Answer): Finding {
  const { root, problems } = answer.json
  if (root?.kind === 'object' && problems.length === 0) return HOLDS
  return {
    kind: 'broken',
    message:
      root?.kind === 'object' ? (problems[0] ?? '') : (problems[0] ?? `the body is JSON, but no object`),
    expected: 'one JSON object in UTF-8, no member twice, no other text',
    actual: describeBody(answer),
  }
}

export function checkJson(answer: Answer, check: NonNullable<Checks['json']>): Finding {
  const { root, problems } = answer.json
  const { equals, includes } = check
  if (equals !== undefined && (problems.length > 0 || !jsonEquals(root, equals))) {
    return {
      kind: 'broken',
      message: problems[0] ?? 'the body is another JSON value',
      expected: JSON.stringify(equals),
      actual: describeBody(answer),
    }
  }
  for (const [name, value] of Object.entries(includes ?? {})) {
    const member = answer.member(name)
    if (member !== undefined && jsonEquals(member.value, value)) continue
    return {
      kind: 'broken',
      message: member === undefined ? `\`${name}\` is missing` : `\`${name}\` has another value`,
      expected: JSON.stringify(value),
      actual: member === undefined ? describeBody(answer) : describeMember(answer, member),
      pointer: pointerTo(name),
    }
  }
  return HOLDS
}
