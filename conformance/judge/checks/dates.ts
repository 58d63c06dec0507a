import type { Checks } from '../../../spec/model/expectation.js'
import { pointerTo } from '../../../spec/model/json.js'
import { describeMember } from '../../evidence/describe.js'
import { instantOf } from '../../exchange/headers.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import { type CheckContext, type CheckResult, fail, inconclusive, PASS } from './check-result.js'
import { findMember } from './members.js'

/** 2.1-R2: `.expires` is later than `.issued` by the lifetime, to the second. */
export function checkSpan(
  response: HttpResponse,
  check: NonNullable<Checks['span']>,
  context: CheckContext,
): CheckResult {
  const from = dateOf(response, check.from)
  const to = dateOf(response, check.to)
  if (from === undefined || to === undefined) return noDate(from === undefined ? check.from : check.to)
  const expected = Number(context.resolve(String(check.seconds)))
  // To the second: in another format than the documented one (2.1-issued) a date may hold fractions.
  const actual = wholeSeconds(to.instant) - wholeSeconds(from.instant)
  if (Math.abs(actual - expected) <= (check.toleranceSeconds ?? 0)) return PASS
  return fail(
    `\`${check.to}\` is ${actual} s later than \`${check.from}\`, not ${expected} s`,
    `${expected} s`,
    `${actual} s (${from.shown()} to ${to.shown()})`,
    pointerTo('', check.to),
  )
}

/** 2.1-issue-time: within the clock skew of the response's `Date`, or of the local clock where there is none. */
export function checkNearResponseTime(
  response: HttpResponse,
  name: string,
  context: CheckContext,
): CheckResult {
  const date = dateOf(response, name)
  if (date === undefined) return noDate(name)
  const { instant, source } = response.time
  // The date is cut to the second, and the local clock is not: what is below a second tells nothing.
  const offset = Math.trunc((date.instant - instant) / 1000)
  if (Math.abs(offset) <= context.deployment.clockSkew) return PASS
  if (source === 'local clock' && response.isClockSet)
    return inconclusive('the response has no Date, and the clock of this machine was set meanwhile')
  return fail(
    `\`${name}\` is ${Math.abs(offset)} s ${offset < 0 ? 'before' : 'after'} the ${
      source === 'Date' ? "response's Date" : 'local clock (the response has no Date)'
    }`,
    `within ${context.deployment.clockSkew} s of ${new Date(instant).toUTCString()}`,
    date.shown(),
    pointerTo('', name),
  )
}

/**
 * 2.1-issue-time: a later grant is issued later. Of several at once, some later one must be than some earlier one: nodes
 * behind one address may have clocks that differ, and two grants be of two nodes.
 */
export function checkAdvances(
  response: HttpResponse,
  check: NonNullable<Checks['advances']>,
  context: CheckContext,
): CheckResult {
  const earlierResponse = context.responseOf(check.since)
  // A refused account is not tried again: both steps then have the answer to its one login.
  if (earlierResponse === response) return inconclusive('no second grant was made')
  const earlierOnes = context.answersOf?.(check.since) ?? (earlierResponse ? [earlierResponse] : [])
  const laterOnes = context.copies ?? [response]
  const earlier = datesOf(earlierOnes, check.member).at(0)
  const later = datesOf(laterOnes, check.member).at(-1)
  if (earlier === undefined || later === undefined) return noDate(check.member)
  const advance = (later.instant - earlier.instant) / 1000
  if (advance >= check.atLeastSeconds) return PASS
  // It may be the service's clock too.
  if (advance < 0 && laterOnes.some((later) => later?.isClockSet))
    return inconclusive('the clock of this machine was set meanwhile')
  return fail(
    `\`${check.member}\` advanced by ${advance} s since step \`${check.since}\``,
    `at least ${check.atLeastSeconds} s later than ${earlier.shown()}`,
    later.shown(),
    pointerTo('', check.member),
  )
}

interface ShownDate {
  readonly instant: number
  /** Only a failure is shown. */
  readonly shown: () => string
}

/** In the order of time. */
function datesOf(responses: readonly (HttpResponse | undefined)[], name: string): readonly ShownDate[] {
  const dates = responses.flatMap((response) => (response && dateOf(response, name)) ?? [])
  return dates.sort((a, b) => a.instant - b.instant)
}

function dateOf(response: HttpResponse, name: string): ShownDate | undefined {
  const member = findMember(response, name)
  if (member?.value.kind !== 'string') return undefined
  const instant = instantOf(member.value.value)
  return instant === undefined ? undefined : { instant, shown: () => describeMember(response, member) }
}

function wholeSeconds(instantMs: number): number {
  return Math.floor(instantMs / 1000)
}

function noDate(name: string): CheckResult {
  return inconclusive(`\`${name}\` holds no date to compare`, name)
}
