import { finding, formatFinding, formatFindings } from '../../../spec/load/position.js'
import { readPositioned } from '../../../spec/load/positioned.js'
import { type Validator, violations } from '../../../spec/load/validator.js'
import { AssayError, type AssayErrorCode } from '../../../spec/model/assay-error.js'
import { count } from '../../formats/shared/phrase.js'

/** Something that is known, and fails no run until a date. */
export interface KnownUntil {
  readonly reason: string
  readonly owner: string
  /** The last day, `YYYY-MM-DD` in UTC. */
  readonly until: string
}

/** A file of them as it was read. */
export interface KnownFile<Content> {
  readonly file: string
  readonly text: string
  readonly content: Content
  /** What is wrong with an entry, after its place in the file. */
  readonly locate: (index: number, message: string) => string
}

/** What a run shows of an entry; `unknown` where it did not come to it. */
export type EntryState = 'present' | 'gone' | 'changed' | 'unmatched' | 'unknown'

/** An entry that is no longer right: what is wrong with it, and what to do. */
export interface StaleEntry {
  readonly index: number
  readonly kind: 'duplicate' | 'expired' | 'unexplained' | Exclude<EntryState, 'present' | 'unknown'>
  readonly message: string
}

/** Of the entries that the schemas allow. */
const BOUNDS = { maxValues: 100_000 }

/**
 * Reads the text of such a file.
 * @param list the member that holds the entries
 * @throws AssayError with file:line:column: `malformed-file`, or `code` where the schema does not allow it
 */
export function parseKnown<Content>(
  file: string,
  text: string,
  {
    validate,
    list,
    code,
  }: {
    readonly validate: Validator<Content>
    readonly list: keyof Content & string
    readonly code: AssayErrorCode
  },
): KnownFile<Content> {
  const document = readPositioned(file, text, BOUNDS)
  const content: unknown = document.value
  if (!validate(content)) throw new AssayError(code, formatFindings(violations(validate, content, document)))
  const locate = (index: number, message: string): string =>
    formatFinding({ position: document.at(`/${list}/${index}`), message })
  const entries = content[list] as readonly KnownUntil[]
  const wrong = entries.flatMap(({ until }, index) => {
    const message = `until: expected a day that exists, found \`${until}\``
    return isDay(until) ? [] : finding(document.at(`/${list}/${index}/until`), message)
  })
  if (wrong.length > 0) throw new AssayError(code, formatFindings(wrong))
  return { file, text, content, locate }
}

/** The day of an instant in UTC, as `until` spells it. */
function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** Whether it is in the calendar: there is no 31 February. */
function isDay(text: string): boolean {
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && dayOf(day) === text
}

/** The entries whose last day has not passed. */
export function liveEntries<Entry extends KnownUntil>(
  entries: readonly Entry[],
  now: Date,
): readonly Entry[] {
  return entries.filter(({ until }) => until >= dayOf(now))
}

/**
 * The entries that are no longer right.
 * @param nameOf an entry in messages
 * @param keyOf the same for two entries about the same thing
 */
export function staleEntries<Entry extends KnownUntil>(
  entries: readonly Entry[],
  now: Date,
  {
    nameOf,
    keyOf,
    stateOf,
  }: {
    readonly nameOf: (entry: Entry) => string
    readonly keyOf: (entry: Entry) => string
    readonly stateOf: (entry: Entry) => EntryState
  },
): readonly StaleEntry[] {
  const live = new Set(liveEntries(entries, now))
  const seen = new Set<string>()
  return entries.flatMap((entry, index): StaleEntry[] => {
    const isDuplicate = seen.has(keyOf(entry))
    seen.add(keyOf(entry))
    const state = stateOf(entry)
    const present = !live.has(entry) ? 'expired' : isUnexplained(entry, now) ? 'unexplained' : state
    const kind = isDuplicate ? 'duplicate' : state === 'present' ? present : state
    if (kind === 'present' || kind === 'unknown') return []
    return [{ index, kind, message: `${nameOf(entry)}: ${EXPLAIN[kind](entry)}` }]
  })
}

/** How long an entry that the suite has written lasts, and by when a person must have explained it. */
const DAYS = 90
const DAYS_TO_EXPLAIN = 14
const DAY_MS = 86_400_000
const TO_BE_EXPLAINED = 'to be explained: '
const TO_BE_NAMED = 'to be named'

/** What the suite writes of something that it found. */
export function newlyKnown(what: string, now: Date): KnownUntil {
  return {
    reason: `${TO_BE_EXPLAINED}${what}`.replace(/[\r\n]+/g, ' ').slice(0, 500),
    owner: TO_BE_NAMED,
    until: dayOf(new Date(now.getTime() + DAYS * DAY_MS)),
  }
}

function dueOf(until: string): string {
  return dayOf(new Date(Date.parse(until) - (DAYS - DAYS_TO_EXPLAIN) * DAY_MS))
}

function isUnexplained(entry: KnownUntil, now: Date): boolean {
  return isAsWritten(entry) && dueOf(entry.until) < dayOf(now)
}

function isAsWritten({ reason, owner }: KnownUntil): boolean {
  return reason.startsWith(TO_BE_EXPLAINED) && owner === TO_BE_NAMED
}

/** What is asked of a person, where the suite has written entries: by the day of the first of them. */
export function toBeExplained(entries: readonly KnownUntil[]): string | undefined {
  const own = entries.filter(isAsWritten)
  const [due] = own.map(({ until }) => dueOf(until)).toSorted()
  const [noun, whose] = [count(own.length, 'entry', 'entries'), own.length === 1 ? 'its' : 'their']
  return (
    due &&
    `explain ${noun} by ${due} (${whose} \`reason\` and \`owner\`), or the run fails from the day after`
  )
}

const EXPLAIN: Readonly<Record<StaleEntry['kind'], (entry: KnownUntil) => string>> = {
  duplicate: () => 'this entry is there twice: remove one',
  expired: ({ until }) => `the entry ended on ${until}: fix the service, or agree on another date`,
  unexplained: ({ until }) =>
    `no one has explained this, which was due on ${dueOf(until)}: write its reason and owner`,
  gone: () => 'this no longer occurs: remove the entry',
  changed: () => 'it fails differently from the waived failure: look at it, then --update-baseline',
  unmatched: () => 'there is no such rule, case or deployment: fix the entry, or remove it',
}
