import type { Report, Result } from '../../../spec/model/report.js'
import { matchesGlob } from '../../../spec/model/selection.js'
import { type BaselineEntry, isAbout } from './apply-baseline.js'
import { fingerprints } from './fingerprint.js'
import { type EntryState, type StaleEntry, staleEntries } from './known-until.js'

/**
 * The entries of a baseline that a run shows to be stale. What the run did not come to (filtered, another shard's, not
 * run) says nothing of an entry.
 */
export function staleWaivers(
  { results, rules, selection }: Report,
  waived: readonly BaselineEntry[],
  now: Date,
): readonly StaleEntry[] {
  const known = new Set(rules.map(({ id }) => id))
  const { only, skip, effort, chosenBy } = selection ?? {}
  const part: Part = {
    // A run of some rules alone says nothing of the others of its cases.
    isNarrowed: only !== undefined || skip !== undefined,
    isQuick: effort !== undefined,
    isReplay: chosenBy === '--replay',
  }
  return staleEntries(waived, now, {
    nameOf: ({ rule, case: id }) => `${rule} in ${id}`,
    keyOf: (entry) => JSON.stringify([entry.rule, entry.case, entry.deployment, entry.fingerprint]),
    stateOf: (entry) => {
      const concerned = results.filter(
        (result) => result.case === entry.case && matchesGlob(entry.deployment, result.deployment),
      )
      return known.has(entry.rule) && concerned.length > 0 ? stateOf(entry, concerned, part) : 'unmatched'
    },
  })
}

interface Part {
  readonly isNarrowed: boolean
  /** What failed may not have been tried. */
  readonly isQuick: boolean
  /** One input of the case was tried. */
  readonly isReplay: boolean
}

/** What the results of one case say of an entry. */
function stateOf(
  entry: BaselineEntry,
  concerned: readonly Result[],
  { isNarrowed, isQuick, isReplay }: Part,
): EntryState {
  const own = concerned.flatMap((result) =>
    result.judgements
      .filter(({ rule }) => rule === entry.rule)
      .map((judgement) => ({ result, judgement, prints: fingerprints(result, judgement) })),
  )
  const failed = own.filter(({ judgement }) => judgement.outcome === 'failed')
  const isSeen = failed.some(({ result, prints }) =>
    prints.some((print) => isAbout(entry, result, entry.rule, print)),
  )
  if (isSeen) return 'present'
  if (isReplay) return 'unknown'
  if (failed.length > 0) return 'changed'
  const unknown =
    isQuick ||
    (isNarrowed && own.length === 0) ||
    concerned.some(({ outcome }) => outcome === 'untested' || outcome === 'cantTell')
  return unknown ? 'unknown' : 'gone'
}
