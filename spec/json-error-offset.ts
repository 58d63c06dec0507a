/**
 * The offset of the first character that makes a text invalid JSON, its length where it ends too early, or undefined
 * where it is valid. Node's own messages name the place only at times, and quote the text at others.
 */
export function jsonErrorOffset(text: string): number | undefined {
  if (verdict(text) === 'valid') return undefined
  // A text that cannot be continued to valid JSON stays so however it goes on: the border is found by halving.
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (verdict(text.slice(0, middle)) === 'broken') bad = middle
    else good = middle
  }
  return Math.min(good, text.length)
}

function verdict(text: string): 'valid' | 'unfinished' | 'broken' {
  try {
    JSON.parse(text)
    return 'valid'
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/unexpected end|unterminated/i.test(message)) return 'unfinished'
    // "… at position N": an error at the very end is one that more text could mend.
    return / at position (\d+)/.exec(message)?.[1] === String(text.length) ? 'unfinished' : 'broken'
  }
}
