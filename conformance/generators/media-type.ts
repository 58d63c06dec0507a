import { MIMEType } from 'node:util'
import fc from 'fast-check'
import { plain } from '../session/text.js'
import type { Generator } from './generator.js'
import { isValidGrant } from './oracle.js'

const RIGHT = 'application/x-www-form-urlencoded'

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
      .map(([upper, charset]) =>
        [...RIGHT]
          .map((char, at) => (upper[at] ? char.toUpperCase() : char))
          .join('')
          .concat(charset),
      ),
  bind: plain,
  show: (value) => value,
  promises: (request, scope) => {
    const value = request.headers.find(([name]) => name === 'Content-Type')?.[1] ?? ''
    const type = new MIMEType(value)
    const charset = type.params.get('charset')
    return isValidGrant(request, scope) && (charset === null || charset.toLowerCase() === 'utf-8')
  },
}
