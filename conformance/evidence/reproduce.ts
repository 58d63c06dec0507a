import type { Account, Deployment } from '../deployment.js'
import type { PreparedRequest } from '../session/template.js'
import { isSecret } from '../session/text.js'
import type { Redactor } from './redact.js'
import { type ShellText, secretVariables, shellText } from './shell-text.js'

const HAS_CONTROLS = /[\x00-\x1f\x7f]/

/**
 * A `curl` that sends the request again. Secrets are taken from the environment; what is derived from a password is
 * named, not spelled, and `--replay` repeats it exactly.
 */
export function reproduce(
  prepared: PreparedRequest,
  target: Pick<Deployment, 'baseUrl' | 'headers' | 'tls'>,
  redactor: Redactor,
  accounts: readonly [Account, ...Account[]],
): string {
  const variables = secretVariables(accounts, target.headers)
  const text = (shown: string): ShellText => shellText(redactor.text(shown), variables)
  const word = (shown: string): string => text(shown).word
  const words = ['curl', '-i', '--path-as-is', '-X', prepared.method]
  if (target.tls?.rejectUnauthorized === false) words.push('-k')
  const headers = [...target.headers, ...prepared.headers]
  for (const [name, value] of headers) words.push('-H', word(`${name}: ${value}`))
  const sendsBody = prepared.wire.body !== undefined
  if (sendsBody && !prepared.headers.some(([name]) => name.toLowerCase() === 'content-type'))
    words.push('-H', word('Content-Type:'))
  for (const { name, value, spelled } of prepared.form ?? []) {
    if (isSecret(value)) words.push('--data-urlencode', word(`${name.wire}=${value.shown}`))
    else words.push('--data-raw', word(spelled.shown))
  }
  const body = prepared.shownBody ?? ''
  const piped = HAS_CONTROLS.test(body)
  if (sendsBody && (prepared.form ?? []).length === 0) words.push('--data-binary', piped ? '@-' : word(body))
  const [path = '', query = ''] = prepared.shownPath.split('?', 2)
  const pairs = query === '' ? [] : query.split('&')
  const inClear = pairs.filter((pair) => !pair.includes('‹')).join('&')
  // What a variable holds is not encoded yet.
  for (const pair of pairs) if (pair.includes('‹')) words.push('--url-query', word(pair))
  words.push(word(new URL(target.baseUrl).origin + path + (inClear === '' ? '' : `?${inClear}`)))
  // A line break inside quotes would tear the command apart when it is copied.
  return piped ? `${text(body).printf} | ${words.join(' ')}` : words.join(' ')
}
