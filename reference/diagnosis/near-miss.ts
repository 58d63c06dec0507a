/** White space, and what takes no room on a screen: control and format characters. */
const unseen = /[\s\p{Cc}\p{Cf}]/u
const unseenAtStart = /^[\s\p{Cc}\p{Cf}]+/u
const unseenAtEnd = /[\s\p{Cc}\p{Cf}]+$/u

/**
 * How a text misses the one that was wanted, as the end of a sentence that begins with its name; `undefined` where it
 * is not near. The text itself is not quoted: it may be a password in the wrong place.
 */
export function nearMiss(text: string, wanted: string): string | undefined {
  if (text === wanted) return undefined
  if (text === '') return 'is empty'
  const trimmed = text.replace(unseenAtStart, '').replace(unseenAtEnd, '')
  if (trimmed === wanted) return atItsEnds(text)
  if (text.replaceAll(new RegExp(unseen, 'gu'), '') === wanted)
    return 'holds white space or an invisible character'
  if (text.toLowerCase() === wanted.toLowerCase()) return 'differs in case'
  if (/^(["'`]).*\1$/s.test(text) && text.slice(1, -1) === wanted) return 'stands in quotes'
  if (unescaped(text) === wanted) return 'is escaped twice'
  if (text.normalize('NFKC') === wanted.normalize('NFKC'))
    return 'is written in other characters that look alike'
  return undefined
}

/** Where a text begins or ends with what nobody sees; `undefined` where it does not. */
export function unseenEnds(text: string): string | undefined {
  return unseenAtStart.test(text) || unseenAtEnd.test(text) ? atItsEnds(text) : undefined
}

function atItsEnds(text: string): string {
  const ends = [
    ...(unseenAtStart.test(text) ? ['begins'] : []),
    ...(unseenAtEnd.test(text) ? ['ends'] : []),
  ].join(' and ')
  return `${ends} with ${kindOf((unseenAtEnd.exec(text) ?? unseenAtStart.exec(text))?.[0] ?? '')}`
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
