import { serviceName } from '../ask/service-side.js'
import type { Fate } from '../compare/answer-view.js'
import type { PlaceDifference } from '../compare/compare-answers.js'
import { JSON_WEB_TOKENS } from '../compare/compare-tokens.js'
import type { Witness } from '../compare/comparer.js'
import type { Discrepancy } from '../compare/discrepancies.js'
import { type Cause, reasonsOf } from '../isolate/causes.js'
import type { Unconfirmed } from '../isolate/confirm.js'
import { describeProbe, isFailedLogin, traitsOf } from '../isolate/request-traits.js'

const MAX_LISTED = 3
const EVERY_ANSWER = 'every answer'

/** The requests that a cause is about, in one phrase: what they have in common, not the first of them. */
export function requestOf({ smallest, behind }: Cause, steady: Witness): string {
  const { probe, discrepancy } = steady
  const fates = new Set(behind.map(({ old }) => old.fate))
  if (discrepancy.about === 'media type' && fates.has('granted') && fates.has('refused')) return EVERY_ANSWER
  const own = describeProbe(probe, discrepancy.step)
  const all = [steady, ...smallest].map((one) => traitsOf(one.probe, one.discrepancy.step))
  const [noun] = all[0]?.map((one) => one.noun) ?? []
  const items = [
    ...new Set(
      all.flatMap((traits) =>
        traits.length === 1 && traits[0]?.noun === noun ? (traits[0]?.item ?? []) : [],
      ),
    ),
  ]
  if (discrepancy.about === 'refusal' && isFailedLogin(steady)) {
    const errors = new Set(
      smallest.map((one) => JSON.stringify([...one.old.headers, one.old.status, errorOf(one)])),
    )
    return errors.size > 1 ? 'refusals such as that of a failed login' : 'failed login'
  }
  if (noun === undefined || items.length < 2) return own
  const [listed, more] = [items.slice(0, MAX_LISTED), items.length - MAX_LISTED]
  return `${noun} ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function errorOf({ old: { body } }: Witness): unknown {
  return body.kind === 'object' ? body.members.get('error') : undefined
}

/** A finding in one line: the request, and how the new service answers differently from the old one. */
export function findingTitle(
  { about, differences, aspects }: Discrepancy,
  request: string,
  reasons: readonly string[] = [],
): string {
  const [first] = differences
  const { old = '', new: now = '', at = '' } = first ?? {}
  const status = differences.find((one) => one.at === 'status')
  const changes = differences.map(changeOf).join('; ')
  const prefix = /^plain login$/.test(request) ? '' : `${request}: `
  switch (about) {
    case 'fate':
      return `${request}: new ${doing(now, status?.new, reasons)}, old ${doing(old, status?.old, reasons)}`
    case 'refusal':
      return status === undefined
        ? `${request}: ${messageChanges(aspects) ?? changes}`
        : `${request}: new ${statusText(status.new)}, old ${statusText(status.old)}`
    case 'status':
      return `${request}: new ${now}, old ${old}`
    case 'media type':
      return `\`Content-Type\`${request === EVERY_ANSWER ? ` of ${request}` : ''}: new \`${now}\`, old \`${old}\``
    case 'headers':
      return `response headers: ${changes}`
    case 'JSON':
      return `JSON syntax: new ${now}, old ${old}`
    case 'order':
      return 'new sends the members in a different order'
    case 'members':
      return `${prefix}response members: ${changes}`
    case 'times':
      return `times differ: ${changes}`
    case 'body':
      return `${request}: bodies differ: ${changes}`
    case 'value':
      return at.startsWith('token ') ? tokenChanges(differences) : prefix + changes
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

function doing(fate: string, status: string | undefined, reasons: readonly string[]): string {
  const does = Object.hasOwn(DOES, fate) ? DOES[fate as Fate] : fate
  const [reason] = fate === 'refused' ? reasons : []
  const why = [status ?? [], reason === undefined ? [] : quoted(reason)].flat().join(': ')
  return why === '' ? does : `${does} (${why})`
}

function changeOf({ at, old, new: now }: PlaceDifference): string {
  const [, member] = /^member \/(.*)$/.exec(at) ?? []
  if (member !== undefined) return now === 'missing' ? `new omits \`${member}\`` : `new adds \`${member}\``
  const [, header] = /^header (.*)$/.exec(at) ?? []
  if (header !== undefined) return `${header} ${abbreviate(old)} → ${abbreviate(now)}`
  return `\`${at.replace(/^(?:format|later) /, '').trim()}\`: new ${abbreviate(now)}, old ${abbreviate(old)}`
}

/** Whomever it names. */
function quoted(message: string): string {
  return JSON.stringify(message.replace(/‹[^‹›]*›/g, '…'))
}

/** What is said in addition and no more, where that is the change. */
function messageChanges(aspects: readonly string[]): string | undefined {
  const [added, dropped] = ['+ ', '- '].map((sign) =>
    aspects.filter((one) => one.startsWith(sign)).map((one) => quoted(one.slice(2))),
  )
  if (aspects.includes('order of messages')) return 'new sends the messages in a different order'
  const says = [
    ...(added?.length ? [`new says ${added.join(', ')}`] : []),
    ...(dropped?.length ? [`old says ${dropped.join(', ')}`] : []),
  ]
  const [only, ...more] = says
  if (only === undefined || more.length > 0) return only === undefined ? undefined : says.join('; ')
  const [silent, messages] = added?.length ? ['old', added] : ['new', dropped]
  return `${only}; ${silent} omits ${messages?.length === 1 ? 'it' : 'them'}`
}

/** `new tokens are JSON Web Tokens, and longer`. */
function tokenChanges(differences: readonly PlaceDifference[]): string {
  const changes = differences.map(tokenChange)
  const shared = changes.every((one) => one.startsWith('are ')) ? 'are ' : ''
  const all = changes.map((one) => one.slice(shared.length))
  return `new tokens ${shared}${all.join(', ').replace(/, (?=[^,]*$)/, all.length > 1 ? ', and ' : ', ')}`
}

function tokenChange({ at, old, new: now }: PlaceDifference): string {
  if (now === JSON_WEB_TOKENS) return `are ${now}`
  if (at === 'token alphabet') return `consist of ${now}, not ${old}`
  if (at === 'token reuse') return now === 'each is new' ? 'are never repeated' : 'are repeated'
  const [longest, before] = [now, old].map((text) => Math.max(...(text.match(/\d+/g) ?? []).map(Number)))
  if (longest === before || longest === undefined || before === undefined) return 'vary in length differently'
  return longest < before ? 'are shorter' : 'are longer'
}

function abbreviate(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}

/** The reasons of a registration that one side refuses, if they are sentences. */
export function reasonsIn(witness: Witness): readonly string[] {
  return witness.old.isRegistration ? reasonsOf(witness).filter((text) => text.includes(' ')) : []
}

export function flakyEntry(witness: Witness): { title: string; request: string } {
  const { probe, discrepancy } = witness
  const request = describeProbe(probe, discrepancy.step)
  return { title: findingTitle(discrepancy, request, reasonsIn(witness)), request }
}

export function unconfirmedReason({ witness, why }: Unconfirmed): string {
  return why === 'spent'
    ? `ran out of allowed failed logins before confirming: ${flakyEntry(witness).title}`
    : `${serviceName(why.side)}: ${why.trouble}`
}

export function leftOutNote(count: number): string {
  return `${skippedLogins(count)}: declare \`registration\`, so that new accounts take the failed logins, or a larger \`maxFailedLogins\`.`
}

export function noAccountReason(count: number): string {
  return `registering an account to take failed logins failed twice in a row: ${skippedLogins(count)}. Without \`registration\` in the target file, the declared accounts take a few`
}

function skippedLogins(count: number): string {
  return count === 1
    ? '1 request that may be a failed login was skipped'
    : `${count} requests that may be failed logins were skipped`
}
