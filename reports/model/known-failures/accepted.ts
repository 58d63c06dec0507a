import type { Accepted } from '../../../spec/generated/types/accepted.js'
import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { accepted as validate } from '../../../spec/generated/validators/accepted.js'
import { type KnownFile, liveEntries, parseKnown, staleEntries } from './known-until.js'

/** Differences that are agreed on, as they are written in their file. */
export type AcceptedFile = KnownFile<Accepted>

/** @throws AssayError with file:line:column: `malformed-file`, `bad-accepted` */
export function parseAccepted(file: string, text: string): AcceptedFile {
  return parseKnown(file, text, { validate, list: 'accepted', code: 'bad-accepted' })
}

/**
 * The report with its accepted differences, and the entries that are no longer right. What could not be decided says
 * nothing of an entry. Pure.
 */
export function applyAccepted(report: Differential, known: AcceptedFile, now: Date): Differential {
  const { accepted: entries } = known.content
  const live = liveEntries(entries, now)
  const findings = report.findings.map((finding): Finding => {
    const entry = live.find(({ difference }) => difference === finding.id)
    if (entry === undefined) return finding
    const { reason, owner, until } = entry
    return { ...finding, accepted: { reason, owner, until } }
  })
  const isWhole = report.inconclusive.length + report.flaky.length === 0
  const ids = new Set(findings.map(({ id }) => id))
  const stale = staleEntries(entries, now, {
    nameOf: ({ difference }) => difference,
    keyOf: ({ difference }) => difference,
    stateOf: ({ difference }) => (ids.has(difference) ? 'present' : isWhole ? 'gone' : 'unknown'),
  }).map(({ index, message }) => known.locate(index, message))
  const isDifferent = stale.length > 0 || findings.some(({ accepted }) => accepted === undefined)
  const verdict = isDifferent ? 'different' : isWhole ? 'same' : 'inconclusive'
  return { ...report, verdict, findings, accepted: { file: known.file, stale } }
}
