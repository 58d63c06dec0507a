import type { Baseline } from '../../../spec/generated/types/baseline.js'
import type { Report } from '../../../spec/model/report.js'
import { type BaselineEntry, isAbout } from './apply-baseline.js'
import { fingerprint } from './fingerprint.js'
import { dayOf } from './known-until.js'
import { staleWaivers } from './stale-waivers.js'

/** What becomes of a baseline by a run. */
export interface BaselineUpdate {
  /** Old entries that go, by their index. */
  readonly removed: ReadonlySet<number>
  readonly added: readonly BaselineEntry[]
}

const DAYS = 90
const DAY_MS = 86_400_000

/** Waives what a run found, for 90 days; what a person wrote of a failure that is still there stays. */
export function updateBaseline(report: Report, baseline: Baseline, now: Date): BaselineUpdate {
  // The person who agreed on a date agrees on the next one, not the suite.
  const gone = staleWaivers(report, baseline.waived, now).filter(({ kind }) => kind !== 'expired')
  const until = dayOf(new Date(now.getTime() + DAYS * DAY_MS))
  const added = new Map<string, BaselineEntry>()
  for (const result of report.results) {
    for (const judgement of result.judgements) {
      // What gates nothing needs no waiver.
      if (judgement.outcome !== 'failed' || judgement.advisory) continue
      const { rule } = judgement
      const print = fingerprint(result, judgement)
      if (baseline.waived.some((entry) => isAbout(entry, result, rule, print))) continue
      const entry = {
        rule,
        case: result.case,
        deployment: result.deployment,
        fingerprint: print,
        reason: `to be explained: ${judgement.message ?? 'it fails'}`.replace(/[\r\n]+/g, ' ').slice(0, 500),
        owner: 'to be named',
        until,
      }
      added.set(JSON.stringify([rule, result.case, result.deployment, print]), entry)
    }
  }
  return { removed: new Set(gone.map(({ index }) => index)), added: [...added.values()] }
}
