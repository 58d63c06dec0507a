import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import { serve } from '../../tests/fixtures/serve.js'
import type { LogLine } from '../log.js'
import type { ReferenceServer } from '../server.js'

const form = 'Content-Type: application/x-www-form-urlencoded'
const good = 'grant_type=password&username=ann&password=Secret-1'
const chunks = `${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`
const token = post(['Host: x'])

function post(headers: readonly string[], line = 'POST /Token HTTP/1.1'): string {
  return [line, form, `Content-Length: ${good.length}`, ...headers, '', good].join('\r\n')
}

function postChunked(coding: readonly string[], line = 'POST /Token HTTP/1.1'): string {
  return [line, 'Host: x', form, ...coding, '', chunks].join('\r\n')
}

function open(server: ReferenceServer): Socket {
  return connect({ port: server.port, host: '127.0.0.1' }).on('error', () => undefined)
}

/** The statuses that come back for bytes, until the server ends the connection. */
async function statuses(server: ReferenceServer, bytes: string): Promise<readonly string[]> {
  const socket = open(server)
  socket.write(Buffer.from(bytes, 'latin1'))
  return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => `${status}`)
}

t.test('what is no request is answered after the requests before it, not in their place', async (t) => {
  for (const hashing of ['fast', 'argon2id'] as const) {
    const server = await startReference(t, { hashing })
    t.strictSame(await statuses(server, `${token}garbage\r\n\r\n`), ['200', '400'])
    const badChunk = postChunked(['Transfer-Encoding: chunked']).replace('\r\n\r\n', '\r\n\r\nz')
    t.strictSame(await statuses(server, `${token}${token}${badChunk}`), ['200', '200', '400'])
    t.strictSame(await statuses(server, `${token}CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`), ['200', '400'])
    t.strictSame(await statuses(server, `${token}${post([])}${token}`), ['200', '400'], 'no Host')
  }
})

t.test('what follows the last request of a connection takes nothing from its answer', async (t) => {
  const server = await startReference(t)
  const last = post(['Host: x', 'Connection: close'])
  for (const after of [token, 'garbage\r\n\r\n', '\r\n']) {
    t.strictSame(await statuses(server, last + after), ['200'])
    t.strictSame(await statuses(server, post([], 'POST /Token HTTP/1.0') + after), ['200'])
  }
  const upgrade = post(['Host: x', 'Connection: upgrade', 'Upgrade: h2c'])
  t.strictSame(await statuses(server, upgrade + token), ['200'], 'an upgrade is declined')
})

t.test('nothing is done after an answer that announces the end', async (t) => {
  const server = await startReference(t, { bodyLimitBytes: 100 })
  const long = ['POST /Token HTTP/1.1', 'Host: x', form, 'Content-Length: 101', '', 'x'.repeat(101)]
  t.strictSame(await statuses(server, `${long.join('\r\n')}${token}`), ['413'])
  t.match(server.journal.entries(), [{ status: 413 }])
  t.equal(server.journal.entries().length, 1)
  // Far more than is read before the answer leaves: a connection that is closed then is reset.
  t.strictSame(await statuses(server, long.join('\r\n') + token.repeat(20_000)), ['413'])
})

t.test('what follows an upgrade is not done, whatever packet it comes in', async (t) => {
  const server = await startReference(t)
  const client = open(server)
  const upgrade = post(['Host: x', 'Upgrade: h2c', 'Expect: 100-continue'])
  client.write(upgrade.slice(0, -good.length))
  await once(client, 'data')
  client.write(good + token)
  t.match(await text(client), /^HTTP\/1\.1 200 OK\r\n/)
  t.equal(server.journal.entries().length, 1)
})

t.test('a client that asks for a tunnel and is gone before its turn comes does no harm', async (t) => {
  const clients: Socket[] = []
  // It answers the sign-in, which the tunnel must wait for, once no one is there any more to read it.
  const provider = await serve(t, async (_, response) => {
    const gone = clients.map((client) => once(client, 'close'))
    for (const client of clients) client.resetAndDestroy()
    await Promise.all(gone)
    response.end('{}')
  })
  const acme = { name: 'acme', clientId: 'a', clientSecret: 'b', redirectUri: 'http://x/callback' }
  const server = await startReference(t, {
    providers: [{ ...acme, tokenEndpoint: `http://${provider}/token` }],
  })
  const signIn = '{"provider":"acme","code":"x"}'
  const headers = ['Host: x', 'Content-Type: application/json', `Content-Length: ${signIn.length}`]
  const client = open(server)
  clients.push(client)
  client.write(['POST /external-login HTTP/1.1', ...headers, '', signIn].join('\r\n'))
  client.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(client, 'close')
  await server.journal.waitFor({ path: '/external-login' })
  t.strictSame(await statuses(server, post(['Host: x', 'Connection: close'])), ['200'])
})

t.test('a request that was answered for taking too long is not done when its end comes', async (t) => {
  const server = await startReference(t, { requestTimeoutMs: 20 })
  const client = open(server)
  client.write(token.slice(0, -1))
  const [answer] = await once(client, 'data')
  t.match(`${answer}`, /^HTTP\/1\.1 408 /)
  client.end(token.slice(-1))
  await once(client, 'close')
  t.strictSame(server.journal.entries(), [])
})

t.test('what HTTP forbids and Node lets through is rejected', async (t) => {
  const lines: LogLine[] = []
  const server = await startReference(t, { log: (line) => lines.push(line) })
  const forbidden: Readonly<Record<string, string>> = {
    'no version': post(['Host: x'], 'POST /Token'),
    'version 0.9': post(['Host: x'], 'POST /Token HTTP/0.9'),
    'version 2.0': post(['Host: x'], 'POST /Token HTTP/2.0'),
    'no host': post([]),
    'two hosts': post(['Host: x', 'host: y']),
    'not a host': post(['Host: a b/@']),
    'another coding': postChunked(['Transfer-Encoding: gzip, chunked']),
    'another coding, on a line of its own': postChunked([
      'Transfer-Encoding: gzip',
      'Transfer-Encoding: chunked',
    ]),
    'chunks in HTTP/1.0': postChunked(['Transfer-Encoding: chunked'], 'POST /Token HTTP/1.0'),
    'a proxy asked for': 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  }
  for (const [name, bytes] of Object.entries(forbidden)) {
    lines.length = 0
    t.strictSame(await statuses(server, bytes + token), ['400'], name)
    t.match(lines, [{ event: 'turned-away', status: 400, reason: String }])
  }
  for (const host of ['', 'x:80', '[::1]:80', '127.0.0.1', 'a_b.example', 'x:']) {
    const request = post([`Host: ${host}`, 'Connection: close'])
    t.strictSame(await statuses(server, request), ['200'], `Host: ${host}`)
  }
})

t.test('an expectation that is not known changes nothing', async (t) => {
  const server = await startReference(t)
  const expecting = post(['Host: x', 'Expect: the-unexpected'])
  t.strictSame(await statuses(server, expecting + post(['Host: x', 'Connection: close'])), ['200', '200'])
})

t.test('no header is forgotten, however many there are', async (t) => {
  const server = await startReference(t)
  const many = Array<string>(2500).fill('a:')
  t.strictSame(await statuses(server, post([...many, 'Host: x', 'Connection: close'])), ['200'])
  const another = post(['Host: x', ...many, 'Content-Type: text/plain', 'Connection: close'])
  t.strictSame(await statuses(server, another), ['400'])
})

t.test('a client that does not take its answers is given up', async (t) => {
  const server = await startReference(t, {
    requestTimeoutMs: 100,
    behaviour: { renderError: () => 'x'.repeat(2 ** 14) },
  })
  const client = open(server).pause()
  // More than the system's buffers hold, of answers and of requests: the client is still writing when it is dropped.
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2 ** 19))
  await new Promise((resolve) => client.once('close', resolve))
  t.ok(client.destroyed)
})
