import { wait } from '../../../drivers/send/session/session.js'

/** Time, which tests pass by hand. */
export interface RehearsalClock {
  /** Milliseconds, never going back. */
  readonly now: () => number
  /** Waits so long, or until the signal. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export const systemClock: RehearsalClock = { now: () => performance.now(), wait }
