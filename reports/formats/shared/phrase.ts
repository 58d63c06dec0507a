import { grouped } from '../../../spec/model/items.js'
import type { Counterexample, Result } from '../../../spec/model/report.js'

/** `1 rule`, `2 rules`, `12,000 rules`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(n)} ${n === 1 ? noun : plural}`
}

/** The text as it begins a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `840 ms`, `3.2 s`, `2 min 5 s`. */
export function duration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The first few of a list, and how many more there are. */
export function firstFew(items: readonly string[], max: number): string {
  const more = items.length - max
  // "and 1 more" would be no shorter than the item itself.
  if (more <= 1) return items.join(', ')
  return `${items.slice(0, max).join(', ')} and ${grouped(more)} more`
}

/** What a reader calls a result: its id, without a deployment that the case repeats. */
export function nameOf({
  id,
  case: testCase,
  deployment,
}: Pick<Result, 'id' | 'case' | 'deployment'>): string {
  return testCase.startsWith(`${deployment}:`) ? testCase : id
}

/** How a counterexample was found, and whether it broke the rule again. */
export function originOf({ shrinks, seed, path, held }: Counterexample): string {
  const found = shrinks === 0 ? 'as generated' : `shrunk ${count(shrinks, 'time')}`
  return [`${found}; seed ${seed}, path ${path}`, ...(held === undefined ? [] : [heldPhrase(held)])].join(
    '; ',
  )
}

function heldPhrase({ times, of }: NonNullable<Counterexample['held']>): string {
  const again = of === 1 ? 'sent again once' : `sent again ${of} times`
  if (times === of) return `${again}, with the same failure`
  return times === 0
    ? `${again}, without the failure`
    : `${again}, with the same failure ${times} of ${of} times`
}

/** One word for a POSIX shell. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** The same, in quotes only where it needs them. */
export function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : shellQuote(word)
}
