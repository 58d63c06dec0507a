import type { Report, Result } from '../../../spec/model/report.js'
import { recompose } from '../compose-report.js'
import { applyBaseline, waive } from './apply-baseline.js'
import { type BaselineFile, editBaseline, parseBaseline } from './baseline-file.js'
import { liveEntries, toBeExplained } from './known-until.js'
import { updateBaseline } from './new-entries.js'
import { staleWaivers } from './stale-waivers.js'

/** A run's report after its baseline was applied. */
export interface WaivedReport {
  readonly report: Report
  /** One line for each stale entry, with its position. */
  readonly stale: readonly string[]
  /** The new text of the baseline, where it was to be updated. */
  readonly updated?: string
  /** What a person has to do about what was written into it. */
  readonly todo?: string | undefined
}

/** Whether a result is waived today: a run with `bail` does not stop for it. */
export function isWaived({ content }: BaselineFile, now: Date): (result: Result) => boolean {
  const live = liveEntries(content.waived, now)
  return (result) => waive(result, live).waived !== undefined
}

/** Applies a baseline to a report; with `update`, after the report's failures were added to it. Pure. */
export function applyWaivers(
  found: Report,
  before: BaselineFile,
  { now, strict, update }: { readonly now: Date; readonly strict: boolean; readonly update: boolean },
): WaivedReport {
  const updated = update ? editBaseline(before, updateBaseline(found, before.content, now)) : undefined
  const current = updated === undefined ? before : parseBaseline(before.file, updated)
  const waived = applyBaseline(found, current.content, now, strict)
  const stale = staleWaivers(waived, current.content.waived, now).map(({ index, message }) =>
    current.locate(index, message),
  )
  const baseline = { file: before.file, stale, waived: waived.counts.waived }
  const report = recompose(waived, { baseline }, { strict })
  return updated === undefined
    ? { report, stale }
    : { report, stale, updated, todo: toBeExplained(current.content.waived) }
}
