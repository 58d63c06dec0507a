/** The end of an output, in whole lines: where a secret is cut in two, no redactor finds the half. */
export function linesAtEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.slice(-maxLength)
  const first = end.indexOf('\n')
  return first === -1 ? '' : end.slice(first + 1)
}

/** An output without the line at its end that is not whole. */
export function linesAtBeginning(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
