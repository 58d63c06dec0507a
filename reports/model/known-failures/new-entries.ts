import type { Baseline } from '../../../spec/generated/types/baseline.js'
import type { Report } from '../../../spec/model/report.js'
import { type BaselineEntry, isAbout } from './apply-baseline.js'
import { fingerprints } from './fingerprint.js'
import { newlyKnown } from './known-until.js'
import { staleWaivers } from './stale-waivers.js'

/** What becomes of a baseline by a run. */
export interface BaselineUpdate {
  /** Old entries that go, by their index. */
  readonly removed: ReadonlySet<number>
  readonly added: readonly BaselineEntry[]
}

/** Waives what a run found, for 90 days; what a person wrote of a failure that is still there stays. */
export function updateBaseline(report: Report, baseline: Baseline, now: Date): BaselineUpdate {
  // The person who agreed on a date agrees on the next one, and explains what was found, not the suite.
  const byPerson = new Set(['expired', 'unexplained'])
  const gone = staleWaivers(report, baseline.waived, now).filter(({ kind }) => !byPerson.has(kind))
  const added = new Map<string, BaselineEntry>()
  for (const result of report.results) {
    for (const judgement of result.judgements) {
      // What gates nothing needs no waiver.
      if (judgement.outcome !== 'failed' || judgement.advisory) continue
      const { rule } = judgement
      const messages = [judgement.message, ...(judgement.others ?? []).map(({ message }) => message)]
      for (const [at, print] of fingerprints(result, judgement).entries()) {
        if (baseline.waived.some((entry) => isAbout(entry, result, rule, print))) continue
        const entry = {
          rule,
          case: result.case,
          deployment: result.deployment,
          fingerprint: print,
          ...newlyKnown(messages[at] ?? 'it fails', now),
        }
        added.set(JSON.stringify([rule, result.case, result.deployment, print]), entry)
      }
    }
  }
  return { removed: new Set(gone.map(({ index }) => index)), added: [...added.values()] }
}
