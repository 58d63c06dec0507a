import type { Report } from '../../../spec/model/report.js'
import { isPartial, isQuick } from './verdict-sentence.js'

export const BADGE_LABEL = 'token contract'

/** What a badge says. Nothing of it comes from the target. */
export interface BadgeWords {
  /** Only `good` may be green: a whole run with the exit code 0. */
  readonly look: 'good' | 'bad' | 'part' | 'open'
  readonly label: string
  /** The verdict, with what it is limited to: `conformant (quick)`. */
  readonly stated: string
  /** Gating rules that were judged, and those of them that passed. */
  readonly judged: number
  readonly passed: number
}

export function badgeWords(report: Report): BadgeWords {
  const { verdict, rules, baseline } = report
  // A stale baseline fails the run, whatever the service does.
  const isStale = verdict !== 'nonconformant' && (baseline?.stale.length ?? 0) > 0
  const isPart = verdict !== 'inconclusive' && isPartial(report)
  const limited = isQuick(report) ? ' (quick)' : isPart ? ' (part)' : ''
  const outcomes = rules.filter(({ advisory }) => !advisory).map(({ outcome }) => outcome)
  const passed = outcomes.filter((outcome) => outcome === 'passed').length
  return {
    look: isStale ? 'bad' : lookOf(report, limited !== ''),
    label: BADGE_LABEL,
    stated: `${isStale ? 'baseline stale' : verdict}${limited}`,
    judged: passed + outcomes.filter((outcome) => outcome === 'failed').length,
    passed,
  }
}

function lookOf({ verdict }: Report, isLimited: boolean): BadgeWords['look'] {
  if (verdict === 'nonconformant') return 'bad'
  if (verdict === 'inconclusive') return 'open'
  return isLimited ? 'part' : 'good'
}
