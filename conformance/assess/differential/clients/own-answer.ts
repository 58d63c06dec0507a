import { readJson } from '../../../../spec/load/read-json.js'
import { pointerSegments } from '../../../../spec/model/json.js'
import type { WireResponse } from '../../../exchange/exchange.js'
import type { PlaceDifference } from '../compare/compare-answers.js'

/** Where the whole answer is another one. */
const WHOLE = /^(?:outcome|JSON|body|length)$/

/**
 * The old answer with the differences of one finding, and of no other; the new one where they are in all of it. So a client is
 * broken by what breaks it, however many differences the new answer has. Pure.
 */
export function ownAnswer(
  old: WireResponse,
  now: WireResponse,
  differences: readonly PlaceDifference[],
): WireResponse {
  const places = differences.map(({ at }) => at.trim())
  const body = bodyOf(old, now, places)
  if (body === undefined) return now
  const names = places.flatMap((at) =>
    at === 'media type' ? 'content-type' : at.startsWith('header ') ? at.slice('header '.length) : [],
  )
  const isOwn = ([name]: readonly [string, string]): boolean => names.includes(name.toLowerCase())
  // What is not found again has a name that is shown otherwise.
  if (!names.every((name) => [...old.headers, ...now.headers].some(([own]) => own.toLowerCase() === name)))
    return now
  return {
    status: places.includes('status') ? now.status : old.status,
    headers: [...old.headers.filter((one) => !isOwn(one)), ...now.headers.filter(isOwn)],
    body,
    truncated: false,
  }
}

function bodyOf(old: WireResponse, now: WireResponse, places: readonly string[]): Uint8Array | undefined {
  if (places.some((at) => WHOLE.test(at))) return undefined
  const changed = places.flatMap(memberOfPlace)
  const isReordered = places.includes('order')
  if (changed.length === 0 && !isReordered) return old.body
  const [before, after] = [membersOf(old.body), membersOf(now.body)]
  if (before === undefined || after === undefined) return undefined
  if (!changed.every((name) => before.members.has(name) || after.members.has(name))) return undefined
  const members = new Map(before.members)
  for (const name of changed) {
    const own = after.members.get(name)
    if (own === undefined) members.delete(name)
    else members.set(name, own)
  }
  const common = [...after.members.keys()].filter((name) => members.has(name))
  const ordered = isReordered
    ? [...members.keys()].map((name) => (after.members.has(name) ? (common.shift() ?? name) : name))
    : [...members.keys()]
  return Buffer.from(
    before.head + ordered.map((name) => members.get(name)).join(before.separator) + before.tail,
  )
}

/** The member of the answer that a place is in: `/a/b`, `member /a`, `format /a`, `token length`. */
function memberOfPlace(at: string): readonly string[] {
  if (at.startsWith('token ')) return ['access_token']
  const pointer = /^(?:member |format |length |order )?(\/.*)$/.exec(at)?.[1]
  return pointer === undefined ? [] : pointerSegments(pointer).slice(0, 1)
}

/** The members of an object of JSON as they are spelled, and what is around and between them. */
function membersOf(body: Uint8Array) {
  const text = Buffer.from(body).toString()
  const { root, problems } = readJson(text)
  if (root?.kind !== 'object' || problems.length > 0) return undefined
  const [first, second] = root.members
  const last = root.members.at(-1)
  if (first === undefined || last === undefined) return undefined
  return {
    head: text.slice(0, first.start),
    separator: second === undefined ? ',' : text.slice(first.value.end, second.start),
    tail: text.slice(last.value.end),
    members: new Map(
      root.members.map(({ name, start, value }) => [name, text.slice(start, value.end)] as const),
    ),
  }
}
