import type { Deployment } from './deployment.js'
import type { Redactor } from './redact.js'
import type { PreparedRequest } from './template.js'
import { isSecret } from './text.js'

const HAS_CONTROLS = /[\x00-\x1f\x7f]/

/**
 * A `curl` that sends the request again. Passwords are taken from the environment; what is derived from one is named,
 * not spelled, and `--replay` repeats it exactly.
 */
export function reproduce(
  prepared: PreparedRequest,
  deployment: Pick<Deployment, 'baseUrl' | 'headers' | 'tls'>,
  redactor: Redactor,
): string {
  const words = ['curl', '-i', '--path-as-is', '-X', prepared.method]
  if (deployment.tls?.rejectUnauthorized === false) words.push('-k')
  const headers = [...deployment.headers, ...prepared.headers]
  for (const [name, value] of headers) words.push('-H', quote(redactor.text(`${name}: ${value}`)))
  const sendsBody = prepared.wire.body !== undefined
  if (sendsBody && !prepared.headers.some(([name]) => name.toLowerCase() === 'content-type'))
    words.push('-H', quote('Content-Type:'))
  for (const { name, value, spelled } of prepared.form ?? []) {
    if (value.variable !== undefined) words.push('--data-urlencode', `"${name.wire}=$${value.variable}"`)
    else if (isSecret(value))
      words.push('--data-urlencode', quote(redactor.text(`${name.wire}=${value.shown}`)))
    else words.push('--data-raw', quote(redactor.text(spelled.shown)))
  }
  const body = redactor.text(prepared.shownBody ?? '')
  const piped = HAS_CONTROLS.test(body)
  if (sendsBody && (prepared.form ?? []).length === 0) words.push('--data-binary', piped ? '@-' : quote(body))
  words.push(quote(redactor.text(new URL(deployment.baseUrl).origin + prepared.shownPath)))
  // A line break inside quotes would tear the command apart when it is copied.
  return piped ? `printf ${quote(forPrintf(body))} | ${words.join(' ')}` : words.join(' ')
}

function forPrintf(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[\x00-\x1f\x7f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

/** One word for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
