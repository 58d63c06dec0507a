const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const IMF = /^([A-Z][a-z]{2}), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/

/** Why the text is no IMF-fixdate (RFC 9110 5.6.7), or undefined when it is one. */
export function imfFixdateProblem(text: string): string | undefined {
  const match = IMF.exec(text)
  if (match === null) return 'is not of the form `Sun, 06 Nov 1994 08:49:37 GMT`'
  const [, weekday, day, month, year, hour, minute, second] = match
  const monthIndex = MONTHS.indexOf(month ?? '')
  if (monthIndex < 0) return `has no month \`${month}\``
  if (!DAYS.includes(weekday ?? '')) return `has no day \`${weekday}\``
  // Seconds may be 60: RFC 9110's grammar has room for a leap second.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return 'has no such time of day'
  const date = utc(Number(year), monthIndex, Number(day), 0, 0, 0)
  if (date.getUTCDate() !== Number(day)) return 'is no day of that month'
  const own = DAYS[date.getUTCDay()]
  return own === weekday ? undefined : `names \`${weekday}\`, but that day is a ${own}`
}

/**
 * Milliseconds since the epoch. Strict where the text is an IMF-fixdate; otherwise any spelling that names one instant
 * is understood, so that a date in a wrong format is judged once, by the rule on its format.
 */
export function instantOf(text: string): number | undefined {
  const match = IMF.exec(text)
  if (match !== null) {
    const [, , day, month, year, hour, minute, second] = match
    const index = MONTHS.indexOf(month ?? '')
    if (index >= 0) {
      return utc(Number(year), index, Number(day), Number(hour), Number(minute), Number(second)).getTime()
    }
  }
  // A date without a zone would be read in the zone of this machine: GMT is what the specification says.
  // Only after a time is `-2024` an offset, and no year.
  const hasZone = /(?:Z|GMT|UTC?|:\d{2}(?:\.\d+)?\s*[+-]\d{2}:?\d{2})\s*$/i.test(text)
  const zoned = hasZone ? text : `${text} GMT`
  const isoWithoutZone = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : zoned
  const instant = Date.parse(isoWithoutZone)
  return Number.isNaN(instant) ? undefined : instant
}

function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): Date {
  // Date.UTC takes the years 0 to 99 for 1900 to 1999. The time comes last: second 60 may belong to the next day.
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  date.setUTCHours(hour, minute, second)
  return date
}
