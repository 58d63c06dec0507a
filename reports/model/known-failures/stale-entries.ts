import type { Report, Result } from '../../../spec/model/report.js'
import { matchesGlob } from '../../../spec/model/selection.js'
import { isAbout } from './apply-baseline.js'
import { type Baseline, type BaselineEntry, dayOf } from './baseline.js'
import { fingerprint } from './fingerprint.js'

/** An entry that does not say what is so any more: what is wrong with it, and what to do. */
export interface StaleEntry {
  readonly index: number
  readonly kind: 'duplicate' | 'expired' | 'unmatched' | 'passed' | 'changed'
  readonly message: string
}

/**
 * The entries of a baseline that a run shows to be stale. What the run did not come to (filtered, another shard's, not
 * told) says nothing of an entry.
 */
export function staleEntries(
  { results, rules, selection }: Report,
  { waived }: Baseline,
  now: Date,
): readonly StaleEntry[] {
  const today = dayOf(now)
  const known = new Set(rules.map(({ id }) => id))
  const seen = new Map<string, number>()
  return waived.flatMap((entry, index): StaleEntry[] => {
    const key = JSON.stringify([entry.rule, entry.case, entry.deployment, entry.fingerprint])
    const before = seen.get(key)
    seen.set(key, before ?? index)
    const stale = (kind: StaleEntry['kind'], message: string): StaleEntry[] => [
      { index, kind, message: `${entry.rule} in ${entry.case}: ${message}` },
    ]
    if (before !== undefined) return stale('duplicate', 'this entry is there twice: remove one')
    const concerned = results.filter(
      (result) => result.case === entry.case && matchesGlob(entry.deployment, result.deployment),
    )
    if (!known.has(entry.rule) || concerned.length === 0)
      return stale('unmatched', 'there is no such rule, case or deployment: mend the entry, or remove it')
    // A run of some rules alone says nothing of the others of its cases.
    const isNarrowed = selection?.only !== undefined || selection?.skip !== undefined
    const state = stateOf(entry, concerned, isNarrowed)
    if (state === 'there' && entry.until < today)
      return stale(
        'expired',
        `the waiver ended on ${entry.until}: mend the service, or agree on another date`,
      )
    if (state === 'passed') return stale('passed', 'it does not fail any more: remove the entry')
    if (state === 'changed')
      return stale('changed', 'it fails otherwise than waived: look at the failure, then --update-baseline')
    return []
  })
}

/** What the results of one case say of an entry. */
function stateOf(
  entry: BaselineEntry,
  concerned: readonly Result[],
  isNarrowed: boolean,
): 'there' | 'passed' | 'changed' | 'unknown' {
  const own = concerned.flatMap((result) =>
    result.judgements
      .filter(({ rule }) => rule === entry.rule)
      .map((judgement) => ({ result, judgement, print: fingerprint(result, judgement) })),
  )
  const failed = own.filter(({ judgement }) => judgement.outcome === 'failed')
  if (failed.some(({ result, print }) => isAbout(entry, result, entry.rule, print))) return 'there'
  if (failed.length > 0) return 'changed'
  const unknown =
    (isNarrowed && own.length === 0) ||
    concerned.some(({ outcome }) => outcome === 'untested' || outcome === 'cantTell')
  return unknown ? 'unknown' : 'passed'
}
