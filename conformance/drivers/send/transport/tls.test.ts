import { generateKeyPairSync, sign } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import net, { type Server } from 'node:net'
import t, { type Test } from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import type { WireRequest } from '../../../exchange/exchange.js'
import type { Tls } from '../../../target/deployment.js'
import { createExecutor } from './executor.js'
import { Semaphore } from './request-queue.js'

const get: WireRequest = { method: 'GET', path: '/', headers: [] }

/** One element of DER. */
function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const length = content.length
  return Buffer.concat([
    Buffer.from(length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]),
    content,
  ])
}

/** A self-signed certificate for 127.0.0.1 and localhost (RFC 5280 4.1), made here: a stored one would expire. */
function certificate(notBefore: string, notAfter: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
  const commonName = der(0x30, der(0x06, [0x55, 0x04, 0x03]), der(0x0c, Buffer.from('test')))
  const name = der(0x30, der(0x31, commonName))
  const alternatives = der(0x30, der(0x87, [127, 0, 0, 1]), der(0x82, Buffer.from('localhost')))
  const alternativeNames = der(0x30, der(0x06, [0x55, 0x1d, 0x11]), der(0x04, alternatives))
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    ecdsaWithSha256,
    name,
    der(0x30, der(0x17, Buffer.from(notBefore)), der(0x17, Buffer.from(notAfter))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternativeNames)),
  )
  const signed = der(
    0x30,
    toBeSigned,
    ecdsaWithSha256,
    der(0x03, [0], sign('sha256', toBeSigned, privateKey)),
  )
  const cert = `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const good = certificate('200101000000Z', '491231235959Z')
const expired = certificate('200101000000Z', '200102000000Z')

const listen = async (t: Test, server: Server): Promise<number> =>
  Number((await serve(t, server)).split(':')[1])

const answer: http.RequestListener = (_, response) => void response.end('secure')

function executorOf(t: Test, origin: string, tls?: Tls, timeoutMs = 60_000) {
  const { signal } = new AbortController()
  const executor = createExecutor({
    origin,
    timeoutMs,
    headers: [],
    limit: new Semaphore(1),
    signal,
    ...(tls === undefined ? {} : { tls }),
  })
  t.teardown(() => executor.close())
  return executor
}

const send = (...args: Parameters<typeof executorOf>) => executorOf(...args).send(get)

t.test('a certificate that is trusted, or need not be', async (t) => {
  const port = await listen(t, https.createServer(good, answer))
  for (const host of ['127.0.0.1', 'localhost']) {
    const { response } = await send(t, `https://${host}:${port}`, { ca: good.cert, rejectUnauthorized: true })
    t.equal(String(response?.body), 'secure', host)
  }
  const { response } = await send(t, `https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  t.equal(String(response?.body), 'secure')
})

t.test('a further connection resumes the session of the one before', async (t) => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const server = https.createServer({ ...good, maxVersion }, answer)
    const resumed: boolean[] = []
    server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
    const tls = { ca: good.cert, rejectUnauthorized: true }
    const executor = executorOf(t, `https://127.0.0.1:${await listen(t, server)}`, tls)
    for (const freshConnection of [false, true, true]) {
      const { response } = await executor.send(get, { freshConnection })
      t.equal(response?.status, 200)
    }
    t.strictSame(resumed, [false, true, true], maxVersion)
  }
})

t.test('a certificate that is not trusted', async (t) => {
  const port = await listen(t, https.createServer(good, answer))
  const selfSigned = await send(t, `https://127.0.0.1:${port}`)
  t.equal(selfSigned.failure?.kind, 'tls')
  t.match(selfSigned.failure?.message, 'self-signed')

  const expiredPort = await listen(t, https.createServer(expired, answer))
  const late = await send(t, `https://127.0.0.1:${expiredPort}`, {
    ca: expired.cert,
    rejectUnauthorized: true,
  })
  t.equal(late.failure?.kind, 'tls')
  t.match(late.failure?.message, 'expired')

  const elsewhere = await listen(t, https.createServer(good, answer))
  const other = await send(t, `https://127.0.0.2:${elsewhere}`, { ca: good.cert, rejectUnauthorized: true })
  t.match(other.failure?.kind, /^tls|refused$/, 'for another host, where this system has a second loopback')
})

t.test('a client certificate', async (t) => {
  const client = certificate('200101000000Z', '491231235959Z')
  const asking = { ...good, ca: client.cert, requestCert: true, rejectUnauthorized: true }
  const port = await listen(t, https.createServer(asking, answer))
  const tls = { ca: good.cert, rejectUnauthorized: true }
  // Node's server closes without the alert that would tell why.
  t.match((await send(t, `https://127.0.0.1:${port}`, tls)).failure?.kind, /^tls|reset$/, 'is missed')
  const { response } = await send(t, `https://127.0.0.1:${port}`, { ...tls, ...client })
  t.equal(response?.status, 200, 'is shown')
})

t.test('a declared certificate that is none', async (t) => {
  const port = await listen(t, https.createServer(good, answer))
  const { failure } = await send(t, `https://127.0.0.1:${port}`, {
    ...good,
    cert: 'none',
    rejectUnauthorized: true,
  })
  t.equal(failure?.kind, 'tls')
  t.match(failure?.message, 'declares')
})

t.test('a handshake without end', async (t) => {
  let closed: () => void
  const gone = new Promise<void>((resolve) => {
    closed = resolve
  })
  const server = net.createServer((socket) => socket.on('close', closed).resume())
  const { failure } = await send(t, `https://127.0.0.1:${await listen(t, server)}`, undefined, 100)
  t.equal(failure?.kind, 'timeout')
  await gone
  t.pass('leaves no connection behind')
})

t.test('no TLS there', async (t) => {
  const port = await listen(t, http.createServer(answer))
  const { failure } = await send(t, `https://127.0.0.1:${port}`)
  t.equal(failure?.kind, 'tls')
  t.match(failure?.message, /^[A-Z].*\.$/)
  const closing = http.createServer(answer)
  closing.on('connection', (socket) => socket.destroy())
  const closed = await send(t, `https://127.0.0.1:${await listen(t, closing)}`)
  t.equal(closed.failure?.kind, 'tls')
})
