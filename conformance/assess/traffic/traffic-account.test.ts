import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { verdictOf } from '../../../spec/model/verdict.js'
import { effort } from '../../../tests/fixtures/effort.js'
import { damagedOf, hostileStream, loginOf } from '../../../tests/fuzz/streams.js'
import { ConnectionWatch } from '../../drivers/relay/connection-watch.js'
import { Budget } from '../../drivers/relay/pending-exchange.js'
import { alice } from '../../fixtures/service.js'
import { declaredAs } from './fixtures/start.js'
import { UNREAD } from './traffic-account.js'
import { TrafficAssay } from './traffic-assay.js'

const NOW = Date.UTC(2026, 0, 1)
const imf = (instant: number) => new Date(instant).toUTCString()
const GRANT = JSON.stringify({
  access_token: 'an-opaque-token',
  token_type: 'bearer',
  expires_in: 1_209_600,
  userName: alice.userName,
  '.issued': imf(NOW),
  '.expires': imf(NOW + 1_209_600_000),
})
const TYPE = 'Content-Type: application/json;charset=UTF-8'
const answer = (head: string, body: string) =>
  `HTTP/1.1 ${head}\r\n${TYPE}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const GRANTED = answer('200 OK', GRANT)
const LOGIN = loginOf(alice)
const ME = 'GET /me HTTP/1.1\r\nHost: x\r\n\r\n'

interface Seen {
  readonly relayed: number
  readonly accounted: number
  readonly unread: number
  readonly exitCode: number
  /** Were the unread let pass. */
  readonly exitCodeOfRead: number
  readonly reason: string | undefined
}

/** One part of a connection: what one side sends, or that it ends its side. */
type Part = readonly [side: 'client' | 'service', bytes: string | null]

/** What becomes of one connection. */
function watched(parts: readonly Part[]): Seen {
  const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1:1') })
  const watch = new ConnectionWatch({
    keeps: (path) => assay.keeps(path),
    guard: { hosts: ['x'], allowsCrossSite: false },
    budget: new Budget(1e9),
    now: () => NOW,
    onExchange: (exchange) => assay.add(exchange),
    onUnread: (piece) => assay.add(piece),
  })
  let relayed = 0
  for (const [side, bytes] of parts) {
    const part = Buffer.from(bytes ?? '', 'latin1')
    if (side === 'client') relayed += (bytes === null ? watch.clientEnded() : watch.fromClient(part)).length
    else if (bytes === null) watch.serviceEnded()
    else {
      watch.fromService(part)
      relayed += part.length
    }
  }
  watch.over({ kind: 'reset', message: 'the connection ended' })
  const { judged, passedBy, unread } = assay.account
  const report = assay.report()
  return {
    relayed,
    accounted: judged.bytes + passedBy.bytes + unread.bytes,
    unread: unread.times,
    exitCode: verdictOf(report.results, report.rules).exitCode,
    exitCodeOfRead: verdictOf(
      report.results.filter((result) => result.case !== UNREAD),
      report.rules,
    ).exitCode,
    reason: report.results.find((result) => result.case === UNREAD)?.reason,
  }
}

type Row = readonly [name: string, more: readonly Part[], unread: number, reason: RegExp | undefined]

/** The example of RFC 6455, section 1.3. */
const ASKS_FOR_WEBSOCKET =
  'GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const switchedTo = (protocol: string, accept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='): string =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`

t.test('whatever goes by is judged, passed by or unread, and nothing unread is green', (t) => {
  const joined = (parts: Arbitrary<string>) => fc.array(parts, { maxLength: 5 }).map((all) => all.join(''))
  const some = { minLength: 0, maxLength: 2 }
  const requests = damagedOf(
    joined(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(LOGIN, LOGIN, ME) },
        fc.constantFrom(
          '\r\n',
          ASKS_FOR_WEBSOCKET,
          'GET / HTTP/1.1\nHost: x\n\n',
          'GET / HTTP/1.1\r\nHost: evil\r\n\r\n',
          'POST /Token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n',
        ),
        hostileStream,
      ),
    ),
    some,
  )
  const answers = damagedOf(
    joined(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(GRANTED, answer('404 Not Found', '')) },
        fc.constantFrom(
          'HTTP/1.1 100 Continue\r\n\r\n',
          switchedTo('websocket'),
          switchedTo('h2c'),
          'HTTP/1.1 204 No Content\r\n\r\n',
          'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
          'HTTP/1.0 200 OK\r\n\r\n{}',
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\n{}\r\n0\r\n\r\n',
          '\r\n',
          'x',
        ),
      ),
    ),
    some,
  )
  const cut = fc.tuple(fc.constantFrom('client', 'service'), fc.nat(400))
  const ends = fc.constantFrom<readonly Part['0'][]>([], ['client'], ['service'], ['service', 'client'])
  let unread = 0
  let green = 0
  const connection = fc.tuple(requests, answers, fc.array(cut, { maxLength: 12 }), ends, fc.boolean())
  const property = fc.property(connection, ([sent, answered, cuts, ended, isPlain]) => {
    const rest = { client: sent, service: answered }
    const parts: Part[] = isPlain
      ? [
          ['client', LOGIN],
          ['service', GRANTED],
        ]
      : []
    for (const [side, length] of cuts as (readonly [Part['0'], number])[]) {
      parts.push([side, rest[side].slice(0, length)])
      rest[side] = rest[side].slice(length)
    }
    parts.push(['client', rest.client], ['service', rest.service])
    parts.push(...ended.map((side): Part => [side, null]))
    const seen = watched(parts)
    if (seen.unread > 0) unread++
    if (seen.exitCodeOfRead === 0) green++
    return seen.accounted === seen.relayed && (seen.unread === 0 || seen.exitCode !== 0)
  })
  fc.assert(property, { seed: 1, numRuns: effort(1000) })
  t.ok(unread > effort(1000) / 10, `${unread} with something unread`)
  t.ok(green > effort(1000) / 20, `${green} would be green, were the unread let pass`)
  t.end()
})

t.test('what is unread says who sent it, and why', (t) => {
  const login: readonly Part[] = [
    ['client', LOGIN],
    ['service', GRANTED],
  ]
  const bare = 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'
  const rows: readonly Row[] = [
    ['a plain exchange', [], 0, undefined],
    [
      'a stray answer',
      [['service', GRANTED]],
      1,
      /1 piece of \d+ bytes from the service: an answer came without a request/,
    ],
    [
      'what follows a stray answer',
      [['service', answer('500 Oops', '')], ...login],
      2,
      /from the client: which answer belongs to it is not known.*from the service: an answer came without/,
    ],
    [
      'a late 100 Continue',
      [['service', 'HTTP/1.1 100 Continue\r\n\r\n']],
      1,
      /service: an interim answer came without a request/,
    ],
    [
      'a wrong answer after a late 100',
      [
        ['service', 'HTTP/1.1 100 Continue\r\n\r\n'],
        ['client', LOGIN],
        ['service', bare],
      ],
      2,
      /service: a line ends in LF without CR/,
    ],
    [
      'an answer with bare LF',
      [
        ['client', LOGIN],
        ['service', bare],
      ],
      1,
      /1 piece of \d+ bytes from the service: a line ends in LF without CR$/,
    ],
    [
      'a request with bare LF',
      [['client', LOGIN.replaceAll('\r', '')]],
      1,
      /^not judged: 1 piece of \d+ bytes from the client: a line ends in LF without CR$/,
    ],
    [
      'an unasked 101',
      [
        ['client', LOGIN],
        ['service', 'HTTP/1.1 101 Switching Protocols\r\n\r\nx'],
      ],
      1,
      /service: it switches to another protocol/,
    ],
    [
      'a WebSocket',
      [
        ['client', ASKS_FOR_WEBSOCKET],
        ['service', `${switchedTo('WebSocket')}\x81`],
        ['client', '\x81'],
      ],
      0,
      undefined,
    ],
    ...[switchedTo('h2c'), switchedTo('websocket', 'another key'), 'HTTP/1.1 101 Yes\r\n\r\n'].map(
      (switched): Row => [
        'a WebSocket that no client takes for one',
        [
          ['client', ASKS_FOR_WEBSOCKET],
          ['service', switched],
        ],
        1,
        /service: it switches to another protocol/,
      ],
    ),
    ['half a head', [['client', 'POST /Tok']], 0, undefined],
    [
      'half a head, and the end',
      [
        ['client', 'POST /Tok'],
        ['client', null],
      ],
      1,
      /client: the connection ended inside the head of the request/,
    ],
    ['half a body', [['client', LOGIN.slice(0, -3)]], 1, /the request ended before its body was complete/],
    ['an empty line', [['client', '\r\n']], 0, undefined],
    [
      'an empty line of the service, and the end',
      [
        ['service', '\r\n'],
        ['service', null],
      ],
      0,
      undefined,
    ],
    [
      'half an answer without a request, and the end',
      [
        ['service', '\r\nHTTP'],
        ['service', null],
      ],
      1,
      /service: the connection ended inside the head of the answer/,
    ],
    [
      'an upload that is cut',
      [['client', 'POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf']],
      0,
      undefined,
    ],
  ]
  for (const [name, more, unread, reason] of rows) {
    const seen = watched([...login, ...more])
    t.equal(seen.accounted, seen.relayed, name)
    t.strictSame([seen.unread, seen.exitCode], [unread, unread > 0 ? 3 : 0], name)
    if (reason === undefined) t.equal(seen.reason, undefined, name)
    else t.match(seen.reason, reason, name)
  }
  t.end()
})
