import { ASKED_TO_WAIT, type Trouble, UNSTABLE } from '../../../spec/model/report.js'
import { count, duration, firstFew } from './phrase.js'

/** What went wrong on the way, by kind: `500 on 41, a dropped connection on 2 of 815 requests`; undefined where nothing did. */
export function troublePhrase(rows: readonly Trouble[]): string | undefined {
  const sum = (numberOf: (row: Trouble) => number): number =>
    rows.reduce((total, row) => total + numberOf(row), 0)
  const statuses = new Map<string, number>()
  for (const row of rows)
    for (const [status, times] of Object.entries(row.statuses ?? {}))
      statuses.set(status, (statuses.get(status) ?? 0) + times)
  // Of an older report only the kinds are known.
  const unnamed = rows.filter((row) => row.statuses === undefined)
  const others = (numberOf: (row: Trouble) => number): number =>
    unnamed.reduce((total, row) => total + numberOf(row), 0)
  const parts = [
    ...[...statuses].sort(([, a], [, b]) => b - a),
    ['a status of 500 or more', others(({ serverErrors }) => serverErrors)] as const,
    ['an answer that asks to wait', others(({ rateLimited }) => rateLimited)] as const,
    ['a dropped connection', sum(({ dropped }) => dropped)] as const,
    ['a time-out', sum(({ timedOut }) => timedOut)] as const,
  ].flatMap(([what, times]) => (times === 0 ? [] : [`${what} on ${times}`]))
  if (parts.length === 0) return undefined
  return `${parts.join(', ')} of ${count(
    sum(({ requests }) => requests),
    'request',
  )}`
}

/** What went wrong in one deployment, and what to do where its service limits something; undefined where nothing did. */
export function troubleSentence(row: Trouble, where: string, maxNamed: number): string | undefined {
  const phrase = troublePhrase([row])
  // Where no request was answered, that is the verdict, with its reason.
  if (phrase === undefined || row.dropped + row.timedOut === row.requests) return undefined
  const waited = row.waitedMs > 0 ? `; waited ${duration(row.waitedMs)}` : ''
  return `Trouble${where}: ${phrase}${waited}.${namedCases(row, maxNamed)}${limitRemedy(row)}`
}

/** The cases that met most of it: what is green there may rest on such an answer. */
function namedCases({ cases = {} }: Trouble, maxNamed: number): string {
  const named = Object.entries(cases)
    .sort(([, a], [, b]) => b - a)
    .map(([id, times]) => `${id} (${times})`)
  return named.length === 0 ? '' : ` By cases: ${firstFew(named, maxNamed)}.`
}

function limitRemedy({ rateLimited, statuses = {}, limitedAfterFailedLogins: failed = 0 }: Trouble): string {
  if (rateLimited === 0 && statuses['503'] !== undefined)
    return ' If a proxy limits requests, `maxRequestsPerSecond` in the target file keeps below its limit.'
  if (rateLimited === 0) return ''
  if (failed === 0) return " `maxRequestsPerSecond` in the target file keeps below the service's limit."
  return ` The service first asked to wait after ${count(failed, 'failed login')}: \`maxFailedLogins: ${failed - 1}\` keeps below its limit.`
}

/**
 * The reason that stands for all of one cause: an unstable service and one that asks to wait give each case a reason of its
 * own, and are one thing to a reader.
 */
export function commonReason(reason: string, trouble: readonly Trouble[]): string {
  if (reason.startsWith(UNSTABLE)) {
    const phrase = unstablePhrase(trouble)
    return phrase === undefined ? reason : `${phrase}. ${UNSTABLE_REMEDY}`
  }
  // Behind the name of a control, or with another number of seconds each time.
  return reason.includes(ASKED_TO_WAIT) ? ASKED_TO_WAIT : reason
}

/** `unstable: 500 on 41 of 815 requests`. */
export function unstablePhrase(trouble: readonly Trouble[]): string | undefined {
  const phrase = troublePhrase(trouble)
  return phrase === undefined ? undefined : `${UNSTABLE}${phrase}`
}

const UNSTABLE_REMEDY =
  "The same requests got different answers when sent again. Look for the cause in the service's log, then run again; `--concurrency 1` shows whether it is load."
