import type { HeaderList } from '../../spec/model/report.js'
import { decoded } from './form.js'

/** Of anyone, a service among them. */
export const SECRET_HEADER = /^(?:proxy-)?authorization$|^cookie$|^set-cookie2?$/i
/** Of a client, which may have secrets of its own. */
const SECRET_HEADER_OF_CLIENTS =
  /^(?:.*authorization|.*authentication|dpop|cookie|.*(?:key|token|secret|auth|signature|password|session|session[-_]?id|credential|assertion|jwt)s?)$/i
/** A value that says by itself what it is, whatever the header is called. */
const SCHEME =
  /^(?:aws4-[\w-]+|basic|bearer|digest|dpop|(?:api-?)?key|hawk|hmac|mac|negotiate|ntlm|secret|signature|token)[ =]/i
/** A shorter value, such as `true`, is in other texts by chance. */
const MIN_CREDENTIAL = 6
/** Parameters of a scheme (RFC 9110, section 11.4), or of a key. */
const PARAMETER = /(?<![\w-])[\w-]+="?([^\s",;]+)/g

/** Whether a request names itself by the value of this header. */
export function isCredentialHeader(name: string): boolean {
  return SECRET_HEADER.test(name) || SECRET_HEADER_OF_CLIENTS.test(name)
}

/** The credentials in headers, each as a whole and by its parts: a service may repeat either. */
export function credentialsIn(headers: HeaderList): readonly string[] {
  return headers
    .filter(([name, text]) => isCredentialHeader(name) || SCHEME.test(text))
    .flatMap(([name, text]) => valuesIn(name, text))
    .flatMap((value) => [value, ...Array.from(value.matchAll(PARAMETER), ([, own = '']) => own)])
    .filter((value) => value.length >= MIN_CREDENTIAL)
}

/** What a header's value holds: the password of Basic, each cookie, or the whole and what follows a scheme. */
export function valuesIn(name: string, text: string): readonly string[] {
  const [, credentials] = /^basic +([A-Za-z\d+/=_-]+)$/i.exec(text) ?? []
  if (credentials !== undefined) {
    const pair = Buffer.from(credentials, 'base64').toString('utf8')
    return [pair.slice(pair.indexOf(':') + 1), pair]
  }
  if (/^cookie$/i.test(name))
    return text.split(';').map((pair) => {
      const value = pair.slice(pair.indexOf('=') + 1).trim()
      return decoded(value.replace(/^"(.*)"$/, '$1'))
    })
  // After a scheme may be several spaces (RFC 6750, section 2.1).
  return [text, text.replace(/^[^ ]* +/, '')]
}
