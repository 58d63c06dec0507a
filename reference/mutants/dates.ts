import { imfFixdate, wholeSeconds } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { text, value, without } from './overrides.js'
import { mutants, type Row } from './row.js'

const both = ['2.1-issued', '2.1-expires']
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** 2.1: `.issued` and `.expires` are IMF-fixdates. */
export const dateMutants: readonly Mutant[] = mutants([
  format('zone-in-lower-case', 'Dates end in `gmt`.', (date) => date.replace('GMT', 'gmt')),
  format('zone-utc', 'Dates end in `UTC`.', (date) => date.replace('GMT', 'UTC')),
  format('numeric-zone', 'Dates end in `+0000`.', (date) => date.replace('GMT', '+0000')),
  format('month-in-capitals', 'The month is written in capitals.', (date) =>
    date.replace(/ [A-Z][a-z]{2} /, (month) => month.toUpperCase()),
  ),
  format('no-comma-in-date', 'The comma after the weekday is left out.', (date) => date.replace(',', '')),
  format('two-spaces-in-date', 'Two spaces follow the weekday.', (date) => date.replace(', ', ',  ')),
  format('space-after-date', 'A space follows the date.', (date) => `${date} `),
  format('milliseconds-in-date', 'Dates have milliseconds.', (date) => date.replace(' GMT', '.000 GMT')),
  format('full-weekday', 'The weekday is written out.', (date, ms) =>
    date.replace(/^\w+/, weekdays[new Date(ms).getUTCDay()] ?? ''),
  ),
  format('weekday-of-tomorrow', 'The weekday is that of the day after.', (date, ms) =>
    date.replace(/^\w+/, imfFixdate(ms + 86_400_000).slice(0, 3)),
  ),
  format('rfc-850-date', 'Dates are of RFC 850: weekday in full, year of two digits.', (date, ms) =>
    date.replace(
      /^\w+, (\d+) (\w+) \d\d(\d\d)/,
      (_, day, month, year) => `${weekdays[new Date(ms).getUTCDay()]}, ${day}-${month}-${year}`,
    ),
  ),
  format('asctime-date', "Dates are those of C's asctime.", (date) =>
    date.replace(
      /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/,
      (_, weekday, day, month, year, time) => `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
    ),
  ),
  format('iso-dates', 'Dates are of ISO 8601.', (_, ms) => new Date(ms).toISOString()),
  {
    id: 'iso-expires',
    sentence: '`.expires` is a date of ISO 8601; `.issued` is not.',
    violates: ['2.1-expires'],
    behaviour: text('.expires', (date) => new Date(date).toISOString()),
  },
  {
    id: 'day-of-one-digit',
    sentence: 'Days before the tenth have one digit.',
    violates: ['2.1-issued'],
    behaviour: () => {
      // On the third of a month by the service's clock, which its `Date` shows too: provable on any day.
      const aheadMs = Date.UTC(2030, 0, 3) - Date.now()
      return {
        issuedAt: (nowMs) => wholeSeconds(nowMs + aheadMs),
        dateHeader: (nowMs) => imfFixdate(nowMs + aheadMs),
        formatDate: (ms) => imfFixdate(ms).replace(', 0', ', '),
      }
    },
  },
  {
    id: 'dates-in-unix-seconds',
    sentence: 'Dates are numbers of seconds since 1970.',
    violates: both,
    behaviour: () => ({ formatDate: (ms) => String(ms / 1000) }),
  },
  {
    id: 'issued-as-number',
    sentence: '`.issued` is a number of milliseconds since 1970.',
    violates: ['2.1-issued'],
    behaviour: value('.issued', (date) => Date.parse(String(date))),
  },
  {
    id: 'no-issued',
    sentence: '`.issued` is left out.',
    violates: ['2.1-issued', '4.2-external-login'],
    behaviour: without('.issued'),
  },
  {
    id: 'no-expires',
    sentence: '`.expires` is left out.',
    violates: ['2.1-expires', '4.2-external-login'],
    behaviour: without('.expires'),
  },
])

/** Both dates in another format of the same instant. */
function format(id: string, sentence: string, change: (imfFixdate: string, ms: number) => string): Row {
  return {
    id,
    sentence,
    violates: both,
    behaviour: () => ({ formatDate: (ms) => change(imfFixdate(ms), ms) }),
  }
}
