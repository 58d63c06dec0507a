import { wholeSeconds } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { members } from './overrides.js'
import { mutants, type Row } from './row.js'

const hourMs = 3_600_000

/** 2.1: what the two dates say of the token's life; 8-R3: how long it is by default. */
export const lifetimeMutants: readonly Mutant[] = mutants([
  expires('expires-a-second-late', '`.expires` is a second late.', ['2.1-R2'], (ms) => ms + 1000),
  expires('expires-a-second-early', '`.expires` is a second early.', ['2.1-R2'], (ms) => ms - 1000),
  expires(
    'expires-in-local-time',
    '`.expires` is the local time of a zone east of Greenwich, and says GMT.',
    ['2.1-R2', '8-R3'],
    (ms) => ms + hourMs,
  ),
  {
    id: 'expires-rounded',
    sentence: '`.issued` is cut to the second and `.expires` is rounded to it.',
    violates: ['2.1-R2'],
    behaviour: () => ({
      issuedAt: (nowMs) => nowMs,
      expiresAt: (issuedAtMs, seconds) => wholeSeconds(issuedAtMs + 500) + seconds * 1000,
    }),
  },
  {
    id: 'expires-as-issued',
    sentence: '`.expires` is the time of issue.',
    violates: ['2.1-R2', '8-R3'],
    behaviour: () => ({ expiresAt: (issuedAtMs) => issuedAtMs }),
  },
  {
    id: 'dates-swapped',
    sentence: '`.issued` and `.expires` have each the value of the other.',
    violates: ['2.1-R2', '2.1-issue-time', '8-R3'],
    behaviour: members((all, { issued, expires }) =>
      all.map(([name, value]) => [name, name === '.issued' ? expires : name === '.expires' ? issued : value]),
    ),
  },
  {
    id: 'fifteen-days',
    sentence: 'A token lives for 15 days.',
    violates: ['2.1-R2', '2.1-expires_in', '8-R3'],
    behaviour: () => ({ lifetime: () => 15 * 86_400 }),
  },
  {
    id: 'two-hours-under-14-days',
    sentence: 'A token lives for two hours less than 14 days.',
    violates: ['2.1-R2', '2.1-expires_in', '8-R3'],
    behaviour: () => ({ lifetime: () => 14 * 86_400 - 7200 }),
  },
  {
    id: 'five-seconds-over-14-days',
    sentence: 'A token lives for five seconds more than 14 days.',
    violates: ['2.1-R2', '2.1-expires_in'],
    behaviour: () => ({ lifetime: () => 14 * 86_400 + 5 }),
  },
  {
    id: 'lifetime-not-configurable',
    sentence: 'A token lives for 14 days, whatever is configured.',
    violates: ['2.1-R2', '2.1-expires_in'],
    needs: 'short-lifetime',
    behaviour: () => ({ lifetime: () => 1_209_600 }),
  },
  {
    id: 'expires-not-configurable',
    sentence: '`.expires` alone is 14 days later, whatever is configured.',
    violates: ['2.1-R2'],
    needs: 'short-lifetime',
    behaviour: () => ({ expiresAt: (issuedAtMs) => issuedAtMs + 1_209_600_000 }),
  },
  issued('issued-62-seconds-ahead', '`.issued` is 62 seconds ahead.', (nowMs) => nowMs + 62_000),
  issued('issued-62-seconds-behind', '`.issued` is 62 seconds behind.', (nowMs) => nowMs - 62_000),
  issued(
    'issued-in-local-time',
    '`.issued` is the local time of a zone, and says GMT.',
    (nowMs) => nowMs - hourMs,
  ),
  issued(
    'issued-cut-to-five-seconds',
    '`.issued` is cut to five seconds.',
    (nowMs) => nowMs - (nowMs % 5000),
  ),
  issued('issued-cut-to-the-minute', '`.issued` is cut to the minute.', (nowMs) => nowMs - (nowMs % 60_000)),
  {
    id: 'issued-at-the-start',
    sentence: '`.issued` is the time of the first grant for ever.',
    violates: ['2.1-issue-time'],
    behaviour: () => {
      let firstMs: number | undefined
      return {
        issuedAt: (nowMs) => {
          firstMs ??= wholeSeconds(nowMs)
          return firstMs
        },
      }
    },
  },
])

function expires(
  id: string,
  sentence: string,
  violates: readonly string[],
  change: (ms: number) => number,
): Row {
  return {
    id,
    sentence,
    violates,
    behaviour: () => ({ expiresAt: (issuedAtMs, seconds) => change(issuedAtMs + seconds * 1000) }),
  }
}

/** Another time of issue; the lifetime is right. */
function issued(id: string, sentence: string, change: (nowMs: number) => number): Row {
  return {
    id,
    sentence,
    violates: ['2.1-issue-time'],
    behaviour: () => ({ issuedAt: (nowMs) => wholeSeconds(change(nowMs)) }),
  }
}
