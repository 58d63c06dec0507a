import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Pool } from 'undici'
import { selfSigned } from '../../../reference/tls/self-signed.js'
import { report as validate } from '../../../spec/generated/validators.js'
import type { Report } from '../../../spec/model/report.js'
import { effort } from '../../../tests/fixtures/effort.js'
import { openRawConnection, sendRaw } from '../../../tests/fixtures/raw-client.js'
import { hostileStream } from '../../../tests/fuzz/streams.js'
import { freePorts, listen } from '../../../tools/interop/listen.js'
import { alice, startService } from '../../fixtures/service.js'
import { startServices } from '../../target/start-services.js'
import { resolveTarget } from '../../target/target.js'
import { tap } from './fixtures/raw-tap.js'
import { declaredAs, start } from './fixtures/start.js'
import { UNREAD } from './traffic-account.js'

const FORM = 'application/x-www-form-urlencoded'
const BODY = new URLSearchParams({
  grant_type: 'password',
  username: alice.userName,
  password: alice.password,
}).toString()
const CLIENT = { id: 'client', secret: 'Web-secret-1' }
const BASIC = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`
const REQUEST = `POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

const outcomeOf = ({ rules }: Report, id: string) => rules.find((rule) => rule.id === id)?.outcome

/** A server that never reads HTTP: it answers each connection with these bytes once the client has ended its side. */
async function answering(t: Test, answer: string) {
  const received: string[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let bytes = ''
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1')
    })
    socket.on('end', () => {
      received.push(bytes)
      socket.end(Buffer.from(answer, 'latin1'))
    })
    socket.on('error', () => undefined)
  })
  const running = await listen(server)
  t.teardown(() => running[Symbol.asyncDispose]())
  return { url: running.url, received }
}

/** Resolves with its port. */
async function startNodeOauth2Server(t: Test): Promise<number> {
  const [port = 0] = await freePorts(1)
  const file = new URL('../../../tools/interop/servers/node-oauth2-server/server.js', import.meta.url)
  const command = [process.execPath, fileURLToPath(file)]
  const env = { PORT: String(port), ALICE_PASSWORD: alice.password, CLIENT_SECRET: CLIENT.secret }
  const baseUrl = `http://127.0.0.1:${port}`
  const { deployments } = resolveTarget({ baseUrl, accounts: [alice], start: { command, env } })
  const started = await startServices(deployments, { output: (text) => text }, new AbortController().signal)
  t.teardown(() => started.stop())
  return port
}

t.test('between clients and a server that others wrote, the bytes are the same on both sides', async (t) => {
  const behind = await tap(t, await startNodeOauth2Server(t))
  const proxy = await start(t, behind.url)
  const before = await tap(t, proxy.port)
  const headers = { 'Content-Type': FORM, Authorization: BASIC }
  const statuses: number[] = []
  for (let times = 0; times < 3; times++) {
    const answer = await fetch(`${before.url}/Token`, { method: 'POST', headers, body: BODY })
    statuses.push(answer.status)
    await answer.text()
  }
  const pool = new Pool(before.url, { pipelining: 4, connections: 1 })
  const asked = Array.from({ length: 8 }, () =>
    pool.request({ method: 'POST', path: '/Token', headers, body: BODY }),
  )
  for (const { statusCode, body } of await Promise.all(asked)) {
    statuses.push(statusCode)
    await body.dump()
  }
  await pool.close()
  const curl = ['-sS', '-u', `${CLIENT.id}:${CLIENT.secret}`, '-d', BODY, `${before.url}/Token`]
  const { stdout } = await promisify(execFile)('curl', curl)
  t.strictSame(new Set(statuses), new Set([200]))
  t.match(stdout, /"access_token"/)
  await proxy.close()
  const sent = before.connections.map((one) => one.fromClient)
  t.ok(sent.length >= 3 && sent.every((bytes) => bytes.startsWith('POST /Token HTTP/1.1\r\n')))
  const sorted = ({ connections }: typeof before) =>
    [...connections].sort((a, b) => (a.fromClient + a.fromService < b.fromClient + b.fromService ? -1 : 1))
  t.strictSame(sorted(before), sorted(behind))
  const report = await proxy.report()
  t.ok(validate(report), 'a report as any other')
  t.equal(outcomeOf(report, 'client:request-password'), 'passed')
  // The library answers neither `userName` nor the dates of the contract.
  t.equal(outcomeOf(report, '2.1-userName'), 'failed')
  t.equal(outcomeOf(report, '2.1-access_token'), 'passed')
  t.match(report.results.find(({ case: id }) => id === '2.1/token-response')?.runs, 12)
})

t.test('whatever a client sends and a server answers, the bytes are the same', async (t) => {
  const anyAnswer = fc.oneof(
    hostileStream,
    fc.constantFrom(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n{}',
      'HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x05hello',
      'HTTP/1.1 200 OK\r\n\r\n'.repeat(20),
      '',
    ),
  )
  const property = fc.asyncProperty(
    hostileStream,
    anyAnswer,
    fc.array(fc.nat(1000), { maxLength: 3 }),
    async (sent, anAnswer, cuts) => {
      // The service is connected to once there is something to pass on.
      const answer = sent === '' ? '' : anAnswer
      const service = await answering(t, answer)
      const troubles: string[] = []
      const proxy = await start(t, service.url, { onTrouble: (message) => troubles.push(message) })
      const back = await sendRaw(proxy.port, sent, { cuts, leave: 'half' })
      await proxy.close(0)
      const [received = ''] = service.received
      const [seen] = (await proxy.report()).observations
      const counted = [...(seen?.observed ?? '').matchAll(/\((\d+) bytes\)/g)]
      const sum = counted.reduce((bytes, [, more]) => bytes + Number(more), 0)
      if (troubles.some((message) => message.startsWith('refused'))) {
        // What came before it was for the service.
        if (!sent.startsWith(received)) t.fail(JSON.stringify({ sent, received }))
      } else if (received !== sent || back !== answer || sum !== sent.length + answer.length)
        t.fail(JSON.stringify({ sent, received, answer, back }))
    },
  )
  await fc.assert(property, { seed: 1, numRuns: effort(200) })
})

t.test('what takes it for a proxy to anywhere is refused, and passes nothing on', async (t) => {
  const service = await answering(t, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  const troubles: string[] = []
  const proxy = await start(t, service.url, { onTrouble: (message) => troubles.push(message) })
  for (const line of [
    'CONNECT example.com:443',
    'GET http://example.com/',
    'get HTTPS://example.com/',
    'GET evil:80',
  ]) {
    for (const cuts of [[], [30, 60, 90, 120, 200, 300]]) {
      const back = await sendRaw(proxy.port, `${line} HTTP/1.1\r\nHost: example.com\r\n\r\n`, {
        cuts,
        leave: 'wait',
      })
      t.match(back, /^HTTP\/1\.1 400 Bad Request\r\n.*this proxy has one target/s, line)
    }
  }
  t.match(troubles, [/^refused: CONNECT/, /^refused: a request for a whole URL/])
  t.equal(service.received.filter((bytes) => bytes.includes('example')).length, 0)
  const { verdict } = await proxy.report()
  t.equal(verdict, 'inconclusive', 'nothing was judged')
})

t.test('what is smuggled passes as it is, and is not judged', async (t) => {
  const inner = 'GET /Token?grant_type=password HTTP/1.1\r\nHost: x\r\n\r\n'
  const body = `0\r\n\r\n${inner}`
  const smuggled = `POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`
  const answer = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'
  const service = await answering(t, answer)
  const proxy = await start(t, service.url)
  t.equal(await sendRaw(proxy.port, smuggled, { leave: 'half' }), answer)
  t.strictSame(service.received, [smuggled])
  await proxy.close()
  const report = await proxy.report()
  t.equal(report.verdict, 'inconclusive')
  t.match(
    report.results.find(({ case: id }) => id === UNREAD),
    {
      outcome: 'cantTell',
      reason:
        /from the client: more than one header says where its body ends; .*from the service: its request is not/,
    },
  )
})

t.test('headers without end pass, and are held up to a limit', async (t) => {
  const service = await answering(t, 'HTTP/1.1 431 Too Large\r\nContent-Length: 0\r\n\r\n')
  const proxy = await start(t, service.url)
  const endless = `GET /Token HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(50_000)}`
  const back = await sendRaw(proxy.port, endless, { leave: 'half' })
  t.match(back, /^HTTP\/1\.1 431/)
  t.ok(service.received[0] === endless, 'every byte')
  t.match(await proxy.report(), { verdict: 'inconclusive' })
})

t.test('a client may end its side before the answer', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{"access_token":"abc"}'
  const service = await answering(t, answer)
  const proxy = await start(t, service.url)
  t.equal(await sendRaw(proxy.port, REQUEST, { leave: 'half' }), answer)
  t.strictSame(service.received, [REQUEST])
  t.equal(outcomeOf(await proxy.report(), '2.1-access_token'), 'passed')
})

t.test('an answer that comes before the end of its request, and one without a length', async (t) => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n{"access_token":"late"}'))
    })
  })
  await using service = await listen(server)
  const proxy = await start(t, service.url)
  let back = ''
  const connection = openRawConnection(proxy.port, (text) => {
    back += text
  })
  await connection.send(REQUEST.slice(0, -5))
  while (!back.includes('400')) await new Promise((resolve) => setImmediate(resolve))
  await connection.send(REQUEST.slice(-5) + REQUEST)
  await connection.closed
  await proxy.close()
  const report = await proxy.report()
  t.equal(outcomeOf(report, '2.1-access_token'), 'passed', 'the second')
  t.equal(outcomeOf(report, '4.1-R3'), 'failed', 'the first')
  t.match(report.results.find(({ case: id }) => id === 'client:traffic/token-request')?.runs, 2)
})

t.test('a slow reader slows the service down', async (t) => {
  const MiB = 1024 * 1024
  const total = 96 * MiB
  let written = 0
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      const piece = Buffer.alloc(64 * 1024, 'x')
      const write = (): void => {
        while (written < total) {
          written += piece.length
          if (!socket.write(piece)) return void socket.once('drain', write)
        }
        socket.end()
      }
      write()
    })
  })
  await using service = await listen(server)
  const proxy = await start(t, service.url)
  let read = 0
  let ahead = 0
  const client = connect({ port: proxy.port, host: '127.0.0.1' })
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  client.on('data', (bytes) => {
    read += bytes.length
    ahead = Math.max(ahead, written - read)
    client.pause()
    setImmediate(() => setImmediate(() => setImmediate(() => client.resume())))
  })
  await once(client, 'end')
  t.equal(read, total)
  // What systems and streams hold on the way.
  t.ok(ahead < 32 * MiB, `${ahead / MiB} MiB ahead`)
})

t.test('where the target is down, the client is closed, and that is reported', async (t) => {
  const troubles: string[] = []
  const proxy = await start(t, 'http://127.0.0.1:1', { onTrouble: (message) => troubles.push(message) })
  t.equal(await sendRaw(proxy.port, REQUEST, { leave: 'wait' }), '')
  t.strictSame(troubles, ['the service could not be reached: ECONNREFUSED'])
  t.equal((await proxy.report()).verdict, 'inconclusive')
})

t.test(
  'a connection to the target that cannot even be begun is as one to a target that is down',
  async (t) => {
    const [{ cert }, { key }] = [await selfSigned('localhost'), await selfSigned('localhost')]
    const troubles: string[] = []
    const baseUrl = 'https://127.0.0.1:1'
    const proxy = await start(t, baseUrl, {
      onTrouble: (message) => troubles.push(message),
      declared: declaredAs(baseUrl, { tls: { cert, key, rejectUnauthorized: true } }),
    })
    for (const _ of [1, 2]) t.equal(await sendRaw(proxy.port, REQUEST, { leave: 'wait' }), '')
    t.strictSame(troubles, ['the service could not be reached: ERR_OSSL_X509_KEY_VALUES_MISMATCH'])
    const { verdict, results } = await proxy.report()
    t.equal(verdict, 'inconclusive')
    t.match(JSON.stringify(results), 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')
  },
)

t.test('a service that closes without an answer is not judged, and not green', async (t) => {
  const server = createServer((socket) => socket.once('data', () => socket.end()))
  await using service = await listen(server)
  const proxy = await start(t, service.url)
  t.equal(await sendRaw(proxy.port, REQUEST, { leave: 'wait' }), '')
  await proxy.close()
  const report = await proxy.report()
  t.match(report, { verdict: 'inconclusive', trouble: [{ requests: 1, dropped: 1 }] })
  t.match(
    report.results.find(({ case: id }) => id === '4.1/password-grant'),
    {
      outcome: 'cantTell',
      reason: 'the service closed the connection without an answer',
    },
  )
})

t.test('a password in a trailer is one in a header', async (t) => {
  const service = await startService(t)
  const proxy = await start(t, service.url)
  const chunk = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n`
  const head = `POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n`
  const trailer = `X-Note: ${alice.password}\r\n\r\n`
  await sendRaw(
    proxy.port,
    `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${trailer}`,
    { leave: 'half' },
  )
  await proxy.close()
  const report = await proxy.report()
  t.equal(outcomeOf(report, 'client:request-secrets'), 'failed')
  t.notMatch(JSON.stringify(report), alice.password)
})

t.test('a token that comes in a trailer alone is sent as no bearer', async (t) => {
  const service = await startService(t)
  const proxy = await start(t, service.url)
  const headers = { 'Content-Type': FORM }
  const answer = await fetch(`${proxy.url}/Token`, { method: 'POST', headers, body: BODY })
  const { access_token: token } = Object(await answer.json())
  const head = 'POST /me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  await sendRaw(proxy.port, `${head}0\r\nAuthorization: Bearer ${token}\r\n\r\n`, { leave: 'half' })
  await proxy.close()
  const report = await proxy.report()
  t.equal(outcomeOf(report, 'client:request-bearer'), 'failed')
  t.notMatch(JSON.stringify(report), token)
})

t.test('a client that goes away says nothing of the service', async (t) => {
  let gone: () => void = () => undefined
  const isGone = new Promise<void>((resolve) => {
    gone = resolve
  })
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('close', gone)
    socket.once('data', () => void connection.reset())
  })
  await using service = await listen(server)
  const proxy = await start(t, service.url)
  const connection = openRawConnection(proxy.port, () => undefined)
  await connection.send(REQUEST)
  await isGone
  await proxy.close()
  const report = await proxy.report()
  t.equal(outcomeOf(report, '4.1-R3'), 'untested')
  t.match(report, { counts: { cantTell: 1, failed: 0 }, trouble: [{ dropped: 0 }] })
  t.match(report.results.at(-1), { id: 'default/client:traffic/unread' })
  t.equal(outcomeOf(report, 'client:request-method'), 'passed', 'what it sent is judged')
})

t.test('connections and their silence are bounded', async (t) => {
  await using service = await silentService()
  const troubles: string[] = []
  // Long enough for all to have come before one is ended, on a busy machine too.
  const limits = { connections: 2, idleTimeoutMs: 3000 }
  const proxy = await start(t, service.url, { limits, onTrouble: (message) => troubles.push(message) })
  const all = Array.from({ length: 5 }, () => openRawConnection(proxy.port, () => undefined))
  await Promise.all(all.map(({ closed }) => closed))
  t.match(troubles.sort(), [/^a connection without a byte for 3 seconds/, /^more than 2 connections/])
})

function silentService() {
  return listen(createServer(() => undefined))
}

t.test('a bug in judging holds up no byte, and is no green report', async (t) => {
  await using service = await listen((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  const onExchange = () => {
    throw new RangeError('a bug')
  }
  const proxy = await start(t, service.url, { onExchange })
  for (const _ of ['first', 'second'])
    t.equal(await (await fetch(`${proxy.url}/Token`, { method: 'POST', body: BODY })).text(), '{}')
  await t.rejects(proxy.report(), RangeError)
})

t.test('bodies beyond the limits pass, and are not judged', async (t) => {
  const answer = `{"access_token":"${'x'.repeat(2_000_000)}"}`
  await using service = await listen((request, response) => {
    request.resume().on('end', () => response.end(answer))
  })
  const proxy = await start(t, service.url)
  const ask = (body: string) =>
    fetch(`${proxy.url}/Token`, { method: 'POST', headers: { 'Content-Type': FORM }, body })
  t.equal(await (await ask(BODY)).text(), answer)
  t.equal(await (await ask(`${BODY}&pad=${'x'.repeat(100_000)}`)).text(), answer)
  const report = await proxy.report()
  t.equal(outcomeOf(report, 'client:request-password'), 'passed', 'the first')
  t.match(
    report.results.find(({ case: id }) => id === UNREAD),
    {
      reason:
        /^not judged: 1 exchange of \d+ bytes: the body of the answer is longer.*; 1 .* of the request is longer/,
    },
  )
  t.equal(report.verdict, 'inconclusive')
})

t.test('Host is the one thing that may be changed, where that is asked for', async (t) => {
  const service = await startService(t, {})
  const behind = await tap(t, service.port)
  const proxy = await start(t, behind.url, { declared: declaredAs(behind.url), rewriteHost: true })
  const two = REQUEST + REQUEST.replace('Host: x', 'hOsT:\t other:80 ')
  const cuts = [...Array(50).keys()].map((at) => at * 20)
  for (const places of [[], cuts]) await sendRaw(proxy.port, two, { cuts: places, leave: 'half' })
  const { host } = new URL(behind.url)
  const expected = two.replace('Host: x', `Host: ${host}`).replace('other:80', host)
  t.strictSame(
    behind.connections.map(({ fromClient }) => fromClient),
    [expected, expected],
  )
  t.equal(outcomeOf(await proxy.report(), '4.1-R3'), 'passed')
})

t.test('an answer that is on its way still arrives when the proxy is closed', async (t) => {
  let answer: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  let release: () => void = () => undefined
  await using service = await listen((_, response) => {
    release = () => response.end('{"access_token":"abc"}')
    answer()
  })
  const proxy = await start(t, service.url)
  const idle = openRawConnection(proxy.port, () => undefined)
  const pending = fetch(`${proxy.url}/Token`, {
    method: 'POST',
    headers: { 'Content-Type': FORM },
    body: BODY,
  })
  await asked
  const closed = proxy.close(60_000)
  await idle.closed
  release()
  t.equal(await (await pending).text(), '{"access_token":"abc"}')
  await closed
  t.equal(outcomeOf(await proxy.report(), '2.1-access_token'), 'passed')
})
