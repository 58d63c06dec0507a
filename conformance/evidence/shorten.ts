import { lastSegment } from '../../spec/model/json.js'
import type { Judgement } from '../../spec/model/report.js'
import { hideSecretMembers } from './hidden-fields.js'

const MAX_LENGTH = 200
/** Of a long common beginning so much is kept, for orientation. */
const BEFORE = 60
/** Beyond, no secret was looked for to its end. */
const LAST_PLACE = 16 * 1024
/** A shorter common beginning is chance. */
const TELLING = 8

/**
 * A redacted judgement with `expected` and `actual` short enough to read: cut around the place where they differ, after
 * what is left of secrets in them is hidden.
 */
export function shorten({ others, ...judgement }: Judgement): Judgement {
  return { ...shortenWords(judgement), ...(others === undefined ? {} : { others: others.map(shortenWords) }) }
}

type Words = Pick<Judgement, 'message' | 'expected' | 'actual' | 'pointer'>

function shortenWords<W extends Words>(words: W): W {
  if (words.actual === undefined) return words
  const actual = hideInBody(words.actual)
  const { expected } = words
  if (actual.length <= MAX_LENGTH && (expected ?? '').length <= MAX_LENGTH) return { ...words, actual }
  const common = expected === undefined ? 0 : commonLength(expected, actual)
  const place = placeOf(words, actual) ?? (common < TELLING ? 0 : common)
  return {
    ...words,
    ...(expected === undefined ? {} : { expected: around(expected, common < TELLING ? 0 : common) }),
    actual: around(actual, place),
  }
}

/** The status before a body is no part of it. */
function hideInBody(text: string): string {
  const [status = ''] = /^\d{3} with /.exec(text) ?? []
  return status + hideSecretMembers(text.slice(status.length))
}

/** Where the judgement's words say that it is: `at character 7`, an extra or wrong member, or the pointer's. */
function placeOf({ message = '', pointer }: Words, actual: string): number | undefined {
  const [, character] = / at character (\d+)$/.exec(message) ?? []
  if (character !== undefined) return Math.min(Number(character), actual.length)
  const [, member] = /^(?:extra member )?`([^`]+)`/.exec(message) ?? []
  const name = member ?? (pointer === undefined ? undefined : lastSegment(pointer))
  if (name === undefined || !/[{[]/.test(actual)) return undefined
  const at = actual.indexOf(JSON.stringify(name))
  return at < 0 ? undefined : at
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function around(text: string, place: number): string {
  if (text.length <= MAX_LENGTH) return text
  const last = Math.min(LAST_PLACE, text.length - MAX_LENGTH)
  const from = whole(text, Math.max(0, Math.min(place - BEFORE, last)))
  const to = whole(text, from + MAX_LENGTH)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''} (${text.length} characters)`
}

/** Not between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
