import type { Clock } from '../clock.js'
import { ControlError } from './control-error.js'
import { given } from './given.js'
import { readObject } from './read-object.js'

/** The clock of a store as a test moves it. */
export function controlClock(clock: Clock): Clock {
  const move = (by: () => void): void => {
    try {
      by()
    } catch (error) {
      throw error instanceof RangeError ? new ControlError('bad-request', error.message) : error
    }
  }
  return {
    now: () => clock.now(),
    advance(seconds) {
      const by = readObject('the clock', { seconds }).number('seconds', true)
      move(() => clock.advance(by))
    },
    freeze(atMs) {
      const at = readObject('the clock', given({ atMs })).number('atMs')
      move(() => clock.freeze(at))
    },
    reset: () => clock.reset(),
  }
}
