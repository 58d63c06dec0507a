import type { WireResponse } from '../exchange.js'
import { headerValue } from './header-value.js'

const longestMs = 30_000
const firstMs = 250
/** The golden ratio's fraction: consecutive multiples of it spread over 0…1 without chance. */
const spread = 0.6180339887498949

/** Whether it asks to be sent the same again later: 429, or 503 with `Retry-After`. */
export function asksToRetry(response: WireResponse): boolean {
  if (response.status === 429) return true
  return response.status === 503 && headerValue(response.headers, 'retry-after') !== undefined
}

/** Milliseconds to wait before sending for the `attempt`th time again, from 1; `salt` spreads those who wait together. */
export function backOffMs(response: WireResponse, attempt: number, salt: number, nowEpochMs: number): number {
  const asked = retryAfterMs(headerValue(response.headers, 'retry-after'), nowEpochMs)
  // `Retry-After: 0`, or a date that has just passed, is no help.
  if (asked !== undefined && asked > 0) return Math.min(asked, longestMs)
  const exponential = firstMs * 2 ** (attempt - 1)
  return Math.min(exponential * (1 + ((salt * spread) % 1) / 2), longestMs)
}

/** RFC 9110 10.2.3: seconds, or an HTTP-date. */
function retryAfterMs(value: string | undefined, nowEpochMs: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : date - nowEpochMs
}
