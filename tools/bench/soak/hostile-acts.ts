import { setTimeout as after } from 'node:timers/promises'
import type { Connection, RawResponse } from './connection.js'
import { aLogin, oneOf } from './sound-requests.js'

/** What a hostile client got, and what it must get; nothing where it did not wait for it. */
export interface Played {
  readonly answers: readonly RawResponse[]
  readonly statuses: readonly number[]
}

type Act = (connection: Connection, random: () => number) => Promise<Played>

const headOf = (...lines: readonly string[]): string =>
  ['POST /Token HTTP/1.1', ...lines, '', ''].join('\r\n')

/** What is no request, and the answer that ends its connection. */
const broken: readonly (readonly [bytes: string, status: number])[] = [
  ['\xff\xfe\x00\r\n\r\n', 400],
  ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['GET /\r\n\r\n', 400],
  ['CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['GET / HTTP/2.0\r\nHost: x\r\n\r\n', 400],
  [headOf('X: y'), 400],
  [headOf('Host: x', 'Host: y'), 400],
  [headOf('Host: x', 'Content-Length: 5, 5'), 400],
  [headOf('Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'), 400],
  [headOf('Host: x', 'Transfer-Encoding: gzip, chunked'), 400],
  [`${headOf('Host: x', 'Transfer-Encoding: chunked')}zz\r\n`, 400],
  [headOf('Host: x', 'X: a\0b'), 400],
  [headOf('Host: x', `X: ${'v'.repeat(20_000)}`), 431],
]

const form = 'Content-Type: application/x-www-form-urlencoded'

/** Too much of a body, told before or found out. */
const oversized: readonly string[] = [
  headOf('Host: x', form, 'Content-Length: 9999999999'),
  headOf('Host: x', form, 'Content-Length: 70000') + 'x'.repeat(70_000),
  headOf('Host: x', form, 'Transfer-Encoding: chunked') + `1000\r\n${'x'.repeat(4096)}\r\n`.repeat(64),
]

/** Reads until the server ends the connection. */
async function sendAll(connection: Connection, bytes: string, statuses: readonly number[]): Promise<Played> {
  void connection.send(bytes)
  return { answers: await connection.rest(), statuses }
}

async function sendAndEnd(connection: Connection, bytes: string, status: number): Promise<Played> {
  void connection.send(bytes)
  connection.end()
  return { answers: await connection.rest(), statuses: [status] }
}

const somewhere = (bytes: string, random: () => number): number =>
  1 + Math.floor(random() * (bytes.length - 1))

/** Ways to be a burden, and how many in a hundred hostile clients choose each. */
const acts: readonly (readonly [share: number, act: Act])[] = [
  [25, (connection, random) => sendAll(connection, ...asPlayed(oneOf(broken, random)))],
  [10, (connection, random) => sendAll(connection, oneOf(oversized, random), [413])],
  // The client's side ends with the request, or in the middle of it.
  [15, (connection) => sendAndEnd(connection, aLogin, 200)],
  [10, (connection, random) => sendAndEnd(connection, aLogin.slice(0, somewhere(aLogin, random)), 400)],
  [25, resetAnywhere],
  [
    10,
    (connection, random) => {
      const before = Math.floor(random() * 5)
      const [bytes, status] = oneOf(broken, random)
      const statuses = [...Array<number>(before).fill(200), status]
      return sendAll(connection, aLogin.repeat(before) + bytes + aLogin, statuses)
    },
  ],
  [4, unread],
  [1, slow],
]

function asPlayed([bytes, status]: readonly [string, number]): [string, readonly number[]] {
  return [bytes, [status]]
}

/** Gone while a request is on its way, or its answer, or that to what is none. */
async function resetAnywhere(connection: Connection, random: () => number): Promise<Played> {
  const bytes = aLogin.repeat(2) + oneOf(broken, random)[0]
  await connection.send(random() < 0.5 ? bytes : bytes.slice(0, somewhere(bytes, random)))
  await connection.reset()
  return { answers: [], statuses: [] }
}

/** Asks a great deal at once, and takes the answers late. */
async function unread(connection: Connection): Promise<Played> {
  const count = 150
  connection.pause()
  await connection.send(aLogin.repeat(count))
  await after(20)
  connection.end()
  connection.resume()
  return { answers: await connection.rest(), statuses: Array<number>(count).fill(200) }
}

/** Sends a header byte by byte, until the answer says that this takes too long. */
async function slow(connection: Connection): Promise<Played> {
  await connection.send('POST /Token HTTP/1.1\r\nX: ')
  for (let sent = 0; sent < 400 && connection.isOpen(); sent++) {
    await connection.send('x')
    await after(50)
  }
  return { answers: await connection.rest(), statuses: [408] }
}

/** One of them, chosen by chance. */
export function playHostileAct(connection: Connection, random: () => number): Promise<Played> {
  let left = random() * acts.reduce((sum, [share]) => sum + share, 0)
  for (const [share, act] of acts) {
    left -= share
    if (left < 0) return act(connection, random)
  }
  throw new RangeError('the shares do not add up')
}
