import type { HeaderList } from '../../spec/model/report.js'

export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string
  /** Names in lower case; values unquoted; `charset` values in lower case, since charsets have no case. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*`)
const PARAMETER = new RegExp(
  `^;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*)"))?[ \\t]*`,
)

/** Parses a `Content-Type` value (RFC 9110 8.3.1); undefined where it is no valid media type. */
export function parseMediaType(value: string): MediaType | undefined {
  const essence = ESSENCE.exec(value)
  if (essence?.[1] === undefined) return undefined
  const parameters: [string, string][] = []
  let rest = value.slice(essence[0].length)
  while (rest !== '') {
    const match = PARAMETER.exec(rest)
    if (match === null) return undefined
    rest = rest.slice(match[0].length)
    const [, name, token, quoted] = match
    if (name === undefined) continue // RFC 9110 5.6.6 lets a list have empty parameters
    const raw = token ?? (quoted ?? '').replace(/\\(.)/g, '$1')
    const lower = name.toLowerCase()
    parameters.push([lower, lower === 'charset' ? raw.toLowerCase() : raw])
  }
  return { essence: essence[1].toLowerCase(), parameters }
}

/**
 * Whether a `Content-Type` names this media type. Other parameters are ignored, but a `charset` that is given must be
 * UTF-8, since the text is read as nothing else.
 */
export function isMediaType(contentType: string | undefined, essence: string): boolean {
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType)
  return (
    mediaType?.essence === essence &&
    mediaType.parameters.every(([name, value]) => name !== 'charset' || value === 'utf-8')
  )
}

/** One spelling for each media type, so that equal ones are equal strings. */
export function canonicalMediaType(value: string): string | undefined {
  const parsed = parseMediaType(value)
  if (parsed === undefined) return undefined
  const parameters = parsed.parameters.map(([name, text]) => `${name}=${JSON.stringify(text)}`).sort()
  return [parsed.essence, ...parameters].join(';')
}

/** Headers that list what no order changes: a framework may write them in another one after each start. */
const SETS = /^(?:allow|vary|cache-control|access-control-(?:allow-(?:headers|methods)|expose-headers))$/i

/** One order for the items of a header whose order means nothing; the value of any other header as it is. */
export function canonicalList(name: string, value: string): string {
  if (!SETS.test(name) || value.includes('"')) return value
  return value
    .split(',')
    .map((item) => item.trim())
    .sort()
    .join(', ')
}

/** The values of a header, in the order they came; names have no case. */
export function headerValues(headers: HeaderList, name: string): readonly string[] {
  const lower = name.toLowerCase()
  return headers.filter(([key]) => key.toLowerCase() === lower).map(([, value]) => value)
}

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
  // No year has seven digits. The engine of k6, which runs the same code, would read some as a time.
  if (/^\d{7,}$/.test(text)) return undefined
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

/** The codings of all `Content-Encoding` fields in the order they were applied, without `identity`. */
export function codingsOf(headers: HeaderList): readonly string[] {
  const written = headerValues(headers, 'content-encoding').join()
  if (written === '') return []
  return written
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
}
