/** Whether a pattern matches the whole text: `*` stands for any characters, `/` too. Case-sensitive. */
export function matchesGlob(pattern: string, text: string): boolean {
  // Greedy from the left; linear in the text for each star, so that no pattern is slow.
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === text
  if (!text.startsWith(head)) return false
  const tail = rest.pop() ?? ''
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - tail.length >= at && text.endsWith(tail)
}

/** One of several parts of a run, which together are the whole. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

const MOST_SHARDS = 1000

/** Reads `I/N`, as `--shard` takes it; undefined where it is none. */
export function parseShard(text: string): Shard | undefined {
  const [, first = '', second = ''] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []
  const [index, count] = [Number(first), Number(second)]
  return first !== '' && index <= count && count <= MOST_SHARDS ? { index, count } : undefined
}

export function showShard({ index, count }: Shard): string {
  return `${index}/${count}`
}
