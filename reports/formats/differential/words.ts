import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { count } from '../shared/phrase.js'

export const CLASSES: Readonly<Record<Finding['class'], string>> = {
  breaks: 'new breaks the contract',
  both: 'both break the contract',
  mends: 'old broke the contract and new mends it: a shipped client may depend on what old did',
  silent: 'the specification is silent',
}

/** The rules or the observation that a finding is about. */
export function ruleOf({ rules, observation }: Finding): string {
  return rules.length > 0 ? rules.join(', ') : (observation ?? '')
}

/** The last line of every format. */
export function differentialSentence({
  verdict,
  findings,
  flaky,
  inconclusive,
  asked,
  accepted,
}: Differential): string {
  const open = findings.filter((finding) => finding.accepted === undefined)
  const known = findings.length - open.length
  const agreed = known === 0 ? '' : ` ${count(known, 'difference is', 'differences are')} accepted.`
  const stale = accepted?.stale.length ?? 0
  const old = stale === 0 ? '' : ` ${count(stale, 'accepted entry is', 'accepted entries are')} stale.`
  if (verdict === 'same')
    return `✓ ${known === 0 ? 'No difference' : 'No other difference'} on ${count(asked, 'request')}.${agreed}`
  if (verdict === 'different')
    return `✗ ${count(open.length, 'difference')} that clients will notice, on ${count(asked, 'request')}.${agreed}${old}`
  return `? It could not be decided: ${count(flaky.length + inconclusive.length, 'reason')}.${agreed}`
}

/** How a finding is seen again. */
export function replayLine({ replay }: Finding): string {
  return `token-assay diff --old OLD --new NEW --replay ${replay}`
}
