import type { Baseline } from '../../../spec/generated/types/baseline.js'
import { defined } from '../../../spec/model/items.js'
import {
  INVALID_ACCEPTED,
  type Judgement,
  NO_REJECTION,
  type Outcome,
  type Report,
  type Result,
  TOKEN_NOT_ERROR,
} from '../../../spec/model/report.js'
import { matchesGlob } from '../../../spec/model/selection.js'
import { worst } from '../../../spec/model/summary.js'
import { recompose } from '../compose-report.js'
import { fingerprints } from './fingerprint.js'
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
 * Waives every result of which each failure is known and its date has not come. What nothing can be said of for want of a
 * member that is waived, as of dates that are missing, is waived with it, as are the messages of a rejection that did not
 * come. Pure.
 * @param strict whether the run was
 */
export function applyBaseline(report: Report, { waived }: Baseline, now: Date, strict: boolean): Report {
  const live = liveEntries(waived, now)
  const results = report.results.map((result) => waive(result, live))
  const missing = new Set(
    results.flatMap(({ deployment, judgements, waived }) =>
      waived === undefined ? [] : judgements.flatMap((one) => placeOf(deployment, one, 'failed')),
    ),
  )
  return recompose(report, { results: results.map((result) => withoutMissing(result, missing)) }, { strict })
}

/** The member of a deployment's answers, or its rejection, that a judgement of that outcome is about. */
function placeOf(
  deployment: string,
  { outcome, pointer, message, reason }: Judgement,
  wanted: Outcome,
): readonly string[] {
  if (outcome !== wanted) return []
  // Each registration that should have been rejected is judged by the rule on what it lacks.
  if (message?.startsWith(INVALID_ACCEPTED) || reason?.endsWith(NO_REJECTION))
    return [`${deployment} rejection`]
  return pointer ? [`${deployment} ${pointer}`] : []
}

function withoutMissing(result: Result, missing: ReadonlySet<string>): Result {
  const { deployment, outcome, reason: _, ...rest } = result
  const judgements = result.judgements.map((judgement): Judgement => {
    const isMissing = placeOf(deployment, judgement, 'cantTell').some((place) => missing.has(place))
    const reason = `${judgement.reason}, which is waived`
    return isMissing ? { ...judgement, outcome: 'inapplicable', reason } : judgement
  })
  const now = worst(judgements.map((judgement) => judgement.outcome))
  if (outcome !== 'cantTell' || now === outcome || now === null) return { ...result, judgements }
  const reason = now === 'passed' ? undefined : judgements[0]?.reason
  return { ...rest, ...defined({ reason }), deployment, outcome: now, judgements }
}

/**
 * The result, waived where each of its failures has an entry; of several dates the first counts. An error in whose place a
 * token came is waived with it: there is none to judge.
 */
export function waive(result: Result, live: readonly BaselineEntry[]): Result {
  if (result.outcome !== 'failed') return result
  const failures = result.judgements.filter(({ outcome, advisory }) => outcome === 'failed' && !advisory)
  const found = failures.map((judgement) =>
    fingerprints(result, judgement).map((print) =>
      live.find((entry) => isAbout(entry, result, judgement.rule, print)),
    ),
  )
  const entries = found.map((ofOne) => ofOne.filter((entry) => entry !== undefined))
  const known = entries.flat()
  if (known.length === 0 || known.length < found.flat().length) return result
  const judgements = result.judgements.map((judgement) =>
    judgement.reason === TOKEN_NOT_ERROR ? { ...judgement, outcome: 'inapplicable' as const } : judgement,
  )
  const waived = inShort(known)
  if (new Set(known.map((entry) => `${entry.reason} ${entry.owner} ${entry.until}`)).size === 1)
    return { ...result, judgements, waived }
  const own = failures.map(({ rule }, at) => ({ rule, ...inShort(entries[at] ?? []) }))
  return { ...result, judgements, waived: { ...waived, entries: own } }
}

/** Why, and until when: of several dates the first counts. */
function inShort(entries: readonly BaselineEntry[]): { readonly reason: string; readonly until: string } {
  const reason = [...new Set(entries.map(reasonOf))].join('; ')
  return { reason, until: entries.map(({ until }) => until).sort()[0] ?? '' }
}

function reasonOf({ reason, owner }: BaselineEntry): string {
  return `${reason} (${owner})`
}
