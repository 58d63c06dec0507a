import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import type { Drip } from '../http/answer.js'
import type { LogLine } from '../log.js'
import type { ReferenceServer } from '../server.js'

const good = 'grant_type=password&username=ann&password=Secret-1'
const token = post('/Token', good)

function post(target: string, body: string, headers: readonly string[] = []): string {
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const length = `Content-Length: ${body.length}`
  return [`POST ${target} HTTP/1.1`, 'Host: x', type, length, ...headers, '', body].join('\r\n')
}

/** Sends bytes as they are, ends its side if told, and gives all that comes until the server ends the connection. */
function exchange(server: ReferenceServer, bytes: string, end = true): Promise<string> {
  const socket = open(server)
  socket.write(bytes)
  if (end) socket.end()
  return text(socket)
}

function open(server: ReferenceServer): Socket {
  return connect({ port: server.port, host: '127.0.0.1' }).on('error', () => undefined)
}

t.test('a body over the limit is answered 413, and the connection ends', async (t) => {
  const server = await startReference(t, { bodyLimitBytes: 100 })
  const announced = await exchange(server, post('/Token', 'x'.repeat(101)), false)
  t.match(announced, /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*"The body is too long\."/)
  const chunk = `3c\r\n${'x'.repeat(60)}\r\n`
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const head = `POST /Token HTTP/1.1\r\nHost: x\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  t.match(await exchange(server, `${head}${chunk}${chunk}0\r\n\r\n`, false), /^HTTP\/1\.1 413 /)
  t.match(
    await exchange(server, `${head}${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`),
    /^HTTP\/1\.1 200 /,
  )
})

t.test('a client that asks before it sends gets an answer', async (t) => {
  const server = await startReference(t, { bodyLimitBytes: 100 })
  const asking = post('/Token', good, ['Expect: 100-continue'])
  t.match(await exchange(server, asking), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  const [head] = post('/Token', 'x'.repeat(101), ['Expect: 100-continue']).split('\r\n\r\n')
  t.match(await exchange(server, `${head}\r\n\r\n`), /^HTTP\/1\.1 413 /)
})

t.test('requests of every legal form are answered, in order', async (t) => {
  const server = await startReference(t)
  const absolute = post(`http://x/Token`, good)
  const options = 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'
  const head = 'HEAD /Token HTTP/1.1\r\nHost: x\r\n\r\n'
  const twoTypes = post('/Token', good, ['Content-Type: application/x-www-form-urlencoded'])
  const all = await exchange(
    server,
    [token, absolute, options, head, twoTypes, post('http://x', '')].join(''),
  )
  t.strictSame(
    [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['200', '200', '404', '405', '400', '404'],
  )
})

t.test('a client that asks on while its answers are due is dropped', async (t) => {
  const server = await startReference(t)
  const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  const answers = (all: string): number => all.match(/HTTP\/1\.1 404 /g)?.length ?? 0
  t.equal(answers(await exchange(server, ask.repeat(200))), 200)
  t.equal(answers(await exchange(server, ask.repeat(201), false)), 0)
  t.match(await exchange(server, token), /^HTTP\/1\.1 200 /, 'and only this one')
})

t.test('what is not HTTP is rejected, and the server lives on', async (t) => {
  const server = await startReference(t)
  t.match(await exchange(server, 'hello\r\n\r\n'), /^HTTP\/1\.1 400 /)
  t.match(
    await exchange(server, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 /,
  )
  t.match(await exchange(server, token.slice(0, -5)), /^HTTP\/1\.1 400 /, 'half a request')
  t.match(await exchange(server, token), /^HTTP\/1\.1 200 /)
})

t.test('slow clients are given up', async (t) => {
  const server = await startReference(t, { requestTimeoutMs: 50, headersTimeoutMs: 50 })
  const patient = await startReference(t)
  const waiting = open(patient).resume()
  waiting.write('POST /Token HTTP/1.1\r\n')
  const [headers, body] = await Promise.all([
    exchange(server, 'POST /Token HTTP/1.1\r\n', false),
    exchange(server, token.slice(0, -5), false),
  ])
  t.match(headers, /^HTTP\/1\.1 408 /)
  t.match(body, /^(HTTP\/1\.1 408 |$)/)
  t.equal(waiting.bytesRead, 0, 'before one that is given the usual time')
})

t.test('a handler that throws answers 500 without a stack', async (t) => {
  const lines: LogLine[] = []
  const failing = {
    tokenType: () => {
      throw new RangeError('Secret-1 leaked')
    },
  }
  const server = await startReference(t, { behaviour: failing, log: (line) => lines.push(line) })
  const answer = await exchange(server, token)
  t.match(answer, /^HTTP\/1\.1 500 [\s\S]*\r\n\r\n\{"error":"server_error"\}$/)
  t.match(lines, [
    {},
    {},
    { level: 'error', event: 'failure', name: 'RangeError' },
    { level: 'warn', status: 500 },
  ])
  t.notOk(JSON.stringify(lines).includes('Secret-1'))
  t.match(server.journal.entries(), [{ status: 500 }])
  t.match(await exchange(server, post('/Token', '')), /^HTTP\/1\.1 400 /)
  t.match(
    await exchange(
      await startReference(t, {
        log: () => {
          throw new Error('disk full')
        },
      }),
      token,
    ),
    /^HTTP\/1\.1 200 /,
    'a log that throws changes nothing',
  )
})

t.test('too many passwords at once: 503, and the client may come back', async (t) => {
  const server = await startReference(t, { hashing: 'argon2id' })
  // Pipelined, so that all arrive before the first hash is computed.
  const answers = (await exchange(server, token.repeat(150))).split(/(?=HTTP\/1\.1 )/)
  const busy = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '))
  t.equal(answers.length, 150)
  t.ok(busy.length > 0)
  // Four are computed and 64 wait, at the least.
  t.ok(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length >= 68)
  for (const answer of busy) {
    t.match(answer, /\r\nRetry-After: 1\r\n[\s\S]*\{"error":"temporarily_unavailable"\}$/)
  }
  t.match(await exchange(server, token), /^HTTP\/1\.1 200 /)
})

t.test(
  'an answer in drops keeps its pace for a client that has ended its side, and ends in time',
  async (t) => {
    const dripping = (drip: Drip) =>
      startReference(t, {
        behaviour: { deliver: (answer) => ({ kind: 'answer', answer, framing: 'chunked', drip }) },
      })
    const begin = performance.now()
    t.match(await exchange(await dripping({ bytes: 100, everyMs: 200 }), token), /"\.expires"/)
    t.ok(performance.now() - begin >= 190, 'two drops or more')
    const late = await exchange(await dripping({ bytes: 1, everyMs: 1, withinMs: 0 }), token, false)
    t.match(late, /"token_type":"bearer"/, 'not byte by byte')
  },
)

t.test('answers can be late, cut, reset or missing below HTTP', async (t) => {
  const raw = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')
  const cut = await startReference(t, { behaviour: { deliver: () => ({ kind: 'raw', bytes: raw }) } })
  t.equal(await exchange(cut, token), raw.toString())
  const reset = await startReference(t, { behaviour: { deliver: () => ({ kind: 'reset' }) } })
  await t.rejects(exchange(reset, token, false), { code: 'ECONNRESET' })
  const silent = await startReference(t, { behaviour: { deliver: () => ({ kind: 'silence' }) } })
  const nothing = exchange(silent, token, false)
  await answered(silent, 1)
  await silent.close()
  t.equal(await nothing, '')
  const odd = await startReference(t, {
    behaviour: {
      deliver: (answer) => ({ kind: 'answer', answer, delayMs: 1, framing: 'chunked', hangUp: true }),
    },
  })
  const idle = open(await startReference(t))
  idle.write(token)
  await once(idle.resume(), 'data')
  const answer = await exchange(odd, token, false)
  t.notOk(idle.readableEnded, 'sooner than an idle connection ends')
  t.match(answer, /\r\nTransfer-Encoding: chunked\r\n/)
  t.match(answer, /\r\nConnection: keep-alive\r\n/)
})

/** One that waits for requests in progress would never end. */
const endlessGrace = { graceMs: 2 ** 31 - 1 }

t.test('closing is prompt, with any clients connected, and may be repeated', async (t) => {
  const server = await startReference(t, endlessGrace)
  const idle = open(server)
  const asked = open(server)
  const half = open(server)
  const ends = [idle, asked, half].map((socket) => text(socket).catch(() => 'reset'))
  half.write(token.slice(0, -5))
  asked.write(token)
  await answered(server, 1)
  await Promise.all([server.close(), server.close(), server[Symbol.asyncDispose]()])
  await Promise.all(ends)
  await t.rejects(exchange(server, token), { code: 'ECONNREFUSED' })
})

t.test('clients that left while their answers were due do not hold it up', async (t) => {
  const server = await startReference(t, { hashing: 'argon2id', ...endlessGrace })
  const client = open(server)
  client.write(token.repeat(40))
  await answered(server, 1)
  client.resetAndDestroy()
  await server.close()
  t.ok(client.destroyed)
})

t.test('one that ended its side is answered if that is soon, and not waited for if it is late', async (t) => {
  const server = await startReference(t, endlessGrace)
  server.faults.add({ kind: 'delay', ms: 50, times: 1 })
  server.faults.add({ kind: 'delay', ms: 3_600_000, after: 1 })
  const patient = open(server)
  const answer = text(patient)
  patient.end(token)
  await answered(server, 1)
  const gone = open(server)
  gone.write(token)
  await answered(server, 2)
  gone.destroy()
  await server.close()
  t.match(await answer, /^HTTP\/1\.1 200 OK\r\n.*"access_token"/s)
})

/** Fulfilled when the server has answered so many requests. */
async function answered(server: ReferenceServer, count: number): Promise<void> {
  while (server.journal.entries().length < count) await new Promise((resolve) => setImmediate(resolve))
}
