import http from 'node:http'
import net from 'node:net'
import t, { type Test } from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import type { WireRequest } from '../../../exchange/exchange.js'
import { createExecutor, type ExecutorOptions, type SendOptions } from './executor.js'
import { Semaphore } from './request-queue.js'
import type { MonotonicClock } from './throttle.js'

const get: WireRequest = { method: 'GET', path: '/', headers: [] }

/** A clock that moves only when it is turned. */
class HandClock implements MonotonicClock {
  time = Date.parse('2024-05-01T12:00:00Z')
  readonly sleepers = new Set<{ readonly due: number; readonly wake: () => void }>()

  now() {
    return this.time
  }

  sleep(ms: number, wake: () => void) {
    const sleeper = { due: this.time + ms, wake }
    this.sleepers.add(sleeper)
    return () => void this.sleepers.delete(sleeper)
  }

  /** Goes on to the next sleeper; returns the milliseconds that passed. */
  skip(): number {
    const [next] = [...this.sleepers].sort((one, other) => one.due - other.due)
    if (next === undefined) return 0
    const passed = next.due - this.time
    this.time = next.due
    this.sleepers.delete(next)
    next.wake()
    return passed
  }
}

const listen = async (t: Test, server: net.Server): Promise<string> => `http://${await serve(t, server)}`

function executorFor(t: Test, origin: string, options: Partial<ExecutorOptions> = {}) {
  const { signal } = new AbortController()
  const executor = createExecutor({
    origin,
    timeoutMs: 60_000,
    headers: [],
    limit: new Semaphore(4),
    signal,
    ...options,
  })
  t.teardown(() => executor.close())
  return executor
}

const netServer = (t: Test, answer: (socket: net.Socket) => void) => listen(t, net.createServer(answer))
const httpServer = (t: Test, answer: http.RequestListener) => listen(t, http.createServer(answer))

/** Waits, by turns of the event loop, until it holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

const LEGAL_ANSWERS: Readonly<Record<string, string>> = {
  'a tab after Content-Length': 'HTTP/1.1 200 OK\r\nContent-Length: 2\t\r\n\r\nok',
  'white space around Content-Length': 'HTTP/1.1 200 OK\r\nContent-Length:\t 2 \t \r\n\r\nok',
  'no white space before it': 'HTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\nok',
  'leading zeros': 'HTTP/1.1 200 OK\r\nContent-Length: 0002\r\n\r\nok',
  'chunked in capitals, with white space':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding:\tCHUNKED\t\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  'chunk extensions and trailers':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n002;a="b;c";d\r\nok\r\n0;e\r\nX-T: 1 \t\r\n\r\n',
  'no reason phrase': 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok',
  'a list in Connection': 'HTTP/1.1 200 OK\r\nConnection: Keep-Alive, x\t\r\nContent-Length: 2\r\n\r\nok',
  'an empty value': 'HTTP/1.1 200 OK\r\nX-Empty: \t\r\nContent-Length: 2\r\n\r\nok',
  'an interim answer': 'HTTP/1.1 100 x\r\nA: 1 \t\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\t\r\n\r\nok',
}

t.test('what RFC 9112 allows is read, and the connection carries the next exchange', async (t) => {
  for (const [what, answer] of Object.entries(LEGAL_ANSWERS)) {
    let connections = 0
    const origin = await netServer(t, (socket) => {
      connections += 1
      socket.on('data', () => socket.write(answer))
    })
    const executor = executorFor(t, origin)
    for (const turn of ['first', 'second']) {
      const { response } = await executor.send(get)
      t.equal(`${response?.status} ${Buffer.from(response?.body ?? [])}`, '200 ok', `${what}, ${turn}`)
    }
    t.equal(connections, 1, what)
  }
})

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
const CLOSING = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'

const FOLLOWED_ANSWERS: Readonly<Record<string, string>> = {
  'the answer twice': OK + OK,
  'another answer': `${OK}HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n`,
  'the beginning of one': `${OK}H`,
  'a late interim answer': `${OK}HTTP/1.1 100 Continue\r\n\r\n`,
  'one byte': `${OK}}`,
  'an empty line and a byte': `${OK}\r\n\0`,
  'chunks, then more': `${CHUNKED}2\r\nok\r\n0\r\n\r\n`,
  'more on a connection that ends': `${CLOSING}${OK}`,
  'a body after 204': 'HTTP/1.1 204 No Content\r\n\r\nok',
  'a body after 204, with its length': 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok',
}
const COMPLETE_ANSWERS: Readonly<Record<string, string>> = {
  ...LEGAL_ANSWERS,
  'an empty line after the body': `${OK}\r\n\r\n\n`,
  'an empty line, and the end': `${CLOSING}\r\n`,
  'a body until the end': 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok',
  'of HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\nok',
  'nothing in it': 'HTTP/1.1 204 No Content\r\n\r\n',
  'a length of what is not sent': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n',
  'early hints': `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${CHUNKED}`,
}

/** A service that sends the same after each request. */
const always = (t: Test, answer: string) =>
  netServer(t, (socket) =>
    socket.on('data', () => {
      socket.write(answer)
      if (/^HTTP\/1.0|Connection: close/.test(answer)) socket.end()
    }),
  )

t.test('bytes that follow an answer in one piece are noticed, and it is kept', async (t) => {
  for (const [what, answer] of Object.entries(FOLLOWED_ANSWERS)) {
    const executor = executorFor(t, await always(t, answer))
    for (const turn of ['first', 'second']) {
      const { response, unread } = await executor.send(get)
      t.match(unread, /^Bytes that belong to no answer follow/, `${what}, ${turn}`)
      t.equal(response?.status, answer.includes(' 204 ') ? 204 : 200, what)
    }
  }
})

t.test('an empty line before the first answer is noticed', async (t) => {
  const { unread, response } = await executorFor(t, await always(t, `\r\n${OK}`)).send(get)
  t.match(unread, /^An empty line precedes the first answer/)
  t.equal(response?.status, 200)
})

t.test('no answer that RFC 9112 allows is taken for one that is followed', async (t) => {
  for (const [what, answer] of Object.entries(COMPLETE_ANSWERS)) {
    const executor = executorFor(t, await always(t, answer))
    const sent = await Promise.all(Array.from({ length: 6 }, () => executor.send(get)))
    for (const { response, unread } of sent)
      t.strictSame([response !== undefined, unread], [true, undefined], what)
  }
  const executor = executorFor(t, await always(t, OK))
  for (let count = 0; count < 3; count++)
    t.equal((await executor.send({ ...get, method: 'HEAD' })).unread, undefined, 'a body after HEAD')
  t.equal((await executor.send(get)).unread, undefined)
})

const UNREADABLE_ANSWERS: Readonly<Record<string, string>> = {
  'of HTTP/2.0': OK.replace('1.1', '2.0'),
  'of HTTP/0.9': OK.replace('1.1', '0.9'),
  'of RTSP': OK.replace('HTTP/1.1', 'RTSP/1.0'),
  'of ICE': OK.replace('HTTP/1.1', 'ICE/1.0'),
  'said to be compressed on the way': CHUNKED.replace('chunked', 'gzip, chunked'),
  'in chunks, in a second header': CHUNKED.replace('\r\n', '\r\nTransfer-Encoding: gzip\r\n'),
  'under no coding': `${CLOSING.replace('Content-Length: 2', 'Transfer-Encoding: identity')}`,
}

t.test('an answer that other clients cannot read, and undici does, is none', async (t) => {
  for (const [what, answer] of Object.entries(UNREADABLE_ANSWERS)) {
    const executor = executorFor(t, await always(t, answer))
    for (const turn of ['first', 'second'])
      t.match(
        await executor.send(get),
        { failure: { kind: 'protocol' }, response: undefined },
        `${what}, ${turn}`,
      )
  }
})

t.test('bytes that come while no answer is awaited', async (t) => {
  const idle = async (bytes: string, ends: boolean) => {
    let connection: net.Socket | undefined
    const origin = await netServer(t, (socket) => {
      connection = socket.on('data', () => socket.write(OK))
    })
    const executor = executorFor(t, origin)
    t.equal((await executor.send(get)).unread, undefined)
    // Either side ends it, once the bytes have been read; of one that goes on, they come before the next answer.
    const closed = new Promise((resolve) => connection?.once('close', resolve))
    connection?.write(bytes)
    if (ends) connection?.end()
    if (bytes.trim() !== '') await closed
    return [await executor.send(get), await executor.send(get)]
  }
  for (const bytes of [OK, 'HTTP/1.1 103 x\r\n\r\n', '}', 'HTTP/1.1 500 x\r\n\r\n'])
    for (const { response, unread } of await idle(bytes, false)) {
      t.match(unread, /^Bytes that belong to no answer came before/, bytes)
      t.equal(response?.status, 200)
    }
  const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  for (const [bytes, ends] of [
    ['\r\n\r\n', false],
    [timedOut, true],
  ] as const)
    for (const { unread } of await idle(bytes, ends)) t.equal(unread, undefined, bytes)
})

t.test('the request goes out as it is', async (t) => {
  let received = ''
  const origin = await netServer(t, (socket) =>
    socket.on('data', (data) => {
      received += data.toString('latin1')
      if (received.endsWith('grant')) socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    }),
  )
  const executor = executorFor(t, origin, { headers: [['X-API-key', 'k']] })
  const { response } = await executor.send({
    method: 'GET',
    path: "/a%2fb/../c?x='é",
    headers: [
      ['ACCEPT', 'a'],
      ['accept', 'b'],
      ['X-Empty', ''],
    ],
    body: Buffer.from('grant'),
  })
  t.equal(response?.status, 204)
  t.equal(
    received,
    `GET /a%2fb/../c?x='é HTTP/1.1\r\nhost: ${origin.slice(7)}\r\nconnection: keep-alive\r\n` +
      'X-API-key: k\r\nACCEPT: a\r\naccept: b\r\nX-Empty: \r\ncontent-length: 5\r\n\r\ngrant',
  )
})

t.test('the answer is kept as it came, a redirect too', async (t) => {
  const origin = await netServer(t, (socket) =>
    socket.once('data', () =>
      socket.write(
        'HTTP/1.1 302 Found\r\nLOCATION: /elsewhere\r\nSet-Cookie: a\r\nset-cookie: b\r\nX-L: \xe9\r\nContent-Length: 3\r\n\r\n\xff\x00!',
        'latin1',
      ),
    ),
  )
  const before = performance.now()
  const exchange = await executorFor(t, origin).send(get)
  const tookMs = performance.now() - before
  t.strictSame(exchange.response, {
    status: 302,
    headers: [
      ['LOCATION', '/elsewhere'],
      ['Set-Cookie', 'a'],
      ['set-cookie', 'b'],
      ['X-L', 'é'],
      ['Content-Length', '3'],
    ],
    body: Buffer.from([0xff, 0, 0x21]),
    truncated: false,
  })
  t.equal(exchange.failure, undefined)
  t.equal(exchange.request, get)
  t.ok(exchange.startedAt <= exchange.receivedAt && exchange.receivedAt <= Date.now())
  t.ok(exchange.durationMs > 0 && exchange.durationMs <= tookMs, `${exchange.durationMs} of ${tookMs} ms`)
})

t.test('what no valid request can carry is not sent', async (t) => {
  let requests = 0
  const origin = await httpServer(t, (_, response) => {
    requests++
    response.end()
  })
  const executor = executorFor(t, origin, { limit: new Semaphore(1) })
  const bad: Record<string, Partial<WireRequest>> = {
    'line break in a value': { headers: [['A', 'b\r\nC: d']] },
    'NUL in a value': { headers: [['A', '\0']] },
    'value beyond latin1': { headers: [['A', '\u0100']] },
    'space in a name': { headers: [['A b', 'c']] },
    'empty name': { headers: [['', 'c']] },
    'framing header': { headers: [['Transfer-Encoding', 'chunked']] },
    'false length': { headers: [['Content-Length', '7']], body: Buffer.from('four') },
    'two hosts': {
      headers: [
        ['Host', 'a'],
        ['Host', 'b'],
      ],
    },
    'space in the path': { path: '/a b' },
    'relative path': { path: 'Token' },
    'line break in the path': { path: '/\r\n' },
    'path beyond latin1': { path: '/\u0100' },
    'empty method': { method: '' },
    'space in the method': { method: 'GE T' },
    'a method for tunnels': { method: 'CONNECT' },
  }
  for (const [what, change] of Object.entries(bad)) {
    const { failure, response } = await executor.send({ ...get, ...change })
    t.equal(failure?.kind, 'unsendable', what)
    // undici would refuse most of them too, but only when a connection is up, and without a useful reason.
    if (what !== 'two hosts') t.match(failure?.message, /header|length|path|method/i, `${what}: why`)
    t.equal(response, undefined)
  }
  t.equal(requests, 0)
  t.equal((await executor.send(get)).response?.status, 200, 'the next one goes through')
  const badOwn = executorFor(t, origin, { headers: [['A', '\n']] })
  t.equal((await badOwn.send(get)).failure?.kind, 'unsendable', 'headers for every request')
})

t.test('a re-used connection that closes', async (t) => {
  let connections = 0
  const origin = await netServer(t, (socket) => {
    connections++
    let answered = false
    socket.on('error', () => {})
    socket.on('data', () => {
      if (answered) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      answered = true
    })
  })
  const executor = executorFor(t, origin)
  t.equal((await executor.send(get)).resent, undefined)
  t.equal(connections, 1)

  const again = await executor.send(get)
  t.equal(again.response?.status, 200, 'is replaced, and the request sent again')
  t.strictSame(again.resent, { times: 1, why: 'the re-used connection was closed' })
  t.equal(connections, 2)

  t.equal((await executor.send(get, { resend: false })).failure?.kind, 'reset', 'unless that is not wanted')
  t.equal(connections, 2)

  await executor.send(get)
  const fresh = await executor.send(get, { freshConnection: true })
  t.equal(fresh.response?.status, 200, 'a fresh connection is one that carried nothing')
  t.equal(fresh.resent, undefined)
  t.equal(connections, 4)
})

t.test('several re-used connections that close', async (t) => {
  const origin = await netServer(t, (socket) => {
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      if (++requests > 1) socket.destroy()
      else setImmediate(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    })
  })
  const executor = executorFor(t, origin)
  await Promise.all(Array.from({ length: 4 }, () => executor.send(get)))
  t.equal((await executor.send(get)).resent?.times, 1, 'are not tried one after another')
})

t.test('a connection made anew after the old one ended is a fresh one', async (t) => {
  let connections = 0
  const origin = await netServer(t, (socket) => {
    const first = ++connections === 1
    socket.once('data', () => {
      if (first) socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      else socket.destroy()
    })
  })
  const executor = executorFor(t, origin)
  t.equal((await executor.send(get)).response?.status, 200)
  const { failure, resent } = await executor.send(get)
  t.equal(failure?.kind, 'reset')
  t.equal(resent, undefined)
  t.equal(connections, 2)
})

t.test(
  'a request goes over a new connection where the idle one was reset as it was to be sent',
  async (t) => {
    // As a service does that has not read all of a request. The reset comes before, amid or after the next sending.
    const origin = await netServer(t, (socket) => {
      socket.on('error', () => undefined)
      const reset = () => setImmediate(() => socket.resetAndDestroy())
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', reset))
    })
    const executor = executorFor(t, origin)
    const failed: unknown[] = []
    for (let turn = 0; turn < 100; turn++) failed.push((await executor.send(get)).failure ?? [])
    t.strictSame(failed.flat(), [])
  },
)

t.test('a fresh connection that closes is not tried again', async (t) => {
  let connections = 0
  const origin = await netServer(t, (socket) => {
    connections++
    socket.once('data', () => socket.destroy())
  })
  const executor = executorFor(t, origin)
  for (const options of [{}, { freshConnection: true }]) {
    const { failure, resent } = await executor.send(get, options)
    t.equal(failure?.kind, 'reset')
    t.equal(resent, undefined)
  }
  t.equal(connections, 2)
})

t.test(
  'an answer that only the end of the connection completes is none where the connection is reset',
  async (t) => {
    let ending: 'end' | 'resetAndDestroy' = 'end'
    const origin = await netServer(t, (socket) => {
      // What has come is read in the next turn of the loop; after it, no part of it is lost.
      const later = () => setImmediate(() => setImmediate(() => socket[ending]()))
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n{}', later))
    })
    const executor = executorFor(t, origin)
    t.equal((await executor.send(get)).response?.body.length, 2)
    ending = 'resetAndDestroy'
    t.strictSame((await executor.send(get)).failure, {
      kind: 'incomplete',
      message: 'The connection was closed inside the body of the answer.',
    })
  },
)

t.test('a limit is shared, and never more than that is in flight or connected', async (t) => {
  let inFlight = 0
  let maxInFlight = 0
  let connected = 0
  let maxConnected = 0
  const server = http.createServer((_, response) => {
    maxInFlight = Math.max(maxInFlight, ++inFlight)
    setImmediate(() => {
      inFlight--
      response.end()
    })
  })
  server.on('connection', (socket) => {
    maxConnected = Math.max(maxConnected, ++connected)
    socket.on('close', () => connected--)
  })
  const origin = await listen(t, server)
  const limit = new Semaphore(3)
  const executors = [executorFor(t, origin, { limit }), executorFor(t, origin, { limit })]
  const exchanges = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      executors[index % 2]?.send(get, { freshConnection: index % 5 === 0 }),
    ),
  )
  t.ok(exchanges.every((exchange) => exchange?.response?.status === 200))
  t.equal(maxInFlight, 3)
  t.ok(maxConnected <= 2 * 3 + 2, 'at most the limit for each executor, and those that are just closing')
})

t.test('a service that takes four requests at a time is sent four', async (t) => {
  const clock = new HandClock()
  let inFlight = 0
  let rejected = 0
  const held: (() => void)[] = []
  const origin = await httpServer(t, (_, response) => {
    if (inFlight === 4) {
      rejected++
      response.writeHead(503, { 'Retry-After': '1' }).end()
      return
    }
    inFlight++
    held.push(() => {
      inFlight--
      response.end()
    })
  })
  const waits: number[] = []
  const executor = executorFor(t, origin, {
    clock,
    limit: new Semaphore(8),
    onWait: ({ waitMs }) => waits.push(waitMs),
  })
  const sent = Array.from({ length: 40 }, () => executor.send(get))
  let done = 0
  for (const one of sent) void one.then(() => done++)
  await until(() => held.length === 4 && rejected === 4)
  while (done < sent.length) {
    await until(() => done === sent.length || held.length > 0 || clock.sleepers.size > 0)
    for (const answer of held.splice(0)) answer()
    if (clock.sleepers.size > 0) clock.skip()
  }
  t.equal(rejected, 4, 'once it has been learned, none is sent in vain')
  t.ok((await Promise.all(sent)).every(({ response }) => response?.status === 200))
  t.equal(executor.waitedMs, 1000)
  t.ok(waits.length > 0)
})

t.test('a 503 without Retry-After, which may come from a limit', async (t) => {
  const clock = new HandClock()
  const answers: number[] = []
  const origin = await httpServer(t, (_, response) => response.writeHead(answers.shift() ?? 200).end())
  const executor = executorFor(t, origin, { clock })
  const sendEased = async (attempt: number): Promise<number> => {
    const before = clock.time
    executor.ease(attempt)
    const sent = executor.send(get)
    clock.skip()
    await sent
    return clock.time - before
  }
  t.strictSame(
    [await sendEased(1), await sendEased(2), await sendEased(3)],
    [100, 200, 400],
    'it waits longer',
  )
  executor.learnEased(true)
  executor.learnEased(true)
  t.equal(await sendEased(1), 0, 'what recurs is an answer')
  executor.learnEased(false)
  t.equal(await sendEased(1), 100, 'what does not was a limit')
})

t.test('429 and 503 with Retry-After', async (t) => {
  const clock = new HandClock()
  const answers: (readonly [number, Record<string, string>])[] = []
  let requests = 0
  const origin = await httpServer(t, (_, response) => {
    requests++
    const [status, headers] = answers.shift() ?? [200, {}]
    response.writeHead(status, { Date: new Date(clock.time).toUTCString(), ...headers }).end()
  })
  const limit = new Semaphore(1)
  const executor = executorFor(t, origin, { clock, limit })
  /** Sends, and returns the exchange with the waits between the retries. */
  const send = async (options?: SendOptions) => {
    const waits: number[] = []
    let done = false
    const sent = executor.send(get, options).finally(() => {
      done = true
    })
    for (;;) {
      await until(() => done || clock.sleepers.size > 0)
      if (done) return { exchange: await sent, waits }
      t.ok(limit.tryAcquire(), 'the slot is free while waiting')
      limit.release()
      waits.push(clock.skip())
    }
  }

  answers.push([503, { 'Retry-After': '7' }])
  const seconds = await send()
  t.equal(seconds.exchange.response?.status, 200)
  t.strictSame(seconds.waits, [7000], 'seconds')
  t.strictSame(seconds.exchange.resent, { times: 1, why: 'the answer was 503' })

  answers.push([503, { 'Retry-After': new Date(clock.time + 4000).toUTCString() }])
  t.strictSame((await send()).waits, [4000], 'a date')

  const ahead = (ms: number) => new Date(clock.time + ms).toUTCString()
  answers.push([503, { 'Retry-After': ahead(304_000), Date: ahead(300_000) }])
  t.strictSame((await send()).waits, [4000], 'a date by the clock of the service')

  answers.push([503, { 'Retry-After': '61' }])
  const tooLong = await send()
  t.strictSame(tooLong.waits, [], 'more than a minute is not waited for')
  t.equal(tooLong.exchange.failure?.kind, 'rate-limited')
  t.match(tooLong.exchange.failure?.message, /asked to wait 61 s, .*`maxRequestsPerSecond`/)
  t.strictSame((await send()).waits, [], 'other requests are not held back')
  answers.push([429, { 'Retry-After': '3600' }], [429, { 'Retry-After': '3600' }])
  const hour = [...(await send()).waits, ...(await send()).waits, ...(await send()).waits]
  t.strictSame(hour, [], 'nor slowed down, as no pace keeps below such a limit')
  t.equal(executor.waitedMs, 15_000, 'all waits together')
  t.match(executor.trouble, { requests: 11, rateLimited: 6, serverErrors: 0 })

  answers.push([503, {}])
  const plain = await send()
  t.equal(plain.exchange.response?.status, 503, '503 alone is an answer')
  t.equal(plain.exchange.resent, undefined)

  requests = 0
  for (let count = 0; count < 7; count++) answers.push([503, { 'Retry-After': 'soon' }])
  const { exchange, waits } = await send()
  t.equal(requests, 6, 'sent again five times')
  t.equal(exchange.failure?.kind, 'rate-limited')
  t.equal(exchange.response?.status, 503, 'the last answer is kept')
  t.strictSame(exchange.resent, { times: 5, why: 'the answer was 503' })
  for (const [index, wait] of waits.entries()) {
    const min = 250 * 2 ** index
    t.ok(wait >= min && wait < 1.5 * min, `back-off ${index + 1}`)
  }

  answers.length = 0
  answers.push([429, {}])
  const once = await send({ resend: false })
  t.equal(once.exchange.response?.status, 429, 'not sent again when that is not wanted')
  t.equal(once.exchange.failure, undefined)
})

t.test('a request that waits for a slot waits for the back-off too', async (t) => {
  const clock = new HandClock()
  let requests = 0
  const origin = await httpServer(t, (_, response) => {
    if (++requests === 1) response.writeHead(503, { 'Retry-After': '7' })
    response.end()
  })
  const limit = new Semaphore(1)
  const executor = executorFor(t, origin, { clock, limit })
  const other = executorFor(t, origin, { limit })
  const both = Promise.all([executor.send(get), executor.send(get)])
  await until(() => clock.sleepers.size === 1)
  t.equal((await other.send(get)).response?.status, 200, 'another deployment does not')
  t.equal(requests, 2)
  clock.skip()
  t.ok((await both).every(({ response }) => response?.status === 200))
})

t.test('on 429 many workers converge to the rate that the deployment tolerates', async (t) => {
  const clock = new HandClock()
  const perSecond = 10
  let tokens = 20
  let filledAt = clock.time
  let refused = 0
  const origin = await httpServer(t, (_, response) => {
    tokens = Math.min(20, tokens + ((clock.time - filledAt) / 1000) * perSecond)
    filledAt = clock.time
    if (tokens < 1) refused++
    else tokens--
    response.writeHead(tokens < 1 ? 429 : 200).end()
  })
  const executor = executorFor(t, origin, { clock, limit: new Semaphore(8) })
  const startedAt = clock.time
  let left = 300
  let working = 8
  let limited = 0
  const work = async () => {
    while (left-- > 0) if ((await executor.send(get)).failure !== undefined) limited++
    working--
  }
  const all = Promise.all(Array.from({ length: 8 }, work))
  while (working > 0) {
    await until(() => working === 0 || clock.sleepers.size > 0)
    clock.skip()
  }
  await all
  t.equal(limited, 0)
  t.ok(refused < 100, `few are refused (${refused})`)
  t.ok(
    clock.time - startedAt < 60_000,
    `and it takes not much longer than it must (${clock.time - startedAt} ms)`,
  )
})

t.test('maxRequestsPerSecond spaces the starts evenly', async (t) => {
  const clock = new HandClock()
  let requests = 0
  const origin = await httpServer(t, (_, response) => {
    requests++
    response.end()
  })
  const executor = executorFor(t, origin, { clock, maxRequestsPerSecond: 50 })
  const all = Promise.all(Array.from({ length: 5 }, () => executor.send(get)))
  const waits: number[] = []
  for (let expected = 2; expected <= 5; expected++) {
    await until(() => requests === expected - 1 && clock.sleepers.size === 1)
    waits.push(clock.skip())
  }
  await all
  t.equal(requests, 5)
  t.strictSame(waits, [20, 20, 20, 20])
})

t.test('a deployment that stops answering', async (t) => {
  let answering = true
  const paths: (string | undefined)[] = []
  const origin = await httpServer(t, (request, response) => {
    paths.push(request.url)
    if (answering || request.url === '/probe?alive') response.end()
  })
  // The good answer is to come in time, on a busy machine too.
  const options = { timeoutMs: 1000, limit: new Semaphore(2) }
  const send = (executor: ReturnType<typeof createExecutor>, count: number) =>
    Promise.all(Array.from({ length: count }, () => executor.send(get)))

  t.test('is asked once more, and then left alone', async (t) => {
    const executor = executorFor(t, origin, { ...options, probe: { ...get, path: '/probe' } })
    t.equal((await executor.send(get)).response?.status, 200)
    answering = false
    paths.length = 0
    const kinds = (await send(executor, 20)).map(({ failure }) => failure?.kind)
    t.strictSame(
      paths.filter((path) => path === '/probe'),
      ['/probe'],
    )
    t.ok(executor.silent)
    const timeouts = kinds.filter((kind) => kind === 'timeout').length
    t.ok(timeouts >= 5 && timeouts <= 6, 'five, and the one that was on its way')
    t.equal(kinds.filter((kind) => kind === 'silent').length, 20 - timeouts)
    t.equal(paths.length, timeouts + 1, 'the others were not sent')
  })

  t.test('is not waited for any more', async (t) => {
    const clock = new HandClock()
    const limit = new Semaphore(8)
    const executor = executorFor(t, origin, { ...options, limit, clock, maxRequestsPerSecond: 1 })
    answering = false
    const sends = send(executor, 7)
    for (let started = 1; started < 5; started++) clock.skip()
    const kinds = (await sends).map(({ failure }) => failure?.kind)
    t.strictSame(kinds, ['timeout', 'timeout', 'timeout', 'timeout', 'timeout', 'silent', 'silent'])
    t.equal(clock.sleepers.size, 0)
  })

  t.test('goes on being asked while the probe is answered, or anything else', async (t) => {
    const limit = new Semaphore(8)
    const executor = executorFor(t, origin, { ...options, limit, probe: { ...get, path: '/probe?alive' } })
    answering = false
    paths.length = 0
    await send(executor, 7)
    t.notOk(executor.silent)
    t.equal(paths.filter((path) => path === '/probe?alive').length, 1)

    const other = executorFor(t, origin, { ...options, limit })
    for (let round = 0; round < 2; round++) {
      answering = false
      await send(other, 4)
      answering = true
      t.equal((await other.send(get)).response?.status, 200)
    }
    t.notOk(other.silent)
  })

  t.test('is silent too when it stopped listening', async (t) => {
    let connections = 0
    const server = net.createServer((socket) => {
      connections++
      socket.on('error', () => {})
    })
    const gone = await listen(t, server)
    const executor = executorFor(t, gone, { ...options, limit: new Semaphore(4) })
    await send(executor, 4)
    const last = executor.send(get)
    await until(() => connections === 5)
    server.close()
    t.equal((await last).failure?.kind, 'timeout')
    t.ok(executor.silent)
  })
})

t.test('a stop resolves everything at once', async (t) => {
  const controller = new AbortController()
  const clock = new HandClock()
  let requests = 0
  const origin = await httpServer(t, (request, response) => {
    requests++
    if (request.url === '/wait') response.writeHead(503, { 'Retry-After': '20' }).end()
  })
  const options = { signal: controller.signal, timeoutMs: 60_000 }
  const full = executorFor(t, origin, { ...options, limit: new Semaphore(2) })
  const sends = Array.from({ length: 5 }, () => full.send(get))
  const backingOff = executorFor(t, origin, { ...options, clock })
  sends.push(backingOff.send({ ...get, path: '/wait' }))
  await until(() => requests === 3 && clock.sleepers.size === 1)
  controller.abort()
  const exchanges = await Promise.all(sends)
  t.strictSame(
    exchanges.map(({ failure }) => failure?.kind),
    Array.from({ length: 6 }, () => 'stopped'),
  )
  t.equal(clock.sleepers.size, 0)
  t.equal((await full.send(get)).failure?.kind, 'stopped', 'later ones too')
  const late = executorFor(t, origin, options)
  t.equal((await late.send(get)).failure?.kind, 'stopped', 'also through an executor made later')
  t.equal(requests, 3)
})

t.test('a hundred deployments listen to one signal', async (t) => {
  const warnings: string[] = []
  const warned = (warning: Error) => warnings.push(warning.name)
  process.on('warning', warned)
  t.teardown(() => process.off('warning', warned))
  const { signal } = new AbortController()
  for (let count = 0; count < 100; count++) executorFor(t, 'http://127.0.0.1:1', { signal })
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(warnings, [])
})

t.test('close leaves nothing behind', async (t) => {
  const open = new Set<net.Socket>()
  const server = http.createServer((request, response) => {
    if (request.url === '/') response.end()
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  const origin = await listen(t, server)
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { signal } = new AbortController()
  const executor = createExecutor({ origin, timeoutMs: 60_000, headers: [], limit: new Semaphore(4), signal })
  await executor.send(get)
  const pending = [executor.send({ ...get, path: '/never' }), executor.send({ ...get, path: '/never' })]
  await until(() => open.size === 2)
  await executor.close()
  t.strictSame(
    (await Promise.all(pending)).map(({ failure }) => failure?.kind),
    ['stopped', 'stopped'],
  )
  await until(() => open.size === 0)
  t.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, before)
  t.equal((await executor.send(get)).failure?.kind, 'stopped')
})
