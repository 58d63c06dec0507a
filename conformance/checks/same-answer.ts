import type { Answer } from '../wire/answer.js'
import { sameJson } from '../wire/json-equals.js'
import { canonicalMediaType } from '../wire/media-type.js'
import { describeBody } from './describe.js'
import { type CheckContext, type Finding, HOLDS } from './finding.js'

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
