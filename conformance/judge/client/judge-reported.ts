import { HttpResponse, responseOf } from '../../exchange/http-response.js'
import { type Decision, failed, inapplicable, PASSED } from './decision.js'
import type { ObservedSignIn } from './observed-sign-in.js'

/** Of times in milliseconds, what whole seconds leave out. */
const ROUNDED_MS = 1000

type Span = readonly [fromMs: number, toMs: number]

/** 2.1: what the client reports of a sign-in is what the answer says. */
export function judgeReported(observed: ObservedSignIn): Decision {
  const { end, environment, expiresAtMs } = observed
  const { reported } = end
  if (reported?.userName === undefined && reported?.expiresAt === undefined)
    return inapplicable('the client reports neither userName nor expiresAt')
  if (reported.userName !== undefined && reported.userName !== environment.userName)
    return failed('the client reports another user name', environment.userName, show(reported.userName))
  if (reported.expiresAt === undefined || (expiresAtMs === undefined && isNone(reported.expiresAt)))
    return PASSED
  const instant = instantOf(reported.expiresAt)
  const own = byOwnClock(observed)
  const spans: readonly Span[] = [
    ...(expiresAtMs === undefined ? [] : [[expiresAtMs, expiresAtMs] as const]),
    ...own,
  ]
  // Where the answer names no time, any is right, but a text that is none.
  const isRight = (at: number): boolean =>
    spans.length === 0 || spans.some(([from, to]) => at >= from - ROUNDED_MS && at <= to + ROUNDED_MS)
  if (instant !== undefined && isRight(instant)) return PASSED
  const accepted = [
    ...(expiresAtMs === undefined ? [] : [`${toSecond(expiresAtMs)} (\`.expires\`)`]),
    ...own.slice(-1).map(([from]) => `${toSecond(from)} (its clock plus \`expires_in\`)`),
  ]
  return failed(
    'the client reports another time of expiry',
    accepted.join(', or ') || 'a time, or none',
    typeof reported.expiresAt === 'number' && instant !== undefined
      ? `${reported.expiresAt} (${toSecond(instant)})`
      : show(reported.expiresAt),
  )
}

/** What clients print where there is nothing. */
export function isNone(reported: unknown): boolean {
  return reported === undefined || reported === null || reported === ''
}

function toSecond(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** A client may add `expires_in` to the time of its own clock, at any moment of its call. */
function byOwnClock({ exchanges, calledAtMs, durationMs }: ObservedSignIn): readonly Span[] {
  return exchanges.flatMap((exchange): readonly Span[] => {
    const response = responseOf(exchange)
    const expiresIn = response instanceof HttpResponse ? response.member('expires_in')?.value : undefined
    if (expiresIn?.kind !== 'number') return []
    const from = calledAtMs + Number(expiresIn.raw) * 1000
    return [[from, from + durationMs]]
  })
}

/** A time as clients report it: a text with its zone, or seconds or milliseconds since the epoch. */
function instantOf(reported: unknown): number | undefined {
  if (typeof reported === 'number') return reported < 1e11 ? reported * 1000 : reported
  if (typeof reported !== 'string') return undefined
  const ms = Date.parse(reported)
  return Number.isNaN(ms) ? undefined : ms
}

/** What a client printed may be any JSON. */
function show(reported: unknown): string {
  return typeof reported === 'string' ? reported : JSON.stringify(reported)
}
