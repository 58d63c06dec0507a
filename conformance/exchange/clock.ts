/** Time as the pacing and the back-off see it, so that a test can turn it by hand. */
export interface Clock {
  /** Milliseconds since the epoch, never going back. */
  now(): number
  /** Calls `wake` after so many milliseconds; what it returns takes that back. */
  sleep(ms: number, wake: () => void): () => void
}

export const systemClock: Clock = {
  // Not `Date.now`: a corrected system clock must not stall a paced run.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, wake) => {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}
