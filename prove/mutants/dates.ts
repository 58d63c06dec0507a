import { imfFixdate, wholeSeconds } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { text, value, without } from './overrides.js'
import type { Override } from './rows.js'

const both = ['2.1-issued', '2.1-expires']
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** 2.1: `.issued` and `.expires` are IMF-fixdates. */
export const dateMutants: readonly Mutant[] = [
  ...breaking(both, format, {
    'zone-in-lower-case: Dates end in `gmt`.': ['GMT', 'gmt'],
    'zone-utc: Dates end in `UTC`.': ['GMT', 'UTC'],
    'numeric-zone: Dates end in `+0000`.': ['GMT', '+0000'],
    'month-in-capitals: The month is written in capitals.': (date) =>
      date.replace(/ [A-Z][a-z]{2} /, (month) => month.toUpperCase()),
    'no-comma-in-date: The comma after the weekday is left out.': [',', ''],
    'two-spaces-in-date: Two spaces follow the weekday.': [', ', ',  '],
    'space-after-date: A space follows the date.': [/$/, ' '],
    'milliseconds-in-date: Dates have milliseconds.': [' GMT', '.000 GMT'],
    'full-weekday: The weekday is written out.': (date, ms) =>
      date.replace(/^\w+/, weekdays[new Date(ms).getUTCDay()] ?? ''),
    'weekday-of-tomorrow: The weekday is that of the day after.': (date, ms) =>
      date.replace(/^\w+/, imfFixdate(ms + 86_400_000).slice(0, 3)),
    'rfc-850-date: Dates use RFC 850: full weekday, two-digit year.': (date, ms) =>
      date.replace(/^\w+, (\d+) (\w+) \d\d(\d\d)/, `${weekdays[new Date(ms).getUTCDay()]}, $1-$2-$3`),
    'asctime-date: Dates use the format of asctime in C.': (date) =>
      date.replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4').replace(/ 0(?=\d )/, '  '),
    'iso-dates: Dates use ISO 8601.': (_, ms) => new Date(ms).toISOString(),
  }),
  ...breaking(['2.1-expires'], asIs, {
    'iso-expires: `.expires` uses ISO 8601; `.issued` does not.': text('.expires', (date) =>
      new Date(date).toISOString(),
    ),
  }),
  ...breaking(['2.1-issued'], asIs, {
    'day-of-one-digit: The day of the month has no leading zero.': () => {
      // On the third of a month by the service's clock, which its `Date` shows too: provable on any day.
      const aheadMs = Date.UTC(2030, 0, 3) - Date.now()
      return {
        issuedAt: (nowMs) => wholeSeconds(nowMs + aheadMs),
        dateHeader: (nowMs) => imfFixdate(nowMs + aheadMs),
        ...format([', 0', ', ']),
      }
    },
  }),
  ...breaking(both, asIs, {
    'dates-in-unix-seconds: Dates are seconds since 1970, as numbers.': {
      formatDate: (ms) => String(ms / 1000),
    },
  }),
  ...breaking(['2.1-issued'], asIs, {
    'issued-as-number: `.issued` is milliseconds since 1970, as a number.': value('.issued', (date) =>
      Date.parse(String(date)),
    ),
  }),
  ...breaking(['2.1-issued', '4.2-external-login'], asIs, {
    'no-issued: `.issued` is left out.': without('.issued'),
  }),
  ...breaking(['2.1-expires', '4.2-external-login'], asIs, {
    'no-expires: `.expires` is left out.': without('.expires'),
  }),
]

/** Both dates in another format of the same instant. */
function format(
  change: readonly [from: string | RegExp, to: string] | ((imfFixdate: string, ms: number) => string),
): Override {
  return {
    formatDate: (ms) =>
      typeof change === 'function' ? change(imfFixdate(ms), ms) : imfFixdate(ms).replace(...change),
  }
}
