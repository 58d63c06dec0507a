import { METHODS } from 'node:http'
import fc from 'fast-check'
import t from 'tap'
import { effort } from '../../../../tests/fixtures/effort.js'
import { readRequests } from '../../../../tests/fuzz/read-requests.js'
import { hostileStream, pipeline } from '../../../../tests/fuzz/streams.js'
import { type RequestHead, readRequestHead, readResponseHead } from './head.js'
import { MessageReader } from './message-reader.js'

interface Read {
  readonly messages: readonly { readonly head: RequestHead; readonly body: string }[]
  readonly problem: string | undefined
}

/** @param cuts where the bytes are divided, in thousandths */
function read(bytes: string, cuts: readonly number[] = []): Read {
  const messages: { head: RequestHead; body: string }[] = []
  let current: { head: RequestHead; body: string } | undefined
  let problem: string | undefined
  const reader = new MessageReader({
    onHead: (text) => {
      const head = readRequestHead(text)
      if (typeof head === 'string') {
        problem = head
        return undefined
      }
      current = { head, body: '' }
      return head.framing
    },
    onBody: (part) => {
      if (current !== undefined) current.body += part.toString('latin1')
    },
    onEnd: () => {
      if (current !== undefined) messages.push(current)
      current = undefined
    },
    onUnreadable: (why) => {
      problem = why
    },
  })
  const places = cuts.map((cut) => Math.floor((bytes.length * cut) / 1000)).sort((one, other) => one - other)
  for (const [index, from] of [0, ...places].entries())
    reader.read(Buffer.from(bytes.slice(from, places[index]), 'latin1'))
  return { messages, problem }
}

t.test('what is read is what RFC 9112 says, for any bytes', (t) => {
  let complete = 0
  const property = fc.property(hostileStream, (bytes) => {
    const { messages } = read(bytes)
    const { requests } = readRequests(bytes, 1e9)
    for (const [index, expected] of requests.entries()) {
      const message = messages[index]
      if (message === undefined) {
        // What a server may read in another way, and a URL of another place, is not read at all.
        return requests.some(({ maybe }) => maybe) || / https?:\/\//i.test(bytes)
      }
      complete++
      const { method, target, headers } = message.head
      if (method !== expected.method || target.split('?', 1)[0] !== expected.path) return false
      const types = headers
        .filter(([name]) => name.toLowerCase() === 'content-type')
        .map(([, value]) => value)
      if (types.join() !== expected.contentTypes.join() || message.body !== expected.body) return false
    }
    const next = messages[requests.length]
    if (next === undefined || requests.at(-1)?.closes) return true
    // The oracle knows no other methods than Node, and a tunnel is no request.
    return next.head.method === 'CONNECT' || !METHODS.includes(next.head.method)
  })
  fc.assert(property, { seed: 1, numRuns: effort(4000) })
  t.ok(complete > effort(4000) / 4, 'many requests are whole')
  t.end()
})

t.test('where bytes are divided changes nothing', (t) => {
  const cuts = fc.array(fc.nat(1000), { maxLength: 8 })
  fc.assert(
    fc.property(hostileStream, cuts, (bytes, places) => {
      t.strictSame(read(bytes, places), read(bytes), JSON.stringify(bytes))
    }),
    { seed: 2, numRuns: effort(1000) },
  )
  fc.assert(
    fc.property(
      pipeline.filter((bytes) => bytes.length < 3000),
      (bytes) => {
        const each = Array.from({ length: bytes.length }, (_, at) => Math.ceil((1000 * at) / bytes.length))
        t.strictSame(read(bytes, each), read(bytes))
      },
    ),
    { seed: 3, numRuns: effort(200) },
  )
  t.end()
})

t.test('what two readers may understand differently is read by none', (t) => {
  const post = 'POST /Token HTTP/1.1\r\nHost: x\r\n'
  const cases: readonly (readonly [bytes: string, problem: RegExp])[] = [
    [`${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, /more than one header says/],
    [`${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`, /more than one header says/],
    [`${post}Content-Length: +5\r\n\r\nhello`, /Content-Length is no number/],
    [`${post}Content-Length: 5, 5\r\n\r\nhello`, /Content-Length is no number/],
    [`${post}Transfer-Encoding: chunked, identity\r\n\r\n`, /Transfer-Encoding is not chunked/],
    [`${post}Transfer-Encoding: xchunked\r\n\r\n`, /Transfer-Encoding is not chunked/],
    [`POST /Token HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n`, /HTTP\/1\.0, which has no chunks/],
    [`${post}Transfer-Encoding : chunked\r\n\r\n`, /a line of its headers is malformed/],
    [`${post}X: a\r\n Content-Length: 5\r\n\r\n`, /a line of its headers is malformed/],
    [`${post}X: a\nContent-Length: 5\r\n\r\n`, /ends in LF without CR/],
    [`${post}X: a\0b\r\n\r\n`, /a line of its headers is malformed/],
    [`${post}Host: y\r\n\r\n`, /more than one Host/],
    ['GET / HTTP/1.1\r\n\r\n', /there is no Host/],
    ['GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', /not that of a request/],
    ['PRI * HTTP/2.0\r\n\r\n', /not that of a request/],
    [`${post}Transfer-Encoding: chunked\r\n\r\n5\r\nhellox\r\n0\r\n\r\n`, /longer than it says/],
    [`${post}Transfer-Encoding: chunked\r\n\r\n-5\r\n`, /size of a chunk is malformed/],
    [`${post}Transfer-Encoding: chunked\r\n\r\n5;a\x01\r\n`, /size of a chunk is malformed/],
    [`${post}Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n\r\n`, /a trailer is malformed/],
    [
      `${post}Transfer-Encoding: chunked\r\n\r\n0\r\n${`X: ${'x'.repeat(999)}\r\n`.repeat(5)}\r\n`,
      /trailers are longer/,
    ],
    [`${post}X: ${'x'.repeat(70_000)}`, /longer than 65536 bytes/],
    [`${post}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(5000)}`, /longer than 4096 bytes/],
  ]
  for (const [bytes, problem] of cases) t.match(read(bytes), { messages: [], problem }, bytes.slice(0, 100))
  t.end()
})

t.test('how an answer ends', (t) => {
  const framing = (text: string, method = 'POST') => {
    const head = readResponseHead(text, method)
    return typeof head === 'string' ? head : head.framing
  }
  const none = { kind: 'length', bytes: 0 }
  t.strictSame(framing('HTTP/1.1 200 OK\r\nContent-Length: 7'), { kind: 'length', bytes: 7 })
  t.strictSame(framing('HTTP/1.1 200 OK\r\nContent-Length: 7', 'HEAD'), none)
  t.strictSame(framing('HTTP/1.1 204 No Content'), none)
  t.strictSame(framing('HTTP/1.1 304 Not Modified\r\nContent-Length: 7'), none)
  t.strictSame(framing('HTTP/1.1 100 Continue'), none)
  t.strictSame(framing('HTTP/1.1 200'), { kind: 'close' })
  t.strictSame(framing('HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked'), { kind: 'chunked' })
  t.match(framing('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked'), /HTTP\/1\.0, which has no chunks/)
  t.match(framing('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Length: 8'), /more than one/)
  t.match(framing('HTTP/1.1 2000 OK'), /not that of a response/)
  t.match(framing('ICY 200 OK'), /not that of a response/)
  t.end()
})

t.test('a value may be followed by spaces and tabs, and costs no more than letters do', (t) => {
  const post = 'POST /Token HTTP/1.1\r\nHost: x\r\n'
  for (const length of ['5\t', '5 \t ', '\t5 ', ' 5'])
    t.match(read(`${post}content-length:${length}\r\n\r\nhello`), {
      messages: [{ body: 'hello' }],
      problem: undefined,
    })
  for (const coding of ['Chunked', ' CHUNKED\t'])
    t.match(read(`${post}TRANSFER-ENCODING:${coding}\r\n\r\n5 ;x="y"\r\nhello\r\n0\r\nX: y\r\n\r\n`), {
      messages: [{ body: 'hello' }],
      problem: undefined,
    })
  const head = `GET / HTTP/1.1\r\nHost: x\r\nX:${' '.repeat(64_000)}\0`
  const before = process.cpuUsage()
  for (let time = 0; time < 5; time++) t.equal(readRequestHead(head), 'a line of its headers is malformed')
  // Of the processor, not of the clock. Linear takes milliseconds; quadratic, five seconds and more.
  t.ok(process.cpuUsage(before).user < 2_000_000, 'linear')
  t.end()
})
