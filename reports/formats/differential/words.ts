import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { count } from '../shared/phrase.js'
import { accountSentence } from '../shared/run-facts.js'

/** Of the accounts that stay; `accounts-left.json` has all. */
const MAX_NAMED = 8

export const CLASS_WORDS: Readonly<Record<Finding['class'], string>> = {
  breaks: 'new breaks the contract',
  both: 'both break the contract',
  mends: 'old broke the contract and new fixes it: a shipped client may depend on the old behaviour',
  silent: 'the specification is silent',
}

/** Who is hurt, the worst first. */
export const HURT_WORDS: Readonly<Record<Finding['hurts'], string>> = {
  'sign-in': 'Clients can no longer sign in',
  registration: 'Users can no longer register',
  answers: 'Clients that read answers',
  refusals: 'Clients that read refusals',
  none: 'No client: new accepts more',
  headers: 'Clients that read headers',
}

/** The rules, or the observation, that a finding is about. */
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
    return `✓ ${known === 0 ? 'No difference' : 'No other difference'} in ${count(asked, 'request')}.${agreed}`
  if (verdict === 'different')
    return `✗ ${count(open.length, 'change')} that clients will notice, ${signInText(open)}, in ${count(asked, 'request')}.${agreed}${old}`
  return `? Inconclusive, for ${count(flaky.length + inconclusive.length, 'reason')}.${agreed}`
}

function signInText(open: readonly Finding[]): string {
  const broken = open.filter(({ hurts }) => hurts === 'sign-in').length
  if (broken === 0) return open.length === 1 ? 'which does not break sign-in' : 'none of which breaks sign-in'
  if (open.length === 1) return 'which breaks sign-in'
  return `${broken} of them ${broken === 1 ? 'breaks' : 'break'} sign-in`
}

/** The command that shows a finding again. */
export function replayLine({ replay }: Finding): string {
  return `token-assay diff --old OLD --new NEW --replay ${replay}`
}

/** A list of a report that is not about one finding. */
export interface DifferentialList {
  readonly id: string
  readonly heading: string
  readonly items: readonly string[]
}

/** What every format shows beside the findings; text between backquotes is code. */
export function listsOf(report: Differential): readonly DifferentialList[] {
  const { noise, flaky, inconclusive, notes = [], accepted, accounts = [] } = report
  const noisy = noise.map(({ at, seen, values }) => `\`${at.trim()}\` ${seen}×: ${values.join(' | ')}`)
  return [
    { id: 'noise', heading: 'Noise: the old service differs from itself', items: noisy },
    {
      id: 'flaky',
      heading: 'Flaky: the new service alternates between two answers',
      items: flaky.map(({ title }) => title),
    },
    { id: 'inconclusive', heading: 'Inconclusive', items: inconclusive },
    { id: 'notes', heading: 'Skipped', items: notes },
    {
      id: 'accounts',
      heading: 'Accounts for the comparison',
      items: accounts.flatMap((row) => accountSentence(row, ` at ${row.baseUrl}`, MAX_NAMED) ?? []),
    },
    { id: 'stale', heading: 'Stale entries of accepted differences', items: accepted?.stale ?? [] },
  ].filter(({ items }) => items.length > 0)
}

/** The findings of each class that has any. */
export function byClass({
  findings,
}: Differential): readonly (readonly [Finding['class'], readonly Finding[]])[] {
  const classes = Object.keys(CLASS_WORDS) as Finding['class'][]
  return classes
    .map((own) => [own, findings.filter((finding) => finding.class === own)] as const)
    .filter(([, all]) => all.length > 0)
}

/** Where it was seen, its id, and who accepted it. */
export function factsOf(finding: Finding): readonly string[] {
  return [
    `seen in ${count(finding.behind, 'request')}`,
    `id \`${finding.id}\``,
    acceptedText(finding) ?? [],
  ].flat()
}

export function acceptedText({ accepted }: Finding): string | undefined {
  if (accepted === undefined) return undefined
  return `accepted until ${accepted.until}: ${accepted.reason} (${accepted.owner})`
}

/** Commands that send the smallest request to each service again. */
export function commandsOf({ old, new: now }: Finding): readonly string[] {
  return [old.reproduce ?? [], now.reproduce ?? []].flat()
}
