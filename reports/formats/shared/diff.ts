import { visible, visibleMarks } from './escape.js'
import { labelled, type Page, textColumn } from './page.js'
import { atMost, displayWidth, ellipsis, wrap } from './wrap.js'

/** Two texts, cut where they differ. Every piece is a list of visible characters as a reader counts them. */
export interface TextDifference {
  readonly prefix: readonly string[]
  readonly expected: readonly string[]
  readonly actual: readonly string[]
  readonly suffix: readonly string[]
}

/** Made on first use: it takes as long as loading all other code here. */
let segmenter: Intl.Segmenter | undefined
const characters = (text: string, spell: (text: string) => string) => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => spell(segment))
}

/** Of longer texts only the beginnings are compared. */
const MAX_TEXT = 4000

/** The common beginning and end of two texts, and the parts between them. */
export function difference(expected: string, actual: string): TextDifference {
  // Composed and decomposed letters look the same: then, and only then, marks are spelled out.
  const twins = expected !== actual && expected.normalize() === actual.normalize()
  const spell = twins ? visibleMarks : visible
  const want = characters(expected.slice(0, MAX_TEXT), spell)
  const got = characters(actual.slice(0, MAX_TEXT), spell)
  const shorter = Math.min(want.length, got.length)
  let start = 0
  while (start < shorter && want[start] === got[start]) start += 1
  let end = 0
  while (end < shorter - start && want.at(-1 - end) === got.at(-1 - end)) end += 1
  return {
    prefix: want.slice(0, start),
    expected: want.slice(start, want.length - end),
    actual: got.slice(start, got.length - end),
    suffix: want.slice(want.length - end),
  }
}

/** Words, and not one word of a value. */
const WORDS = /\p{L}[:,]? \p{L}/u

/**
 * Whether marking the difference helps: two texts with little in common, or a value and words that end in it (`an answer
 * without: …`), are shown plainly.
 */
export function isWorthMarking({ prefix, expected, actual, suffix }: TextDifference): boolean {
  const common = prefix.length + suffix.length
  const longest = common + Math.max(expected.length, actual.length)
  if (prefix.length === 0 && [expected, actual].some((part) => WORDS.test(part.join('')))) return false
  return common > 0 && common < longest && common >= longest * 0.4
}

/** More than a report holds of one text. */
const MAX_LINES = 8

/** A text of its own lines: two that have little in common are read one after the other. */
function plainLines(label: 'expected' | 'actual', text: string, page: Page): string[] {
  const color = label === 'expected' ? page.colors.green : page.colors.red
  const lines = atMost(wrap(text, page.width - textColumn), MAX_LINES)
  return labelled(label, text === '' ? [page.colors.dim('(empty)')] : lines.map((line) => color(line)), page)
}

/** Of a long common beginning so much is kept, for orientation. */
const CONTEXT = 24

/**
 * Expected above actual with the difference marked by `^^^`, and highlighted where there is colour: not every log
 * that shows colours shows highlights.
 */
export function diffLines(expected: string, actual: string, page: Page): string[] {
  const parts = difference(expected, actual)
  const room = page.width - textColumn
  const marked = isWorthMarking(parts)
  const { prefix, suffix } = parts
  if (!marked)
    return [
      ...plainLines('expected', [...prefix, ...parts.expected, ...suffix].join(''), page),
      ...plainLines('actual', [...prefix, ...parts.actual, ...suffix].join(''), page),
    ]
  const whole = displayWidth(parts.prefix.join(''))
  const cutHead = whole > CONTEXT && displayWidth([...parts.prefix, ...parts.expected].join('')) > room - 8
  const head = cutHead ? `…${parts.prefix.slice(1 - CONTEXT).join('')}` : parts.prefix.join('')

  const { colors } = page
  const side = (
    middle: readonly string[],
    plain: (text: string) => string,
    strong: (text: string) => string,
  ) => {
    const body = ellipsis(middle.join(''), Math.max(8, room - displayWidth(head)))
    const tail = ellipsis(parts.suffix.join(''), Math.max(1, room - displayWidth(head + body)))
    const text = body !== '' ? plain(head) + strong(body) + plain(tail) : plain(head + tail)
    const mark = `${' '.repeat(displayWidth(head))}${'^'.repeat(Math.max(1, displayWidth(body)))}`
    return { text: text === '' ? colors.dim('(empty)') : text, mark }
  }
  const want = side(parts.expected, colors.green, (text) => colors.inverse(colors.green(text)))
  const got = side(parts.actual, colors.red, (text) => colors.inverse(colors.red(text)))
  // What is missing can only be marked where it is not missing.
  const above = parts.actual.length === 0
  return [
    ...labelled('expected', above ? [want.text, colors.green(want.mark)] : [want.text], page),
    ...labelled('actual', !above ? [got.text, colors.red(got.mark)] : [got.text], page),
  ]
}
