import { type JsonMember, type JsonNode, pointerTo } from '../../../spec/model/json.js'
import { describeBody, describeMembers } from '../../evidence/describe.js'
import { canonicalMediaType, instantOf } from '../../exchange/headers.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { sameJson } from '../../exchange/json-values.js'
import { type CheckContext, type CheckResult, fail, inconclusive, PASS } from './check-result.js'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** 4.2: the properties of section 2.1 are there; each value has a rule of its own. */
export function checkHasMembers(response: HttpResponse, names: readonly string[]): CheckResult {
  const missing = names.find((name) => response.member(name) === undefined)
  if (missing === undefined) return PASS
  return fail(
    `\`${missing}\` is missing`,
    names.join(', '),
    describeMembers(response),
    pointerTo('', missing),
  )
}

/** Decision 4: under `--strict` the token response holds the members of section 2.1 and no other. */
export function checkOnlyMembers(response: HttpResponse, names: readonly string[]): CheckResult {
  const { root, problems } = response.json
  if (root?.kind !== 'object')
    return fail('the body is no JSON object', names.join(', '), describeMembers(response))
  const other = root.members.find(({ name }) => !names.includes(name))
  if (other === undefined) return problems.length > 0 ? inconclusive('the body is no JSON') : PASS
  return fail(
    `\`${other.name}\` is a member that section 2.1 does not list`,
    names.join(', '),
    other.name,
    pointerTo('', other.name),
  )
}

/** 2.1-R1: a member in the place of the named one, under another spelling. */
export function checkExactNames(response: HttpResponse, names: readonly string[]): CheckResult {
  const members = names.map((name) => ({ name, member: findMember(response, name) }))
  const misnamed = members.find(({ name, member }) => member !== undefined && member.name !== name)
  if (misnamed?.member !== undefined) {
    const { name, member } = misnamed
    return fail(
      `\`${member.name}\` is where \`${name}\` is expected`,
      name,
      member.name,
      pointerTo('', member.name),
    )
  }
  // That it is missing breaks the rule on its value; its name cannot be judged.
  const missing = members.find(({ member }) => member === undefined)
  if (missing === undefined) return PASS
  return inconclusive(`the answer has no \`${missing.name}\`, under any name`, missing.name)
}

/**
 * The member of that name, or the one in its place: other case, or another mark (or none) before it.
 * So a dot left out breaks 2.1-R1 alone, and the value is still judged by the rules on the value.
 */
export function findMember(response: HttpResponse, name: string): JsonMember | undefined {
  const exact = response.member(name)
  const root = response.json.root
  if (exact !== undefined || root?.kind !== 'object') return exact
  const bare = bareName(name)
  return root.members.findLast((member) => bareName(member.name) === bare)
}

function bareName(name: string): string {
  let start = 0
  for (const character of name) {
    if (isLetterOrDigit(character)) break
    start += character.length
  }
  return name.slice(start).toLowerCase()
}

/** A letter is what has a case: the engine of k6, which runs the same code, does not read `\p{L}`. */
function isLetterOrDigit(character: string): boolean {
  return /\d/.test(character) || character.toLowerCase() !== character.toUpperCase()
}

/** 4.1-R2: status, media type and body value equal those of another step's answer. */
export function checkSameAnswer(response: HttpResponse, step: string, context: CheckContext): CheckResult {
  const other = context.responseOf(step)
  if (other === undefined) return inconclusive(`step \`${step}\` had no answer`)
  const parts: readonly (readonly [string, boolean, (of: HttpResponse) => string])[] = [
    ['status', response.status === other.status, (of) => String(of.status)],
    [
      'media type',
      mediaTypeOf(response) === mediaTypeOf(other),
      (of) => of.header('content-type') ?? 'no Content-Type',
    ],
    ['body', sameBody(response, other), describeBody],
  ]
  const different = parts.find(([, same]) => !same)
  if (different === undefined) return PASS
  const [what, , describe] = different
  return fail(
    `the ${what} differs from that of the answer to step \`${step}\``,
    describe(other),
    describe(response),
  )
}

/** 2.1-R3: but for `userId`, the members are those of another deployment's answer. */
export function checkSameMembers(response: HttpResponse, step: string, context: CheckContext): CheckResult {
  const other = context.responseOf(step)?.json.root
  const own = response.json.root
  if (other?.kind !== 'object' || own?.kind !== 'object')
    return inconclusive(`the answer to step \`${step}\`, or this one, is no JSON object`)
  const names = (members: readonly { readonly name: string }[]): readonly string[] =>
    [...new Set(members.map(({ name }) => name))].filter((name) => name !== 'userId').sort()
  const [expected, actual] = [names(other.members), names(own.members)]
  if (expected.join('\n') === actual.join('\n')) return PASS
  return fail(
    `the members differ from those of the answer to step \`${step}\`, beyond userId`,
    expected.join(', '),
    actual.join(', '),
  )
}

function mediaTypeOf(response: HttpResponse): string | undefined {
  const value = response.header('content-type')
  return value === undefined ? undefined : (canonicalMediaType(value) ?? value)
}

function sameBody(a: HttpResponse, b: HttpResponse): boolean {
  const [left, right] = [a.json.root, b.json.root]
  if (left === undefined || right === undefined) return a.text === b.text
  return sameJson(left, right, (one, other) => one.kind === other.kind && tellTimes(a, one, b, other))
}

/**
 * What tells when an answer was made, in a member beside the documented ones, makes it no other answer. The clock may be off,
 * or tell local time: by as much in both.
 */
function tellTimes(a: HttpResponse, one: JsonNode, b: HttpResponse, other: JsonNode): boolean {
  const others = offsetsOf(b, other)
  return offsetsOf(a, one).some(
    (offset, unit) =>
      Math.abs(offset) < DAY_MS && Math.abs(offset - (others[unit] ?? Number.NaN)) < MINUTE_MS,
  )
}

/** In milliseconds from the time of the answer, what a text is, or a number of milliseconds or of seconds. */
function offsetsOf({ time }: HttpResponse, value: JsonNode): readonly number[] {
  const instants =
    value.kind === 'string'
      ? [instantOf(value.value) ?? Number.NaN]
      : value.kind === 'number'
        ? [Number(value.raw), Number(value.raw) * 1000]
        : []
  return instants.map((instant) => instant - time.instant)
}
