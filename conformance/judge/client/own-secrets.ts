import type { Exchange } from '../../exchange/exchange.js'
import { decoded } from '../../exchange/form.js'
import { credentialsIn } from '../../exchange/header-credentials.js'
import { sentCredentials } from './sent-values.js'

/** Characters that say which password was meant. */
const TELLING = 4

/**
 * What a client sent that is its own secret: another password than it was given, such as that of a real account, or a
 * secret that it is configured with.
 * @param given the passwords that the suite gave it, which are shown, also as the client garbled them
 * @param tokens that it was given
 */
export function ownSecretsOf(
  exchanges: readonly Exchange[],
  given: readonly string[],
  tokens: ReadonlyMap<string, unknown>,
) {
  const sent = exchanges
    .flatMap(sentCredentials)
    .filter(([, value]) => !tokens.has(value) && !given.some((password) => resembles(value, password)))
    .map(([, value]) => value)
  const known = [...given, ...tokens.keys()]
  const inHeaders = exchanges
    .flatMap(({ request }) => credentialsIn(request.headers))
    .filter((value) => !known.some((text) => value.includes(text)))
  return [...new Set([...sent, ...inHeaders])].map((value) => ({ value, label: 'secret of the client' }))
}

/** Whether it may be that password, escaped, cut, or in another charset. */
function resembles(value: string, password: string): boolean {
  const begin = plain(password).slice(0, TELLING)
  return [value, decoded(value)].some((one) => begin.startsWith(plain(one).slice(0, TELLING) || one))
}

/** Its letters and digits of ASCII, which no escaping changes. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
}
