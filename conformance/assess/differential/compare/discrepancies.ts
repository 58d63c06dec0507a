import { isDeepStrictEqual } from 'node:util'
import { type AnswerView, sentencesOf } from './answer-view.js'
import type { PlaceDifference } from './compare-answers.js'

/** What of an answer a discrepancy is about, in the order in which discrepancies are listed. */
const ABOUT = [
  'fate',
  'refusal',
  'status',
  'media type',
  'JSON',
  'members',
  'order',
  'times',
  'body',
  'value',
  'headers',
] as const
type About = (typeof ABOUT)[number]

/** `stricter`: new refuses what old accepts. */
export type Direction = 'stricter' | 'looser' | 'neither'

/** Differences of one answer that have one cause, as far as the answer shows. */
export interface Discrepancy {
  readonly about: About
  readonly direction: Direction
  readonly step: number
  readonly differences: readonly PlaceDifference[]
  /** The changes that it consists of, whatever the request: what one cause explains of one answer, it explains of all. */
  readonly aspects: readonly string[]
}

type Differences = readonly PlaceDifference[]

/** What the answers to one step differ in, by cause: another fate explains all the rest of the answer. Pure. */
export function discrepanciesOf(
  step: number,
  differences: Differences,
  old: AnswerView,
  now: AnswerView,
): readonly Discrepancy[] {
  if (differences.length === 0) return []
  if (old.fate !== now.fate) {
    const rank = (fate: AnswerView['fate']): number => (fate === 'refused' ? 0 : fate === 'done' ? 1 : 2)
    const direction = rank(now.fate) < rank(old.fate) ? 'stricter' : 'looser'
    return [{ about: 'fate', direction, step, differences, aspects: [] }]
  }
  const found = (about: About, own: Differences, aspects: readonly string[]): Discrepancy => ({
    ...{ about, direction: 'neither', step, differences: own },
    aspects: [...new Set(aspects)],
  })
  const headers = differences.filter(isHeader)
  const others = differences.filter((one) => !isHeader(one))
  // What comes with another status, such as `WWW-Authenticate`, or with a page is a part of that answer.
  if (old.fate === 'refused' && old.status !== now.status)
    return [found('refusal', differences, [`${kindOfAnswer(old)}refused ${old.status} ${now.status}`])]
  if (old.fate === 'refused' && old.mediaType !== now.mediaType)
    return [found('refusal', differences, aspectsOf('refusal', others, old, now))]
  const kindOf = (one: PlaceDifference): About =>
    old.fate === 'refused' ? 'refusal' : bodyKind(old) === bodyKind(now) ? aboutOf(one, old, now) : 'body'
  const ofBody = ABOUT.flatMap((about): readonly Discrepancy[] => {
    const own = others.filter((one) => kindOf(one) === about)
    if (own.length === 0) return []
    const parts = about === 'value' ? own.map((one) => [one]) : [own]
    return parts.map((part) => found(about, part, aspectsOf(about, part, old, now)))
  })
  return [...ofBody, ...(headers.length > 0 ? [found('headers', headers, headers.map(headerAspect))] : [])]
}

function aspectsOf(
  about: About,
  differences: Differences,
  old: AnswerView,
  now: AnswerView,
): readonly string[] {
  if (about === 'times' || about === 'JSON') return [about]
  const isText = differences.every(isInText)
  if (about === 'refusal' && old.isRegistration && isText && bodyKind(old) === bodyKind(now)) {
    const messages = messageAspects(old, now)
    if (messages.length > 0) return messages
  }
  return differences.map((one) => {
    const place = placeOf(one)
    if (place === 'media type') return `${place} ${old.mediaType} ${now.mediaType}`
    const kind = kindOfAnswer(old)
    if (place === 'body') return `${kind}body ${bodyKind(old)} ${bodyKind(now)}`
    const whole = /^(?:status|member )/.test(place) ? `${place} ${one.old} ${one.new}` : place
    return `${kind}${old.fate === 'refused' ? 'refused ' : ''}${whole}`
  })
}

/** What is changed for registrations is another decision than what is changed for tokens. */
function kindOfAnswer({ isRegistration }: AnswerView): string {
  return isRegistration ? 'registration ' : ''
}

/** Whether it is a value in the body, where what an answer says may be. */
export function isInText({ at }: PlaceDifference): boolean {
  return /^(?:length |body$|\/)/.test(at)
}

/** By what it says: each message is a decision of its own. Nothing where only their layout is another. */
export function messageAspects(...views: readonly [AnswerView, AnswerView]): readonly string[] {
  // Whom it names makes no other message of it.
  const [old, now] = views.map((view) =>
    sentencesOf(view).map((text) => text.replace(/‹[^‹›]*›(?: in upper case)?/g, '‹…›')),
  ) as [string[], string[]]
  const changed = [
    ...old.filter((text) => !now.includes(text)).map((text) => `- ${text}`),
    ...now.filter((text) => !old.includes(text)).map((text) => `+ ${text}`),
  ]
  if (changed.length > 0) return changed
  return isDeepStrictEqual(old, now) ? [] : ['order of messages']
}

/** Of a registration that is refused: what it says names the decision. */
export function isMessage(aspect: string): boolean {
  return /^[+-] |^order of messages$/.test(aspect)
}

function bodyKind({ body }: AnswerView): string {
  return body.kind === 'leaf' ? body.type : body.kind
}

const REPEATED = 'more than one member is named'
/** They come from one clock and one lifetime. */
export const TIMES = /^(?:format )?\/(?:\.?issued|\.?expires|expires_in)$/i

function aboutOf(one: PlaceDifference, ...views: readonly AnswerView[]): About {
  const { at } = one
  const isRepeated = (what: string): boolean => views.some(({ problems }) => problems.includes(what))
  if (at === 'status' || at === 'media type' || at === 'JSON') return at
  // Of two members with one name a client may read either, in either place.
  const name = at.slice(at.lastIndexOf('/') + 1)
  if (isRepeated(REPEATED) && (at.startsWith('order ') || isRepeated(`${REPEATED} \`${name}\``)))
    return 'JSON'
  if (TIMES.test(at)) return 'times'
  if (at.startsWith('member ')) return 'members'
  if (at.startsWith('order ')) return 'order'
  return at === 'body' || !at.includes('/') ? 'body' : 'value'
}

function isHeader({ at }: PlaceDifference): boolean {
  return at.startsWith('header ')
}

/** Its value may be another for each request: the user name that was sent. */
export function headerAspect({ at, old, new: now }: PlaceDifference): string {
  return `${at} ${old === 'none' ? '+' : now === 'none' ? '-' : '≠'}`
}

/** All items of a list are one place. */
export function placeOf({ at }: Pick<PlaceDifference, 'at'>): string {
  return at.replace(/\/\d+/g, '/*')
}
