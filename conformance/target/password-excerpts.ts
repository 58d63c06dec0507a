/** A password, what PHP's stack traces show of a long one, and ASP.NET's refusal of what looks like HTML. */
export function withExcerpts(password: string): readonly string[] {
  const html = password.search(/<[A-Za-z!/?]|&#/)
  const middle =
    html < 0 ? '' : password.slice(Math.max(0, html - SHOWN_BY_ASP_NET.before), html + SHOWN_BY_ASP_NET.after)
  return [password, ...[beginOf(password), middle].filter((text) => text !== '' && text !== password)]
}

/** The first 15 bytes of a longer secret, in whole characters; else nothing. */
export function beginOf(secret: string): string {
  const bytes = Buffer.from(secret)
  return bytes.length > SHOWN_BY_PHP
    ? bytes
        .subarray(0, SHOWN_BY_PHP)
        .toString()
        .replace(/\ufffd$/, '')
    : ''
}

/** Bytes of an argument (`zend.exception_string_param_max_len`). */
const SHOWN_BY_PHP = 15
/** Characters before and from the one that is "potentially dangerous". */
const SHOWN_BY_ASP_NET = { before: 10, after: 20 }
