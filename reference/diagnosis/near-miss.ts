/** White space, and what takes no room on a screen: control and format characters. */
const UNSEEN = '[\\s\\p{Cc}\\p{Cf}]'
const allUnseen = new RegExp(UNSEEN, 'gu')
const unseenStart = new RegExp(`^${UNSEEN}*`, 'u')
/** From its first character alone: from each of a run of 60,000 spaces it would take seconds. */
const unseenEnd = new RegExp(`(?<!${UNSEEN})${UNSEEN}*$`, 'u')

/** A text of which every character is escaped is thrice as long; what is longer by more than this is not near. */
const longestMiss = 64

/**
 * How a text misses the one that was wanted, as the end of a sentence that begins with its name; `undefined` where it
 * is not near. The text itself is not quoted: it may be a password in the wrong place.
 */
export function nearMiss(text: string, wanted: string): string | undefined {
  // A text of 64 KiB must not keep the server busy.
  if (text === wanted || text.length > wanted.length * 3 + longestMiss) return undefined
  if (text === '') return 'is empty'
  const { start, end } = seenPart(text)
  if (text.slice(start, end) === wanted) return atItsEnds(text)
  if (text.replaceAll(allUnseen, '') === wanted) return 'holds white space or an invisible character'
  if (text.toLowerCase() === wanted.toLowerCase()) return 'differs in case'
  if (/^(["'`]).*\1$/s.test(text) && text.slice(1, -1) === wanted) return 'is in quotes'
  if (unescaped(text) === wanted) return 'is escaped twice'
  if (text.normalize('NFKC') === wanted.normalize('NFKC'))
    return 'is written in other characters that look alike'
  return undefined
}

/** Where a text begins or ends with what no one sees; `undefined` where it does not. */
export function unseenEnds(text: string): string | undefined {
  const { start, end } = seenPart(text)
  return start > 0 || end < text.length ? atItsEnds(text) : undefined
}

/** Where the first character that is seen begins, and the last one ends. Where none is, all of it counts as the end. */
function seenPart(text: string): { readonly start: number; readonly end: number } {
  const end = text.search(unseenEnd)
  return { start: end === 0 ? 0 : (unseenStart.exec(text)?.[0].length ?? 0), end }
}

function atItsEnds(text: string): string {
  const { start, end } = seenPart(text)
  const ends = [...(start > 0 ? ['begins'] : []), ...(end < text.length ? ['ends'] : [])].join(' and ')
  return `${ends} with ${kindOf(end < text.length ? text.slice(end) : text.slice(0, start))}`
}

function kindOf(run: string): string {
  if (/^ +$/.test(run)) return 'a space'
  if (/^[\r\n]+$/.test(run)) return 'a line break'
  if (/^\0+$/.test(run)) return 'a NUL character'
  if (/^\uFEFF+$/.test(run)) return 'a byte order mark'
  return 'white space or an invisible character'
}

/** What the text says once its `%` escapes are undone; `undefined` where one cannot be. */
export function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
