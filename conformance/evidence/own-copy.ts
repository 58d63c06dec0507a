/**
 * The same text in memory of its own. A part of a string is a view of the whole to the engine: who keeps a token for long
 * would keep the answer that it was in.
 */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1)
}
