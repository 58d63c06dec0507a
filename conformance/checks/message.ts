import type { Checks } from '../../spec/types.js'
import type { Answer } from '../wire/answer.js'
import { jsonEquals, sameJson } from '../wire/json-equals.js'
import { canonicalMediaType } from '../wire/media-type.js'
import { describeBody, describeMember, describeMembers, pointerTo } from './describe.js'
import { type CheckContext, type Finding, HOLDS } from './finding.js'
import { findMember } from './loose-name.js'

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

/** 4.2: the properties of section 2.1 are there; each value has a rule of its own. */
export function checkHasMembers(answer: Answer, names: readonly string[]): Finding {
  const missing = names.find((name) => answer.member(name) === undefined)
  if (missing === undefined) return HOLDS
  return {
    kind: 'broken',
    message: `\`${missing}\` is missing`,
    expected: names.join(', '),
    actual: describeMembers(answer),
    pointer: pointerTo(missing),
  }
}

/** Decision 4: under `--strict` the token response holds the members of section 2.1 and no other. */
export function checkOnlyMembers(answer: Answer, names: readonly string[]): Finding {
  const { root } = answer.json
  const other = root?.kind === 'object' ? root.members.find(({ name }) => !names.includes(name)) : undefined
  if (other === undefined) return HOLDS
  return {
    kind: 'broken',
    message: `\`${other.name}\` is a member that section 2.1 does not list`,
    expected: names.join(', '),
    actual: other.name,
    pointer: pointerTo(other.name),
  }
}

/** 2.1-R1: a member that stands in the place of the named one, under another spelling. */
export function checkExactNames(answer: Answer, names: readonly string[]): Finding {
  const members = names.map((name) => ({ name, member: findMember(answer, name) }))
  const misnamed = members.find(({ name, member }) => member !== undefined && member.name !== name)
  if (misnamed?.member !== undefined) {
    const { name, member } = misnamed
    return {
      kind: 'broken',
      message: `\`${member.name}\` stands where \`${name}\` is expected`,
      expected: name,
      actual: member.name,
      pointer: pointerTo(member.name),
    }
  }
  // That it is missing breaks the rule on its value; its name cannot be judged.
  const missing = members.find(({ member }) => member === undefined)
  if (missing === undefined) return HOLDS
  return { kind: 'undecided', reason: `the answer has no \`${missing.name}\`, by whatever name` }
}

/** 4.1-R2: status, media type and body value equal those of another step's answer. */
export function checkSameAnswer(answer: Answer, step: string, context: CheckContext): Finding {
  const other = context.answerOf(step)
  if (other === undefined) return { kind: 'undecided', reason: `step \`${step}\` had no answer` }
  const parts: readonly (readonly [string, boolean, (of: Answer) => string])[] = [
    ['status', answer.status === other.status, (of) => String(of.status)],
    ['media type', mediaTypeOf(answer) === mediaTypeOf(other), (of) => of.header('content-type') ?? 'none'],
    ['body', sameBody(answer, other), describeBody],
  ]
  const different = parts.find(([, same]) => !same)
  if (different === undefined) return HOLDS
  const [what, , describe] = different
  return {
    kind: 'broken',
    message: `the ${what} differs from that of the answer to step \`${step}\``,
    expected: describe(other),
    actual: describe(answer),
  }
}

/** 2.1-R3: but for `userId`, the members are those of another deployment's answer. */
export function checkSameMembers(answer: Answer, step: string, context: CheckContext): Finding {
  const other = context.answerOf(step)?.json.root
  const own = answer.json.root
  if (other?.kind !== 'object' || own?.kind !== 'object')
    return { kind: 'undecided', reason: `the answer to step \`${step}\`, or this one, is no JSON object` }
  const names = (members: readonly { readonly name: string }[]): readonly string[] =>
    [...new Set(members.map(({ name }) => name))].filter((name) => name !== 'userId').sort()
  const [expected, actual] = [names(other.members), names(own.members)]
  if (expected.join('\n') === actual.join('\n')) return HOLDS
  return {
    kind: 'broken',
    message: `the members differ from those of the answer to step \`${step}\`, beyond userId`,
    expected: expected.join(', '),
    actual: actual.join(', '),
  }
}

function mediaTypeOf(answer: Answer): string | undefined {
  const value = answer.header('content-type')
  return value === undefined ? undefined : (canonicalMediaType(value) ?? value)
}

function sameBody(a: Answer, b: Answer): boolean {
  const [left, right] = [a.json.root, b.json.root]
  if (left === undefined || right === undefined) return a.text === b.text
  return sameJson(left, right)
}
