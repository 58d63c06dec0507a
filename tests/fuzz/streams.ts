import fc, { type Arbitrary } from 'fast-check'
import { anyBytes } from './form-bodies.js'
import { form } from './media-types.js'
import { accounts } from './oracle-state.js'
import { request } from './requests.js'

/** One change of a stream's bytes, at a place told in thousandths of its length. */
interface Damage {
  readonly at: number
  readonly removed: number
  readonly inserted: string
}

const damage: Arbitrary<Damage> = fc.record({
  at: fc.nat(1000),
  removed: fc.constantFrom(0, 0, 1, 1, 2, 20, 1e9),
  inserted: fc.oneof(
    fc.constantFrom('', '\r', '\n', '\r\n', '\r\n\r\n', ' ', '\0', ':', '0', '\xff', 'HTTP/1.1', '\n\n'),
    anyBytes(4),
  ),
})

function harm(bytes: string, { at, removed, inserted }: Damage): string {
  const place = Math.floor((bytes.length * at) / 1000)
  return bytes.slice(0, place) + inserted + bytes.slice(place + removed)
}

/** What may come between requests, and before the first. */
const between = fc.constantFrom('', '', '', '', '', '\r\n', '\r\n\r\n', '\n')

/** Requests one after the other, as a client pipelines them. */
export const pipeline: Arbitrary<string> = fc
  .array(fc.tuple(between, request), { minLength: 1, maxLength: 6 })
  .map((all) => all.map(([gap, bytes]) => gap + bytes).join(''))

/** A stream with up to so many of its bytes changed, lost, or come to them. */
export function damagedOf(
  stream: Arbitrary<string>,
  limits: { minLength: number; maxLength: number },
): Arbitrary<string> {
  return fc.tuple(stream, fc.array(damage, limits)).map(([bytes, damages]) => damages.reduce(harm, bytes))
}

/** Pipelined requests with damage. */
export const damaged: Arbitrary<string> = damagedOf(pipeline, { minLength: 1, maxLength: 3 })

/** What is hardly HTTP at all. */
export const noise: Arbitrary<string> = fc.oneof(
  anyBytes(300),
  fc.constantFrom(
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /\r\n',
    '\r\n'.repeat(100),
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    'x'.repeat(100_000),
    'SSH-2.0-OpenSSH_9.6\r\n',
  ),
)

/** Any stream that a hostile client may send. */
export const hostileStream: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: pipeline },
  { weight: 4, arbitrary: damaged },
  { weight: 1, arbitrary: noise },
)

/** A request for a token, with nothing wrong. */
export function loginOf({
  userName,
  password,
}: {
  readonly userName: string
  readonly password: string
}): string {
  const body = new URLSearchParams({ grant_type: 'password', username: userName, password }).toString()
  const headers = ['Host: x', `Content-Type: ${form}`, `Content-Length: ${body.length}`]
  return ['POST /Token HTTP/1.1', ...headers, '', body].join('\r\n')
}

/** So many logins in one pipeline, each of them in vain or not. */
export function logins(count: number): Arbitrary<string> {
  const login = fc
    .tuple(fc.constantFrom(...accounts), fc.constantFrom(...accounts))
    .map(([{ userName }, { password }]) => loginOf({ userName, password }))
  return fc.array(login, { minLength: count, maxLength: count }).map((all) => all.join(''))
}
