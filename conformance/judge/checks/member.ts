import type { MemberCheck } from '../../../spec/model/expectation.js'
import { type JsonMember, pointerTo } from '../../../spec/model/json.js'
import { describeMember, describeMembers } from '../../evidence/describe.js'
import { isSecretMember } from '../../evidence/hidden-fields.js'
import { imfFixdateProblem } from '../../exchange/headers.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { sameJson } from '../../exchange/json-values.js'
import { type CheckContext, type CheckResult, fail, inconclusive, PASS } from './check-result.js'
import { findMember } from './members.js'

/** A text that is no JSON, or goes on after it, may well name what an empty body or another JSON value cannot. */
function checkAbsent(
  response: HttpResponse,
  name: string,
  found: ReturnType<HttpResponse['member']>,
): CheckResult {
  if (found !== undefined) return failPresent(response, found)
  const { root, problems } = response.json
  const isUnread = root === undefined || response.text.includes(JSON.stringify(name))
  return problems.length > 0 && isUnread && response.text.trim() !== ''
    ? inconclusive('the body is no JSON', name)
    : PASS
}

export function checkMember(response: HttpResponse, check: MemberCheck, context: CheckContext): CheckResult {
  const exact = response.member(check.name)
  if (check.absent) return checkAbsent(response, check.name, exact)
  // A date under a name without its dot breaks 2.1-R1; its value is still judged here.
  const member = exact ?? (check.imfFixdate ? findMember(response, check.name) : undefined)
  if (member === undefined) {
    if (check.follows !== undefined || check.sameAs !== undefined || check.differsFrom !== undefined)
      return inconclusive(`the answer has no \`${check.name}\``, check.name)
    return {
      kind: 'fail',
      // A text that is cut off may well name it.
      message:
        response.json.root?.kind === 'object'
          ? `\`${check.name}\` is missing`
          : `the body is no JSON object, so it has no \`${check.name}\``,
      expected: `a member \`${check.name}\``,
      actual: describeMembers(response),
      pointer: pointerTo('', check.name),
      hasNoValue: true,
    }
  }
  for (const part of PARTS) {
    const checked = part(response, member, check, context)
    if (checked.kind !== 'pass') return checked
  }
  return PASS
}

type MemberPart = (
  response: HttpResponse,
  member: JsonMember,
  check: MemberCheck,
  context: CheckContext,
) => CheckResult

const PARTS: readonly MemberPart[] = [
  function type(response, member, check) {
    if (check.type === undefined || member.value.kind === 'string') return PASS
    return failMember(response, member, `is no string but ${aKind(member)}`, 'a string')
  },
  function nonEmpty(response, member, check) {
    if (check.nonEmpty === undefined || (member.value.kind === 'string' && member.value.value !== ''))
      return PASS
    const problem = member.value.kind === 'string' ? 'is empty' : `is no string but ${aKind(member)}`
    return failMember(response, member, problem, 'a non-empty string')
  },
  function equals(response, member, check, context) {
    if (check.equals === undefined) return PASS
    const expected = context.resolve(check.equals)
    // Not declared: nothing to compare it with.
    if (expected === undefined) return PASS
    if (member.value.kind === 'string' && member.value.value === expected) return PASS
    return failMember(response, member, `is not ${JSON.stringify(expected)}`, JSON.stringify(expected))
  },
  function equalsIgnoringCase(response, member, check) {
    const expected = check.equalsIgnoringCase
    if (expected === undefined) return PASS
    if (member.value.kind === 'string' && member.value.value.toLowerCase() === expected.toLowerCase())
      return PASS
    return failMember(
      response,
      member,
      `is not ${JSON.stringify(expected)}`,
      `${JSON.stringify(expected)} in any case`,
    )
  },
  function integerOrOneLess(response, member, check, context) {
    if (check.integerOrOneLess === undefined) return PASS
    const whole = Number(context.resolve(String(check.integerOrOneLess)))
    const expected = `${whole - 1}, or ${whole}`
    if (member.value.kind !== 'number')
      return {
        ...failMember(response, member, `is no number but ${aKind(member)}`, expected),
        hasNoValue: true,
      }
    if (!/^\d+$/.test(member.value.raw))
      return { ...failMember(response, member, 'is not written in digits only', expected), hasNoValue: true }
    const value = Number(member.value.raw)
    return value === whole || value === whole - 1
      ? PASS
      : failMember(response, member, 'is not the lifetime in seconds, nor one less', expected)
  },
  function imfFixdate(response, member, check) {
    if (check.imfFixdate === undefined) return PASS
    const expected = 'an IMF-fixdate, such as "Sun, 06 Nov 1994 08:49:37 GMT"'
    if (member.value.kind !== 'string')
      return failMember(response, member, `is no string but ${aKind(member)}`, expected)
    const problem = imfFixdateProblem(member.value.value)
    return problem === undefined ? PASS : failMember(response, member, problem, expected)
  },
  function follows(response, member, check) {
    if (check.follows === undefined) return PASS
    const earlier = findMember(response, check.follows)
    if (earlier === undefined) return inconclusive(`the answer has no \`${check.follows}\``, check.follows)
    if (member.start > earlier.start) return PASS
    return fail(
      `\`${member.name}\` comes before \`${check.follows}\``,
      `\`${check.name}\` after \`${check.follows}\``,
      `${describeMembers(response)}, in this order`,
      pointerTo('', member.name),
    )
  },
  function sameAs(response, member, check, context) {
    if (check.sameAs === undefined) return PASS
    return compare(response, member, check.sameAs, true, context)
  },
  function differsFrom(response, member, check, context) {
    if (check.differsFrom === undefined) return PASS
    return compare(response, member, check.differsFrom, false, context)
  },
]

function compare(
  response: HttpResponse,
  member: JsonMember,
  step: string,
  same: boolean,
  context: CheckContext,
): CheckResult {
  const otherResponse = context.responseOf(step)
  const other = otherResponse?.member(member.name)
  if (otherResponse === undefined || other === undefined)
    return inconclusive(`the answer of step \`${step}\` has no \`${member.name}\``, member.name)
  if (sameJson(member.value, other.value) === same) return PASS
  const shown = isSecretMember(member.name) ? 'its value' : describeMember(otherResponse, other)
  return same
    ? failMember(response, member, `is another than in the answer of step \`${step}\``, shown)
    : failMember(
        response,
        member,
        `is the same as in the answer of step \`${step}\``,
        `another than ${shown}`,
      )
}

/** A member that would be no text is not there by configuration either. */
function failPresent(response: HttpResponse, member: JsonMember): CheckResult {
  const failed = failMember(response, member, 'is present', 'no such member')
  return member.value.kind === 'string' && member.value.value !== ''
    ? failed
    : { ...failed, hasNoValue: true }
}

function failMember(
  response: HttpResponse,
  member: JsonMember,
  what: string,
  expected: string,
): CheckResult & { readonly kind: 'fail' } {
  return fail(
    `\`${member.name}\` ${what}`,
    expected,
    describeMember(response, member),
    pointerTo('', member.name),
  )
}

function aKind(member: JsonMember): string {
  const { value } = member
  if (value.kind === 'literal') return String(value.value)
  return value.kind === 'array' || value.kind === 'object' ? `an ${value.kind}` : `a ${value.kind}`
}
