import fc, { type Arbitrary } from 'fast-check'
import { anyBytes, formBody } from './form-bodies.js'
import { framed, framing } from './framings.js'
import { accountBody, signInBody, strangeJson } from './json-bodies.js'
import { form, json } from './media-types.js'
import { otherMethod, otherTarget, otherType, otherVersion, strangeHeader } from './strange-parts.js'
import { weighted } from './weighted.js'

const tooLong = fc.constantFrom('x'.repeat(4097), 'grant_type=password&'.repeat(300))

type Meant = readonly [path: string, type: string, body: string]

const meantFor = (path: string, type: string, bodies: Arbitrary<string>): Arbitrary<Meant> =>
  bodies.map((body) => [path, type, body] as const)

/** Bodies with the endpoint that they are for, and now and then for none. */
const meant: Arbitrary<Meant> = fc.oneof(
  { weight: 12, arbitrary: meantFor('/Token', form, formBody) },
  { weight: 4, arbitrary: meantFor('/accounts', json, accountBody) },
  { weight: 3, arbitrary: meantFor('/external-login', json, signInBody) },
  { weight: 1, arbitrary: meantFor('/accounts', json, strangeJson) },
  { weight: 1, arbitrary: meantFor('/external-login', json, strangeJson) },
  { weight: 1, arbitrary: meantFor('/Token', form, anyBytes(200)) },
  { weight: 1, arbitrary: meantFor('/Token', form, tooLong) },
  { weight: 1, arbitrary: meantFor('/accounts', json, tooLong) },
)

/** A request as bytes, one a character: most have little wrong with them, or nothing. */
export const request: Arbitrary<string> = fc
  .record({
    meant,
    target: weighted(undefined, otherTarget, 16),
    method: weighted('POST', otherMethod, 20),
    version: weighted(' HTTP/1.1', otherVersion, 30),
    types: weighted(undefined, fc.array(otherType, { maxLength: 2 }), 12),
    strange: weighted([], fc.array(strangeHeader, { minLength: 1, maxLength: 2 }), 10),
    framing,
    order: fc.nat(3),
  })
  .map(
    ({
      meant: [path, type, body],
      target = path,
      method,
      version,
      types = [type],
      strange,
      framing: how,
      order,
    }) => {
      const [lengths, bytes] = framed(body, how)
      const headers = ['Host: x', ...types.map((one) => `Content-Type: ${one}`), ...lengths, ...strange]
      const turned = [...headers.slice(order), ...headers.slice(0, order)]
      return [`${method} ${target}${version}`, ...turned, '', bytes].join('\r\n')
    },
  )
