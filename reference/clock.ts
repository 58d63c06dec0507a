import { ControlError } from './control-error.js'

/** The latest time that a clock may show: dates must keep a four-digit year (RFC 9110 5.6.7), expiry included. */
const latestMs = Date.UTC(9000, 0, 1)

/** The service's idea of time. Tests move it; nothing in the service reads any other. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Moves the clock forward, or back by a negative number; a frozen clock stays frozen.
   * @throws ControlError `bad-request` when `seconds` is no finite number, or the result leaves the years 1970 to 8999
   */
  advance(seconds: number): void
  /** Stops the clock, now or at the given milliseconds since the epoch, until `reset`. @throws as `advance` */
  freeze(atMs?: number): void
  /** Shows the source's time again. */
  reset(): void
}

/** A clock over a source of milliseconds since the epoch, by default the machine's. */
export function createClock(sourceMs: () => number = Date.now): Clock {
  let offsetMs = 0
  let frozenMs: number | undefined

  const now = (): number => frozenMs ?? sourceMs() + offsetMs
  const check = (ms: number): number => {
    if (!(ms >= 0 && ms <= latestMs))
      throw new ControlError('bad-request', 'the clock must stay within the years 1970 to 8999')
    return ms
  }

  return {
    now,
    advance(seconds) {
      const target = check(now() + numeric('seconds', seconds) * 1000)
      if (frozenMs === undefined) offsetMs += seconds * 1000
      else frozenMs = target
    },
    freeze(atMs = now()) {
      frozenMs = check(numeric('atMs', atMs))
    },
    reset() {
      offsetMs = 0
      frozenMs = undefined
    },
  }
}

/** A program without types may give anything: a `Date` would be kept as one, and show in texts. */
function numeric(name: string, value: number): number {
  if (Number.isFinite(value)) return value
  throw new ControlError('bad-request', `expected ${name} to be a number`)
}
