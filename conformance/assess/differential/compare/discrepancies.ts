import type { AnswerView } from './answer-view.js'
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

/** Differences of one answer that have one cause, as far as the answer shows. */
export interface Discrepancy {
  readonly about: About
  /** The step of the probe. */
  readonly step: number
  /** The same for the same kind of discrepancy, whatever the request. The ids of findings are made of it. */
  readonly signature: string
  readonly differences: readonly PlaceDifference[]
}

type Differences = readonly PlaceDifference[]

/** What the answers to one step differ in, by cause: another fate explains all the rest of the answer. Pure. */
export function discrepanciesOf(
  step: number,
  differences: Differences,
  old: AnswerView,
  now: AnswerView,
): readonly Discrepancy[] {
  const all = (about: About, signature: string): readonly Discrepancy[] => [
    { about, step, signature, differences },
  ]
  if (differences.length === 0) return []
  if (old.fate !== now.fate) {
    const { status } = now.fate === 'refused' ? now : old
    return all('fate', `fate ${old.fate} ${now.fate} ${status}`)
  }
  const others = differences.filter((one) => !isHeader(one))
  if (old.fate !== 'refused') return ofSuccess(step, differences, old, now)
  if (others.length === 0) return [ofKind('headers', step, differences)]
  // What comes with another status, such as `WWW-Authenticate`, is a part of that answer.
  if (old.status !== now.status) return all('refusal', `refusal ${old.status} ${now.status}`)
  return all(
    'refusal',
    signatureOfBodies(old, now) ?? `refusal ${old.status} ${now.status} ${placesOf(others)}`,
  )
}

function ofSuccess(
  step: number,
  differences: Differences,
  old: AnswerView,
  now: AnswerView,
): readonly Discrepancy[] {
  const bodies = signatureOfBodies(old, now)
  const kindOf = (one: PlaceDifference): About =>
    isHeader(one) || bodies === undefined ? aboutOf(one, old, now) : 'body'
  return ABOUT.flatMap((about): readonly Discrepancy[] => {
    const own = differences.filter((one) => kindOf(one) === about)
    if (own.length === 0) return []
    if (about === 'value') return own.map((one) => ofKind('value', step, [one]))
    const discrepancy = ofKind(about, step, own)
    return [about === 'body' && bodies !== undefined ? { ...discrepancy, signature: bodies } : discrepancy]
  })
}

/** Another kind of body explains its media type, and a status without one. */
function signatureOfBodies(old: AnswerView, now: AnswerView): string | undefined {
  if (bodyKind(old) === bodyKind(now)) return undefined
  const how = [old, now].map((view) => `${view.mediaType} ${bodyKind(view)}`).join(' → ')
  const status = old.status === now.status ? '' : `${old.status} ${now.status} `
  return `body ${old.isRegistration ? 'registration' : 'token'} ${status}${how}`
}

function bodyKind({ body }: AnswerView): string {
  return body.kind === 'leaf' ? body.type : body.kind
}

const REPEATED = 'more than one member is named'
/** They come from one clock and one lifetime. */
const TIMES = /^(?:format )?\/(?:\.?issued|\.?expires|expires_in)$/i

function aboutOf(one: PlaceDifference, ...views: readonly AnswerView[]): About {
  const { at } = one
  const isRepeated = (what: string): boolean => views.some(({ problems }) => problems.includes(what))
  if (isHeader(one)) return 'headers'
  if (at === 'status' || at === 'media type' || at === 'JSON') return at
  // Of two members with one name a client may read either, in either place.
  const name = at.slice(at.lastIndexOf('/') + 1)
  if (isRepeated(REPEATED) && (at.startsWith('order ') || isRepeated(`${REPEATED} \`${name}\``)))
    return 'JSON'
  if (TIMES.test(at)) return 'times'
  if (at.startsWith('members ')) return 'members'
  if (at.startsWith('order ')) return 'order'
  return at === 'body' || !at.includes('/') ? 'body' : 'value'
}

function isHeader({ at }: PlaceDifference): boolean {
  return at.startsWith('header ')
}

function ofKind(about: About, step: number, differences: Differences): Discrepancy {
  return { about, step, signature: `${about} ${signatureOf(about, differences)}`, differences }
}

function signatureOf(about: About, differences: Differences): string {
  switch (about) {
    case 'status':
    case 'media type':
      return differences.map(({ old, new: now }) => `${old} ${now}`).join()
    case 'members':
      return differences.map(({ at, old, new: now }) => `${at} ${old} / ${now}`).join()
    case 'headers':
      return differences.map((one) => `${one.at} ${headerChange(one)}`).join()
    case 'JSON':
    case 'times':
      return ''
    default:
      return placesOf(differences)
  }
}

function headerChange({ old, new: now }: PlaceDifference): string {
  if (old === 'none') return `+ ${now}`
  return now === 'none' ? '-' : '≠'
}

function placesOf(differences: Differences): string {
  return [...new Set(differences.map(placeOf))].join()
}

/** All items of a list are one place. */
export function placeOf({ at }: PlaceDifference): string {
  return at.replace(/\/\d+/g, '/*')
}
