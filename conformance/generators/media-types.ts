import { MIMEType } from 'node:util'
import fc from 'fast-check'
import { plain } from '../exchange/redactable-text.js'
import { mutations } from './characters.js'
import type { Generator } from './generator.js'
import { hasOtherMediaType, isValidGrant } from './oracle.js'

const RIGHT = 'application/x-www-form-urlencoded'
const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789-.+_'

/**
 * 4.1-content-type-spelling: the right media type in other letter case and with `charset=UTF-8`. RFC 9110 has more
 * spellings (tabs, quotes, space before the semicolon), which no client is known to send.
 */
export const mediaType: Generator<string> = {
  name: 'media-type',
  statement: 'the right media type in other letter case, and with `charset=UTF-8`',
  examples: () => [
    `${RIGHT}; charset=UTF-8`,
    `${RIGHT};charset=utf-8`,
    RIGHT.toUpperCase(),
    'Application/X-WWW-Form-URLEncoded',
    `${RIGHT}; Charset=utf-8`,
    `${RIGHT.toUpperCase()};CHARSET=UTF-8`,
  ],
  arbitrary: () =>
    fc
      .tuple(
        fc.array(fc.boolean(), { minLength: RIGHT.length, maxLength: RIGHT.length }),
        fc.constantFrom('', ';charset=utf-8', '; charset=UTF-8', '; Charset=Utf-8'),
      )
      .map(([upper, charset]) => {
        const chars = [...RIGHT].map((char, at) => (upper[at] ? char.toUpperCase() : char))
        return chars.join('') + charset
      }),
  bind: plain,
  show: (value) => value,
  inScope: (request, scope) => {
    if (!isValidGrant(request, scope)) return false
    const value = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    const charset = new MIMEType(value).params.get('charset')
    return charset === null || charset.toLowerCase() === 'utf-8'
  },
}

/** 4.1-content-type: any other valid media type is refused, even with a perfect form. */
export const wrongMediaType: Generator<string> = {
  name: 'wrong-media-type',
  statement: 'valid media types near the right one, the usual others, and random ones',
  examples: () => OTHERS,
  arbitrary: () => RANDOM,
  bind: plain,
  show: (value) => value,
  inScope: hasOtherMediaType,
}

const OTHERS: readonly string[] = `
  text/plain | application/json | multipart/form-data; boundary=token-assay | application/x-www-form-urlencode
  | application/x-www-form-urlencoded+json | text/x-www-form-urlencoded | application/x_www_form_urlencoded
  | application/xml | application/vnd.api+x-www-form-urlencoded | application/octet-stream
  | application/x-www-form-urlencoded2 | text/plain; charset=UTF-8; note="application/x-www-form-urlencoded"
  | application/www-form-urlencoded | xapplication/x-www-form-urlencoded | a/b
  | application/json; charset=utf-8 | text/plain;charset=UTF-8
  | application/json; charset=ISO-8859-1 | multipart/form-data
  | application/x-www-form-urlencodedd | application/x-www-form-urlencoded-v2
  | application/x-www-form-urlencoded. | application/x-www-form | application/x-www-form-url-encoded
  | application/form-urlencoded | application/x-url-encoded
  | pplication/x-www-form-urlencoded | application/json; type="application/x-www-form-urlencoded"
  | text/xml | text/html | text/json | application/jwt
  | application/vnd.api+json | application/javascript | application/graphql | application/cbor | image/png
  | multipart/mixed; boundary=token-assay | application/soap+xml
`
  .split('|')
  .map((type) => type.trim())

const token = fc.string({ unit: fc.constantFrom(...TOKEN), minLength: 1, maxLength: 24 })

const RANDOM = fc.oneof(
  mutations(RIGHT, TOKEN),
  fc.tuple(fc.constantFrom('application', 'text', 'image', 'x'), token).map((pair) => pair.join('/')),
  fc.tuple(token, token).map((pair) => pair.join('/')),
  // So that an example shrinks too; what is no valid media type is passed over.
  fc.string({ unit: fc.constantFrom(...TOKEN, '/', ';', '=', ' ', '"'), minLength: 3, maxLength: 80 }),
)
