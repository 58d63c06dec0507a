import { serviceName } from '../ask/service-side.js'
import type { Fate } from '../compare/answer-view.js'
import type { PlaceDifference } from '../compare/compare-answers.js'
import type { Discrepancy } from '../compare/discrepancies.js'
import type { Witness } from '../compare/explore.js'
import type { Unconfirmed } from '../isolate/confirm.js'
import { describeProbe } from '../isolate/request-traits.js'

/** A finding in one line: the request, and how the new service answers differently from the old one. */
export function findingTitle({ about, differences }: Discrepancy, request: string): string {
  const [first] = differences
  const { old = '', new: now = '', at = '' } = first ?? {}
  const status = differences.find((one) => one.at === 'status')
  const changes = differences.map((one) => `${one.at} ${change(one)}`.replace(/^header /, '')).join('; ')
  switch (about) {
    case 'fate':
      return `${request}: new ${doing(now, status?.new)}, old ${doing(old, status?.old)}`
    case 'refusal':
      return status === undefined
        ? `${request}: refusals differ in ${namesOf(differences)}`
        : `${request}: new ${statusText(status.new)}, old ${statusText(status.old)}`
    case 'status':
      return `${request}: new ${now}, old ${old}`
    case 'media type':
      return `\`Content-Type\`: new \`${now}\`, old \`${old}\``
    case 'headers':
      return `response headers differ: ${changes}`
    case 'JSON':
      return `JSON syntax: new ${now}, old ${old}`
    case 'members':
      return `response members: ${differences.map(memberChange).join('; ')}`
    case 'order':
      return 'new sends the members in a different order'
    case 'times':
      return `times differ: ${differences.map((one) => `\`${one.at}\` ${change(one)}`).join('; ')}`
    case 'body':
      return `${request}: bodies differ: ${changes}`
    case 'value':
      return at.startsWith('token ')
        ? `new tokens ${differences.map(tokenChange).join(', ')}`
        : `\`${at}\`: new ${abbreviate(now)}, old ${abbreviate(old)}`
  }
}

const DOES: Readonly<Record<Fate, string>> = {
  granted: 'grants a token',
  registered: 'registers the account',
  done: 'answers without an error',
  refused: 'refuses',
}

/** How a connection ended that has no status code. */
function statusText(status: string): string {
  return status === 'closed' || status === 'cut off' ? `connection ${status}` : status
}

function doing(fate: string, status: string | undefined): string {
  const does = Object.hasOwn(DOES, fate) ? DOES[fate as Fate] : fate
  return status === undefined ? does : `${does} (${status})`
}

function change({ old, new: now }: PlaceDifference): string {
  return `${abbreviate(old)} → ${abbreviate(now)}`
}

function memberChange({ old, new: now }: PlaceDifference): string {
  if (old === NO_OTHER) return `new adds ${now}`
  return now === NO_OTHER ? `new omits ${old}` : `new has ${now} instead of ${old}`
}

const NO_OTHER = 'no other'

function tokenChange({ at, old, new: now }: PlaceDifference): string {
  if (at === 'token alphabet') return `consist of ${now}, not ${old}`
  if (at === 'token reuse') return now === 'each is new' ? 'are never repeated' : 'are repeated'
  const [longest, before] = [now, old].map((text) => Math.max(...(text.match(/\d+/g) ?? []).map(Number)))
  if (longest === before || longest === undefined || before === undefined) return 'vary in length differently'
  return longest < before ? 'are shorter' : 'are longer'
}

function abbreviate(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}

function namesOf(differences: readonly PlaceDifference[]): string {
  return differences.map(({ at }) => `\`${at.trim()}\``).join(', ')
}

export function flakyEntry({ probe, discrepancy }: Witness): { title: string; request: string } {
  const request = describeProbe(probe, discrepancy.step)
  return { title: findingTitle(discrepancy, request), request }
}

export function unconfirmedReason({ witness, why }: Unconfirmed): string {
  return why === 'spent'
    ? `ran out of allowed failed logins before confirming: ${flakyEntry(witness).title}`
    : `${serviceName(why.side)}: ${why.trouble}`
}

export function leftOutNote(count: number): string {
  const skipped =
    count === 1
      ? '1 request that may be a failed login was'
      : `${count} requests that may be failed logins were`
  return `${skipped} skipped: declare \`registration\`, so that new accounts take the failed logins, or a larger \`maxFailedLogins\`.`
}
