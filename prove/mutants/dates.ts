import { imfFixdate, wholeSeconds } from '../../reference/token-response.js'
import { breaking, type Mutant } from './mutant.js'
import { type Override, text, value, without } from './overrides.js'

const both = ['2.1-issued', '2.1-expires']
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** 2.1: `.issued` and `.expires` are IMF-fixdates. */
export const dateMutants: readonly Mutant[] = [
  ...breaking(both)({
    'zone-in-lower-case: Dates end in `gmt`.': format((date) => date.replace('GMT', 'gmt')),
    'zone-utc: Dates end in `UTC`.': format((date) => date.replace('GMT', 'UTC')),
    'numeric-zone: Dates end in `+0000`.': format((date) => date.replace('GMT', '+0000')),
    'month-in-capitals: The month is written in capitals.': format((date) =>
      date.replace(/ [A-Z][a-z]{2} /, (month) => month.toUpperCase()),
    ),
    'no-comma-in-date: The comma after the weekday is left out.': format((date) => date.replace(',', '')),
    'two-spaces-in-date: Two spaces follow the weekday.': format((date) => date.replace(', ', ',  ')),
    'space-after-date: A space follows the date.': format((date) => `${date} `),
    'milliseconds-in-date: Dates have milliseconds.': format((date) => date.replace(' GMT', '.000 GMT')),
    'full-weekday: The weekday is written out.': format((date, ms) =>
      date.replace(/^\w+/, weekdays[new Date(ms).getUTCDay()] ?? ''),
    ),
    'weekday-of-tomorrow: The weekday is that of the day after.': format((date, ms) =>
      date.replace(/^\w+/, imfFixdate(ms + 86_400_000).slice(0, 3)),
    ),
    'rfc-850-date: Dates use RFC 850: full weekday, two-digit year.': format((date, ms) =>
      date.replace(
        /^\w+, (\d+) (\w+) \d\d(\d\d)/,
        (_, day, month, year) => `${weekdays[new Date(ms).getUTCDay()]}, ${day}-${month}-${year}`,
      ),
    ),
    'asctime-date: Dates use the format of asctime in C.': format((date) =>
      date.replace(
        /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/,
        (_, weekday, day, month, year, time) =>
          `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
      ),
    ),
    'iso-dates: Dates use ISO 8601.': format((_, ms) => new Date(ms).toISOString()),
  }),
  ...breaking(['2.1-expires'])({
    'iso-expires: `.expires` uses ISO 8601; `.issued` does not.': text('.expires', (date) =>
      new Date(date).toISOString(),
    ),
  }),
  ...breaking(['2.1-issued'])({
    'day-of-one-digit: The day of the month has no leading zero.': () => {
      // On the third of a month by the service's clock, which its `Date` shows too: provable on any day.
      const aheadMs = Date.UTC(2030, 0, 3) - Date.now()
      return {
        issuedAt: (nowMs) => wholeSeconds(nowMs + aheadMs),
        dateHeader: (nowMs) => imfFixdate(nowMs + aheadMs),
        formatDate: (ms) => imfFixdate(ms).replace(', 0', ', '),
      }
    },
  }),
  ...breaking(both)({
    'dates-in-unix-seconds: Dates are seconds since 1970, as numbers.': () => ({
      formatDate: (ms) => String(ms / 1000),
    }),
  }),
  ...breaking(['2.1-issued'])({
    'issued-as-number: `.issued` is milliseconds since 1970, as a number.': value('.issued', (date) =>
      Date.parse(String(date)),
    ),
  }),
  ...breaking(['2.1-issued', '4.2-external-login'])({
    'no-issued: `.issued` is left out.': without('.issued'),
  }),
  ...breaking(['2.1-expires', '4.2-external-login'])({
    'no-expires: `.expires` is left out.': without('.expires'),
  }),
]

/** Both dates in another format of the same instant. */
function format(change: (imfFixdate: string, ms: number) => string): Override {
  return () => ({ formatDate: (ms) => change(imfFixdate(ms), ms) })
}
