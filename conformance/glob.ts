/** Whether a pattern matches the whole text: `*` stands for any characters, `/` too. Case-sensitive. */
export function matches(pattern: string, text: string): boolean {
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
