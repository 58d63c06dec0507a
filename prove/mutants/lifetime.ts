import { wholeSeconds } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { members } from './overrides.js'
import type { Override } from './rows.js'

const hourMs = 3_600_000

/** 2.1: what the two dates say of the token's life; 8-R3: how long it is by default. */
export const lifetimeMutants: readonly Mutant[] = [
  ...breaking(['2.1-R2'], expires, {
    'expires-a-second-late: `.expires` is a second late.': (ms) => ms + 1000,
    'expires-a-second-early: `.expires` is a second early.': (ms) => ms - 1000,
  }),
  ...breaking(['2.1-R2', '8-R3'], asIs, {
    'expires-in-local-time: `.expires` is local time east of Greenwich, labelled GMT.': expires(
      (ms) => ms + hourMs,
    ),
  }),
  ...breaking(['2.1-R2'], asIs, {
    'expires-rounded: `.issued` is cut to the second and `.expires` is rounded to it.': {
      issuedAt: (nowMs) => nowMs,
      expiresAt: (issuedAtMs, seconds) => wholeSeconds(issuedAtMs + 500) + seconds * 1000,
    },
  }),
  ...breaking(['2.1-R2', '8-R3'], asIs, {
    'expires-as-issued: `.expires` is the time of issue.': { expiresAt: (issuedAtMs) => issuedAtMs },
  }),
  ...breaking(['2.1-R2', '2.1-issue-time', '8-R3'], asIs, {
    'dates-swapped: The values of `.issued` and `.expires` are swapped.': members(
      (all, { issued, expires }) =>
        all.map(([name, value]) => [
          name,
          name === '.issued' ? expires : name === '.expires' ? issued : value,
        ]),
    ),
  }),
  ...breaking(['2.1-R2', '2.1-expires_in', '8-R3'], lifetime, {
    'fifteen-days: A token lives for 15 days.': 15 * 86_400,
    'two-hours-under-14-days: A token lives for two hours less than 14 days.': 14 * 86_400 - 7200,
  }),
  ...breaking(['2.1-R2', '2.1-expires_in'], lifetime, {
    'five-seconds-over-14-days: A token lives five seconds longer than 14 days.': 14 * 86_400 + 5,
  }),
  ...breaking({ violates: ['2.1-R2', '2.1-expires_in'], needs: 'short-lifetime' }, lifetime, {
    'lifetime-not-configurable: A token lives for 14 days, regardless of the configuration.': 14 * 86_400,
  }),
  ...breaking({ violates: ['2.1-R2'], needs: 'short-lifetime' }, asIs, {
    'expires-not-configurable: `.expires` alone is 14 days later, regardless of the configuration.': {
      expiresAt: (issuedAtMs) => issuedAtMs + 1_209_600_000,
    },
  }),
  ...breaking(['2.1-issue-time'], issued, {
    'issued-62-seconds-ahead: `.issued` is 62 seconds ahead.': (nowMs) => nowMs + 62_000,
    'issued-62-seconds-behind: `.issued` is 62 seconds behind.': (nowMs) => nowMs - 62_000,
    'issued-in-local-time: `.issued` is local time, labelled GMT.': (nowMs) => nowMs - hourMs,
    'issued-cut-to-five-seconds: `.issued` is cut to five seconds.': (nowMs) => nowMs - (nowMs % 5000),
    'issued-cut-to-the-minute: `.issued` is cut to the minute.': (nowMs) => nowMs - (nowMs % 60_000),
  }),
  ...breaking(['2.1-issue-time'], asIs, {
    'issued-at-the-start: `.issued` is always the time of the first grant.': () => {
      let firstMs: number | undefined
      return issued((nowMs) => {
        firstMs ??= nowMs
        return firstMs
      })
    },
  }),
]

function expires(change: (ms: number) => number): Override {
  return { expiresAt: (issuedAtMs, seconds) => change(issuedAtMs + seconds * 1000) }
}

function lifetime(seconds: number): Override {
  return { lifetime: () => seconds }
}

/** Another time of issue; the lifetime is right. */
function issued(change: (nowMs: number) => number): Override {
  return { issuedAt: (nowMs) => wholeSeconds(change(nowMs)) }
}
