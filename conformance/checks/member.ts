import type { MemberCheck } from '../../spec/types.js'
import type { Answer } from '../wire/answer.js'
import { imfFixdateProblem } from '../wire/http-date.js'
import { sameJson } from '../wire/json-equals.js'
import type { JsonMember } from '../wire/json-text.js'
import { describeMember, describeMembers, pointerTo } from './describe.js'
import { type CheckContext, type Finding, HOLDS } from './finding.js'
import { findMember } from './loose-name.js'
import { isSecretMember } from './secret-members.js'

/** Judges one member of the answer's object (section 2.1). */
export function checkMember(answer: Answer, check: MemberCheck, context: CheckContext): Finding {
  const exact = answer.member(check.name)
  if (check.absent) return exact === undefined ? HOLDS : broken(answer, exact, 'is present', 'no such member')
  // A date under a name without its dot breaks 2.1-R1; its value is still judged here.
  const member = exact ?? (check.imfFixdate ? findMember(answer, check.name) : undefined)
  if (member === undefined) {
    if (check.follows !== undefined || check.sameAs !== undefined || check.differsFrom !== undefined)
      return { kind: 'undecided', reason: `the answer has no \`${check.name}\`` }
    return {
      kind: 'broken',
      message: `\`${check.name}\` is missing`,
      expected: `a member \`${check.name}\``,
      actual: describeMembers(answer),
      pointer: pointerTo(check.name),
      isMissing: true,
    }
  }
  for (const part of PARTS) {
    const finding = part(answer, member, check, context)
    if (finding.kind !== 'holds') return finding
  }
  return HOLDS
}

type Part = (answer: Answer, member: JsonMember, check: MemberCheck, context: CheckContext) => Finding

const PARTS: readonly Part[] = [
  function type(answer, member, check) {
    if (check.type === undefined || member.value.kind === 'string') return HOLDS
    return broken(answer, member, `is no string but ${aKind(member)}`, 'a string')
  },
  function nonEmpty(answer, member, check) {
    if (!check.nonEmpty || member.value.kind !== 'string' || member.value.value !== '') return HOLDS
    return broken(answer, member, 'is empty', 'a non-empty string')
  },
  function equals(answer, member, check, context) {
    if (check.equals === undefined) return HOLDS
    const expected = context.resolve(check.equals)
    // Not declared: nothing to compare it with.
    if (expected === undefined) return HOLDS
    if (member.value.kind === 'string' && member.value.value === expected) return HOLDS
    return broken(answer, member, `is not ${JSON.stringify(expected)}`, JSON.stringify(expected))
  },
  function equalsIgnoringCase(answer, member, check) {
    const expected = check.equalsIgnoringCase
    if (expected === undefined) return HOLDS
    if (member.value.kind === 'string' && member.value.value.toLowerCase() === expected.toLowerCase())
      return HOLDS
    return broken(
      answer,
      member,
      `is not ${JSON.stringify(expected)}`,
      `${JSON.stringify(expected)} in any case`,
    )
  },
  function integerOrOneLess(answer, member, check, context) {
    if (check.integerOrOneLess === undefined) return HOLDS
    const whole = Number(context.resolve(String(check.integerOrOneLess)))
    const expected = `${whole - 1}, or ${whole}`
    if (member.value.kind !== 'number')
      return broken(answer, member, `is no number but ${aKind(member)}`, expected)
    if (!/^\d+$/.test(member.value.raw))
      return broken(answer, member, 'is not written in digits only', expected)
    const value = Number(member.value.raw)
    return value === whole || value === whole - 1
      ? HOLDS
      : broken(answer, member, 'is not the lifetime in seconds, nor one less', expected)
  },
  function imfFixdate(answer, member, check) {
    if (!check.imfFixdate) return HOLDS
    const expected = 'an IMF-fixdate, such as "Sun, 06 Nov 1994 08:49:37 GMT"'
    if (member.value.kind !== 'string')
      return broken(answer, member, `is no string but ${aKind(member)}`, expected)
    const problem = imfFixdateProblem(member.value.value)
    return problem === undefined ? HOLDS : broken(answer, member, problem, expected)
  },
  function follows(answer, member, check) {
    if (check.follows === undefined) return HOLDS
    const earlier = findMember(answer, check.follows)
    if (earlier === undefined) return { kind: 'undecided', reason: `the answer has no \`${check.follows}\`` }
    return member.start > earlier.start
      ? HOLDS
      : broken(
          answer,
          member,
          `stands before \`${check.follows}\``,
          `\`${check.name}\` after \`${check.follows}\``,
        )
  },
  function sameAs(answer, member, check, context) {
    if (check.sameAs === undefined) return HOLDS
    return compare(answer, member, check.sameAs, true, context)
  },
  function differsFrom(answer, member, check, context) {
    if (check.differsFrom === undefined) return HOLDS
    return compare(answer, member, check.differsFrom, false, context)
  },
]

function compare(
  answer: Answer,
  member: JsonMember,
  step: string,
  same: boolean,
  context: CheckContext,
): Finding {
  const otherAnswer = context.answerOf(step)
  const other = otherAnswer?.member(member.name)
  if (otherAnswer === undefined || other === undefined)
    return { kind: 'undecided', reason: `the answer of step \`${step}\` has no \`${member.name}\`` }
  if (sameJson(member.value, other.value) === same) return HOLDS
  const shown = isSecretMember(member.name) ? 'its value' : describeMember(otherAnswer, other)
  return same
    ? broken(answer, member, `is another than in the answer of step \`${step}\``, shown)
    : broken(answer, member, `is the same as in the answer of step \`${step}\``, `another than ${shown}`)
}

function broken(answer: Answer, member: JsonMember, what: string, expected: string): Finding {
  return {
    kind: 'broken',
    message: `\`${member.name}\` ${what}`,
    expected,
    actual: describeMember(answer, member),
    pointer: pointerTo(member.name),
  }
}

function aKind(member: JsonMember): string {
  const { value } = member
  if (value.kind === 'literal') return String(value.value)
  return value.kind === 'array' || value.kind === 'object' ? `an ${value.kind}` : `a ${value.kind}`
}
