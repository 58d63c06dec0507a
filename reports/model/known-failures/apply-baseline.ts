import type { Baseline } from '../../../spec/generated/types/baseline.js'
import { type Report, type Result, TOKEN_NOT_ERROR } from '../../../spec/model/report.js'
import { matchesGlob } from '../../../spec/model/selection.js'
import { recompose } from '../compose-report.js'
import { fingerprint } from './fingerprint.js'
import { liveEntries } from './known-until.js'

/** A failure that is known, and does not gate until a date. `deployment` is a glob over the deployments' names. */
export type BaselineEntry = Baseline['waived'][number]

/** Whether an entry is about that failure of that result, whatever the date. */
export function isAbout(entry: BaselineEntry, result: Result, rule: string, print: string): boolean {
  return (
    entry.rule === rule &&
    entry.case === result.case &&
    entry.fingerprint === print &&
    matchesGlob(entry.deployment, result.deployment)
  )
}

/**
 * Waives every result of which each failure is known and its date has not come. Pure.
 * @param strict whether the run was
 */
export function applyBaseline(report: Report, { waived }: Baseline, now: Date, strict: boolean): Report {
  const live = liveEntries(waived, now)
  return recompose(report, { results: report.results.map((result) => waive(result, live)) }, { strict })
}

/**
 * The result, waived where each of its failures has an entry; of several dates the first counts. An error in whose place a
 * token came is waived with it: there is none to judge.
 */
export function waive(result: Result, live: readonly BaselineEntry[]): Result {
  if (result.outcome !== 'failed') return result
  const failures = result.judgements.filter(({ outcome, advisory }) => outcome === 'failed' && !advisory)
  const entries = failures.map((judgement) => {
    const print = fingerprint(result, judgement)
    return live.find((entry) => isAbout(entry, result, judgement.rule, print))
  })
  const known = entries.filter((entry) => entry !== undefined)
  if (known.length === 0 || known.length < entries.length) return result
  const reason = [...new Set(known.map(reasonOf))].join('; ')
  const until = known.map((entry) => entry.until).sort()[0] ?? ''
  const judgements = result.judgements.map((judgement) =>
    judgement.reason === TOKEN_NOT_ERROR ? { ...judgement, outcome: 'inapplicable' as const } : judgement,
  )
  if (new Set(known.map((entry) => `${entry.reason} ${entry.owner} ${entry.until}`)).size === 1)
    return { ...result, judgements, waived: { reason, until } }
  const own = known.map((entry) => ({ rule: entry.rule, reason: reasonOf(entry), until: entry.until }))
  return { ...result, judgements, waived: { reason, until, entries: own } }
}

function reasonOf({ reason, owner }: BaselineEntry): string {
  return `${reason} (${owner})`
}
