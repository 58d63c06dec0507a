import { isCredentialName } from '../../evidence/hidden-fields.js'
import type { Exchange } from '../../exchange/exchange.js'
import { requestOf } from '../../exchange/http-request.js'
import { parseForm } from '../../exchange/parse-form.js'
import { decoded } from './exposed-secrets.js'
import { sentValues } from './sent-values.js'

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
  tokens: { readonly has: (text: string) => boolean },
) {
  const values = exchanges.flatMap((exchange) => [
    ...sentValues(exchange),
    ...parseForm(Buffer.from(requestOf(exchange).query, 'latin1')).pairs,
  ])
  const own = values.filter(
    ([name, value]) =>
      isCredentialName(name) && !tokens.has(value) && !given.some((password) => resembles(value, password)),
  )
  return [...new Set(own.map(([, value]) => value))].map((value) => ({
    value,
    label: 'secret of the client',
  }))
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
