import { type Decision, failed, inapplicable, PASSED } from './decision.js'
import type { ObservedSignIn } from './observed-sign-in.js'

/** 2.1: what the client reports of a sign-in is what the answer says. */
export function judgeReported({ end: { reported }, environment, expiresAtMs }: ObservedSignIn): Decision {
  if (reported?.userName === undefined && reported?.expiresAt === undefined)
    return inapplicable('the client reports neither userName nor expiresAt')
  if (reported.userName !== undefined && reported.userName !== environment.userName)
    return failed('the client reports another user name', environment.userName, show(reported.userName))
  if (reported.expiresAt === undefined || expiresAtMs === undefined) return PASSED
  const instant = instantOf(reported.expiresAt)
  const expected = new Date(expiresAtMs).toISOString()
  return instant !== undefined && Math.abs(instant - expiresAtMs) <= 1000
    ? PASSED
    : failed('the client reports another time of expiry', expected, show(reported.expiresAt))
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
