import { type Refusal, refusals } from '../refusal.js'
import { given } from './given.js'
import { readObject } from './read-object.js'

/** Which entries; all that is said must be true. */
export interface JournalMatch {
  readonly method?: string
  /** Of a path that is longer than an entry tells, the beginning counts. */
  readonly path?: string
  readonly status?: number
  readonly userName?: string
  readonly refusal?: Refusal
  /** Entries with a greater id alone. Default 0. */
  readonly after?: number
}

/** How long is waited. */
export interface WaitLimits {
  /** At most 600,000. Default 5,000. */
  readonly timeoutMs?: number
}

const longestWaitMs = 600_000

/** @throws ControlError `bad-request` */
export function readMatch(value: unknown): JournalMatch {
  const fields = readObject('match', value)
  const refusal = fields.json('refusal') === undefined ? undefined : fields.oneOf('refusal', refusals)
  const match = given({
    method: fields.method('method'),
    path: fields.path('path'),
    status: fields.integer('status', 0, 599),
    userName: fields.text('userName', 1024),
    refusal,
    after: fields.integer('after', 0, Number.MAX_SAFE_INTEGER),
  })
  fields.done()
  return match
}

/** @throws ControlError `bad-request` */
export function readTimeout(value: unknown): number {
  const fields = readObject('the options', value)
  const timeoutMs = fields.integer('timeoutMs', 0, longestWaitMs) ?? 5000
  fields.done()
  return timeoutMs
}
