import type { Judgement, Result } from '../spec/types.js'
import { occurrenceLines } from './console-occurrence.js'
import { defuseLine, visible } from './escape.js'
import { createPage } from './page.js'

/** What machines' readers show of one result: as on the console, without colour, at a fixed width. */
export function plainResult(result: Result): string {
  const page = createPage({ color: false, width: 100 })
  const shown = new Map<string, string>()
  const lines = notable(result).flatMap((judgement) => [
    `${judgement.rule}: ${judgement.outcome}`,
    ...occurrenceLines({ result, judgement }, page, shown),
  ])
  return (lines.length > 0 ? lines : [visible(headline(result))]).map(defuseLine).join('\n')
}

/** The judgements that made a result what it is. */
export function notable(result: Result): readonly Judgement[] {
  return result.judgements.filter(({ outcome }) => outcome === result.outcome)
}

/** One line on why a result is what it is. */
export function headline(result: Result): string {
  const [first, ...others] = notable(result)
  const what = first?.message ?? first?.reason ?? result.reason ?? result.outcome
  const rule = first && result.outcome === 'failed' ? `${first.rule}: ` : ''
  const more = others.length > 0 && result.outcome === 'failed' ? ` (and ${others.length} more)` : ''
  const waived = result.waived ? `waived until ${result.waived.until}: ` : ''
  return `${waived}${rule}${what}${more}`
}
