/** The end of an output, in whole lines: where a secret is cut in two, no redactor finds the half. */
export function linesAtEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.slice(-maxLength)
  const first = end.indexOf('\n')
  return first === -1 ? '' : end.slice(first + 1)
}
