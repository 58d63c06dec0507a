/** `1 rule`, `2 rules`, `12,000 rules`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(n)} ${n === 1 ? noun : plural}`
}

/** `840 ms`, `3.2 s`, `2 min 5 s`. */
export function duration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The first few of a list, and how many more there are. */
export function firstFew(items: readonly string[], most: number): string {
  const more = items.length - most
  // "and 1 more" would take the place of the one.
  if (more <= 1) return items.join(', ')
  return `${items.slice(0, most).join(', ')} and ${grouped(more)} more`
}

/** One word for a POSIX shell. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** `12,000`. By hand: the first formatter of `Intl` costs 10 ms. */
function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
