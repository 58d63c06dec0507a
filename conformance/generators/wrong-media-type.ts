import fc from 'fast-check'
import { plain } from '../session/text.js'
import type { Generator } from './generator.js'
import { mutations } from './mutations.js'
import { hasOtherMediaType } from './oracle.js'

const RIGHT = 'application/x-www-form-urlencoded'
const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789-.+_'

/** 4.1-content-type: any other valid media type is refused, even with a perfect form. */
export const wrongMediaType: Generator<string> = {
  name: 'wrong-media-type',
  statement: 'valid media types near the right one, the usual others, and random ones',
  examples: () => EXAMPLES,
  arbitrary: () => ARBITRARY,
  bind: plain,
  show: (value) => value,
  promises: hasOtherMediaType,
}

const EXAMPLES: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/plain;charset=UTF-8',
  'multipart/form-data; boundary=token-assay',
  'application/x-www-form-urlencode',
  'application/x-www-form-urlencodedd',
  'application/x-www-form-urlencoded2',
  'application/x-www-form-urlencoded+json',
  'application/x-www-form-urlencoded-v2',
  'application/x-www-form-urlencoded.',
  'application/x-www-form',
  'application/x-www-form-url-encoded',
  'application/www-form-urlencoded',
  'application/form-urlencoded',
  'application/x-url-encoded',
  'application/x_www_form_urlencoded',
  'pplication/x-www-form-urlencoded',
  'xapplication/x-www-form-urlencoded',
  'text/x-www-form-urlencoded',
  'application/json; type="application/x-www-form-urlencoded"',
  'text/plain; charset=UTF-8; note="application/x-www-form-urlencoded"',
  'application/xml',
  'text/xml',
  'text/html',
  'text/json',
  'application/octet-stream',
  'application/jwt',
  'application/vnd.api+json',
  'application/javascript',
  'application/graphql',
  'application/cbor',
  'image/png',
  'a/b',
]

const token = fc.string({ unit: fc.constantFrom(...TOKEN), minLength: 1, maxLength: 24 })

const ARBITRARY = fc.oneof(
  mutations(RIGHT, TOKEN),
  fc.tuple(fc.constantFrom('application', 'text', 'image', 'x'), token).map((pair) => pair.join('/')),
  fc.tuple(token, token).map((pair) => pair.join('/')),
  // So that an example shrinks too; what is no valid media type is passed over.
  fc.string({ unit: fc.constantFrom(...TOKEN, '/', ';', '=', ' ', '"'), minLength: 3, maxLength: 80 }),
)
