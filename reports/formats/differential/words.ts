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
  users: 'Users: new signs in with wrong credentials',
  'sign-in': 'Clients can no longer sign in',
  registration: 'Users can no longer register',
  answers: 'Clients that read answers',
  refusals: 'Clients that read refusals',
  none: 'No client: new accepts more',
  headers: 'Clients that read headers',
}

/** Where only the date changes, what clients do that read it; else as `HURT_WORDS`. */
export function hurtText({ hurts, differences: [only, ...others] }: Finding): string {
  if (hurts !== 'answers' || only === undefined || others.length > 0 || !/^\/\.?expires$/.test(only.at))
    return HURT_WORDS[hurts]
  const [old, now] = [only.old, only.new].map((text) => {
    const [, seconds, side] = /^(\d+) s (after|before) /.exec(text) ?? []
    return side === 'before' ? -Number(seconds) : Number(seconds)
  }) as [number, number]
  if (now > old) return 'Clients that read `.expires` keep a token that has expired'
  return now < old ? 'Clients that read `.expires` drop a token that is still good' : HURT_WORDS[hurts]
}

export function ruleOf({ rules, observation }: Finding): string {
  return rules.length > 0 ? rules.join(', ') : (observation ?? '')
}

/** The last line of every format. */
export function differentialSentence(report: Differential): string {
  const { verdict, findings, flaky, inconclusive, asked, skipped = 0, accepted } = report
  const open = findings.filter((finding) => finding.accepted === undefined)
  const known = findings.length - open.length
  const agreed = known === 0 ? '' : ` ${count(known, 'difference is', 'differences are')} accepted.`
  const stale = accepted?.stale.length ?? 0
  const isStale = `${count(stale, 'accepted entry is', 'accepted entries are')} stale`
  const requests = `${count(asked, 'request')}${skipped === 0 ? '' : `, ${skipped} skipped`}`
  const nothing = `${known === 0 ? 'No difference' : 'No other difference'} in ${requests}`
  if (verdict === 'same') return `✓ ${nothing}.${agreed}`
  const unclear = flaky.length + inconclusive.length
  const more = unclear === 0 ? '' : ` ${count(unclear, 'more is', 'more are')} undecided.`
  if (verdict === 'different' && open.length === 0)
    return `✗ ${isStale}; ${nothing.toLowerCase()}.${more}${agreed}`
  const old = stale === 0 ? '' : ` ${isStale}.`
  if (verdict === 'different')
    return `✗ ${count(open.length, 'change')} that clients will notice, ${brokenText(open)}, in ${requests}.${clientsSentence(report, open)}${more}${agreed}${old}`
  return `? Inconclusive, for ${count(unclear, 'reason')}.${agreed}`
}

const BROKEN = [
  ['users', 'lets in wrong credentials', 'let in wrong credentials'],
  ['sign-in', 'breaks sign-in', 'break sign-in'],
  ['registration', 'breaks registration', 'break registration'],
] as const

/** How many changes let in who is not the user, end a sign-in, or a registration. */
function brokenText(open: readonly Finding[]): string {
  const isOne = open.length === 1
  const parts = BROKEN.flatMap(([what, one, several]) => {
    const broken = open.filter(({ hurts }) => hurts === what).length
    return broken === 0 ? [] : [`${broken} of them ${broken === 1 ? one : several}`]
  })
  if (parts.length === 0)
    return isOne
      ? 'which breaks neither sign-in nor registration'
      : 'none of which breaks sign-in or registration'
  return isOne
    ? parts.join().replace('1 of them', 'which')
    : parts.join(', ').replace(/(, \d+) of them/g, '$1')
}

function clientsSentence({ clients = [] }: Differential, open: readonly Finding[]): string {
  const tried = clients.filter(({ obstacle }) => obstacle === undefined)
  if (tried.length === 0) return ''
  const breaking = open.filter((finding) => (finding.clients?.breaks.length ?? 0) > 0)
  if (breaking.length === 0) {
    const isOpen = open.some((finding) => openTrials(finding).length > 0)
    return ` None ${isOpen ? 'is known to break' : 'breaks'} one of ${count(tried.length, 'client')}.`
  }
  const broken = new Set(breaking.flatMap((finding) => finding.clients?.breaks.map(({ client }) => client)))
  return ` ${count(breaking.length, 'change breaks', 'changes break')} ${broken.size} of ${count(tried.length, 'client')}.`
}

/** Of more clients than these the first tell enough. */
const MAX_CLIENTS = 5

/** Whom a finding breaks, in one line; text between backquotes is code. */
export function clientsText(finding: Finding, { clients = [] }: Differential): string | undefined {
  if (finding.clients === undefined) return undefined
  const { tried, breaks, gains, inconclusive, notTried } = finding.clients
  if (notTried !== undefined) return `clients not tried: ${notTried}`
  const named = (client: string): string => {
    const version = clients.find(({ name }) => name === client)?.version
    return `\`${client}\`${version === undefined ? '' : ` ${version}`}`
  }
  const list = (all: typeof breaks, before = ' '): string => {
    const shown = all.slice(0, MAX_CLIENTS).map(({ client, how }) => named(client) + before + how)
    const more = all.length - shown.length
    return [...shown, ...(more === 0 ? [] : [`${more} more`])].join(', ')
  }
  const same = tried - breaks.length - gains.length - inconclusive.length
  return [
    breaks.length === 0 ? 'breaks no client' : `breaks ${breaks.length} of ${tried}: ${list(breaks)}`,
    ...(gains.length === 0 ? [] : [`better for ${gains.length}: ${list(gains)}`]),
    ...(inconclusive.length === 0
      ? []
      : [`inconclusive for ${inconclusive.length}: ${list(inconclusive, ': ')}`]),
    `not noticed by ${same}`,
  ].join('; ')
}

/** Where only a broken client makes the comparison fail: what may have broken one, and could not be tried. */
export function undecidedOf({ failOn, findings, clients = [] }: Differential): readonly string[] {
  if (failOn === undefined) return []
  return [
    ...clients.flatMap(({ name, obstacle }) => (obstacle === undefined ? [] : `\`${name}\`: ${obstacle}`)),
    ...findings.flatMap((finding) =>
      finding.accepted === undefined ? openTrials(finding).map((how) => `${finding.title}: ${how}`) : [],
    ),
  ]
}

/** Whether a finding breaks a client, where that could not be seen: the reasons. */
function openTrials({ hurts, clients }: Finding): readonly string[] {
  const { notTried, inconclusive = [] } = clients ?? {}
  const own = inconclusive.map(({ client, how }) => `\`${client}\`: ${how}`)
  // Of an error text or a header that no client was given, none is known to depend on it.
  const mayBreak = BROKEN.some(([what]) => what === hurts)
  return notTried !== undefined && mayBreak ? [...own, `clients not tried: ${notTried}`] : own
}

/** Whether it makes the comparison fail. */
export function isFailure(finding: Finding, { failOn }: Differential): boolean {
  const isBreaking = failOn === undefined || (finding.clients?.breaks.length ?? 0) > 0
  return finding.accepted === undefined && isBreaking
}

export function replayLine({ replay }: Finding, { command, old, new: now }: Differential): string {
  return `${command ?? `token-assay diff --old ${old.baseUrl} --new ${now.baseUrl}`} --replay ${replay}`
}

/** A list of a report that is not about one finding. */
export interface DifferentialList {
  readonly id: string
  readonly heading: string
  /** What the items are about, if they are not the list's own. */
  readonly noun?: string
  readonly items: readonly string[]
}

/** What every format shows beside the findings; text between backquotes is code. */
export function listsOf(report: Differential): readonly DifferentialList[] {
  const { noise, flaky, inconclusive, notes = [], accepted, accounts = [], clients = [] } = report
  const noisy = noise.map(({ at, seen, values }) => `\`${at.trim()}\` ${seen}×: ${values.join(' or ')}`)
  return [
    { id: 'noise', heading: 'Not compared: varies between two answers of the old service', items: noisy },
    {
      id: 'flaky',
      heading: 'Flaky: the new service alternates between two answers',
      items: flaky.map(({ title }) => title),
    },
    { id: 'inconclusive', heading: 'Inconclusive', items: inconclusive },
    { id: 'notes', heading: 'Skipped', items: notes },
    {
      id: 'clients',
      heading: 'Clients that could not be tried',
      items: clients.flatMap(({ name, obstacle }) =>
        obstacle === undefined ? [] : `\`${name}\`: ${obstacle}`,
      ),
    },
    {
      id: 'accounts',
      heading: accounts.some(({ left = [] }) => left.length > 0) ? 'Accounts left' : 'Accounts registered',
      noun: 'service',
      items: accounts.flatMap((row) => accountSentence(row, ` at ${row.baseUrl}`, MAX_NAMED) ?? []),
    },
    { id: 'stale', heading: 'Stale entries of accepted differences', items: accepted?.stale ?? [] },
  ].filter(({ items }) => items.length > 0)
}

/** With how many there are. */
export function headingOf({ heading, noun, items }: DifferentialList): string {
  return `${heading} (${noun === undefined ? items.length : count(items.length, noun)})`
}

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
