import type { Exchange } from './exchange.js'

/** Less is a clock that is kept right little by little. */
const STEP_MS = 1000

/**
 * What tells that the local clock is no longer what it was when this program began: it was set, or the machine slept.
 * @param monotonic milliseconds of a clock that cannot be set, since `origin`
 */
export function clockSet(
  now = Date.now(),
  monotonic = performance.now(),
  origin = performance.timeOrigin,
): Pick<Exchange, 'isClockSet'> {
  return Math.abs(now - monotonic - origin) < STEP_MS ? {} : { isClockSet: true }
}
