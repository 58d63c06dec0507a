/**
 * Whether a service may take a password for the one that was set: NIST SP 800-63B 3.1.1.2 forgives outer white space and the case
 * of the first letter, RFC 8265 makes a text and its composed twin one, and HMAC pads with NULs.
 */
export function isForgiven(sent: string, set: string): boolean {
  return forgiving(sent) === forgiving(set)
}

function forgiving(password: string): string {
  const [first = '', ...rest] = [
    ...password
      .normalize()
      .replace(/(?<!\0)\0+$/, '')
      .trim(),
  ]
  // Upper case last: the capital of `ß` is `SS`, and both must come to the same.
  return first.toLowerCase().toUpperCase() + rest.join('')
}
