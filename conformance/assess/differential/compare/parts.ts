import type { Difference } from './compare.js'
import type { View } from './view.js'

/** Differences of one answer that have one cause, as far as the answer shows. */
export interface Part {
  /** What of the answer it is about. */
  readonly about:
    | 'fate'
    | 'refusal'
    | 'status'
    | 'media type'
    | 'headers'
    | 'JSON'
    | 'body'
    | 'members'
    | 'order'
    | 'times'
    | 'value'
  /** The step of the probe. */
  readonly step: number
  /** The same for the same kind of difference, whatever the request. */
  readonly signature: string
  readonly differences: readonly Difference[]
}

/** They come from one clock and one lifetime. */
const TIMES = /^(?:format )?\/(?:\.?issued|\.?expires|expires_in)$/i

/** What the answers to one step differ in, by cause: another fate explains all the rest of the answer. Pure. */
export function partsOf(
  step: number,
  differences: readonly Difference[],
  old: View,
  now: View,
): readonly Part[] {
  if (differences.length === 0) return []
  const part = (about: Part['about'], own: readonly Difference[], signature: string): readonly Part[] =>
    own.length === 0 ? [] : [{ about, step, signature: `${about} ${signature}`, differences: own }]
  if (old.fate !== now.fate)
    return part(
      'fate',
      differences,
      `${old.fate} ${now.fate} ${now.fate === 'refused' ? now.status : old.status}`,
    )
  const [headers, others] = partition(differences, ({ at }) => at.startsWith('header '))
  const headerPart = part(
    'headers',
    headers,
    headers.map(({ at, old, new: own }) => `${at} ${signOf(old, own)}`).join(),
  )
  // Another kind of body altogether explains its media type, and a status without one.
  const otherBody = (about: Part['about'], own: readonly Difference[]): readonly Part[] | undefined => {
    if (kindOf(old.body) === kindOf(now.body)) return undefined
    const how = [old, now].map(({ mediaType, body }) => `${mediaType} ${kindOf(body)}`).join(' → ')
    const status = old.status === now.status ? '' : `${old.status} ${now.status} `
    const signature = `${old.isRegistration ? 'registration' : 'token'} ${status}${how}`
    return [{ about, step, signature: `body ${signature}`, differences: own }]
  }
  const where = (own: readonly Difference[]) =>
    [...new Set(own.map(({ at }) => at.replace(/\/\d+/g, '/*')))].join()
  if (old.fate === 'refused') {
    if (others.length === 0) return headerPart
    // What comes with it, such as `WWW-Authenticate`, is a part of that answer.
    if (old.status !== now.status) return part('refusal', differences, `${old.status} ${now.status}`)
    return (
      otherBody('refusal', differences) ??
      part('refusal', differences, `${old.status} ${now.status} ${where(others)}`)
    )
  }
  const other = otherBody('body', others)
  if (other !== undefined) return [...other, ...headerPart]
  const isNamed = (at: string): boolean =>
    [old, now].some(({ problems }) => problems.includes(`${TWICE} \`${at.slice(at.lastIndexOf('/') + 1)}\``))
  const [status, rest1] = partition(others, ({ at }) => at === 'status')
  const [media, rest2] = partition(rest1, ({ at }) => at === 'media type')
  const isTwice = [old, now].some(({ problems }) => problems.includes(TWICE))
  // Of two members with one name either may be read, in either place.
  const [json, rest3] = partition(
    rest2,
    ({ at }) => at === 'JSON' || (isTwice && (at.startsWith('order ') || isNamed(at))),
  )
  const [times, rest4] = partition(rest3, ({ at }) => TIMES.test(at))
  const [members, rest5] = partition(rest4, ({ at }) => at.startsWith('members '))
  const [order, values] = partition(rest5, ({ at }) => at.startsWith('order '))
  const bodies = values.filter(({ at }) => at === 'body' || !at.includes('/'))
  return [
    ...part('status', status, status.map((one) => `${one.old} ${one.new}`).join()),
    ...part('media type', media, media.map((one) => `${one.old} ${one.new}`).join()),
    ...part('JSON', json, ''),
    ...part('members', members, members.map((one) => `${one.at} ${one.old} / ${one.new}`).join()),
    ...part('order', order, where(order)),
    ...part('times', times, ''),
    ...part('body', bodies, where(bodies)),
    ...values
      .filter((one) => !bodies.includes(one))
      .flatMap((one) => part('value', [one], one.at.replace(/\/\d+/g, '/*'))),
    ...headerPart,
  ]
}

const TWICE = 'more than one member is named'

function kindOf(body: View['body']): string {
  return body.kind === 'leaf' ? body.type : body.kind
}

function signOf(old: string, now: string): string {
  return old === 'none' ? `+ ${now}` : now === 'none' ? '-' : '≠'
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}
