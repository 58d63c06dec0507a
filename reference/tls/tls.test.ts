import { X509Certificate } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import t from 'tap'
import { Agent, request } from 'undici'
import type { LogLine } from '../log.js'
import { type ReferenceServer, startReferenceServer } from '../server.js'
import { selfSigned } from './self-signed.js'

const accounts = [{ userName: 'ann', password: 'Secret-1' }]

async function signIn(server: ReferenceServer, ca?: string): Promise<number> {
  const agent = new Agent({ connect: ca === undefined ? {} : { ca } })
  try {
    const response = await request(`${server.url}/Token`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=password&username=ann&password=Secret-1',
    })
    await response.body.dump()
    return response.statusCode
  } finally {
    await agent.destroy()
  }
}

t.test('a certificate that is made at the start', async (t) => {
  const server = await startReferenceServer({ accounts, hashing: 'fast', tls: 'self-signed' })
  t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const { certificate = '' } = server
  t.equal(await signIn(server, certificate), 200)
  await t.rejects(signIn(server), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const { subjectAltName } = new X509Certificate(certificate)
  for (const name of ['DNS:localhost', 'IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1'])
    t.ok(subjectAltName?.includes(name), name)
  server.faults.add({ kind: 'drop', reset: true, times: 1 })
  await t.rejects(signIn(server, certificate), { code: /ECONNRESET|UND_ERR_SOCKET/ })
  t.equal(await signIn(server, certificate), 200)

  const idle = connect({ port: server.port, host: '127.0.0.1', ca: certificate })
  await new Promise((resolve) => idle.once('secureConnect', resolve))
  const ended = new Promise((resolve) => idle.once('close', resolve).resume())
  await server.close()
  await ended
})

t.test('a certificate of one’s own', async (t) => {
  const { cert, key } = await selfSigned('127.0.0.1')
  const dir = t.testdir()
  const [certFile, keyFile] = [join(dir, 'c.pem'), join(dir, 'k.pem')]
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  for (const tls of [
    { cert, key },
    { certFile, keyFile },
  ]) {
    await using server = await startReferenceServer({ accounts, hashing: 'fast', tls })
    t.equal(await signIn(server, cert), 200)
  }
  const other = await selfSigned('127.0.0.1')
  await t.rejects(startReferenceServer({ tls: { cert, key: other.key } }), { message: /its own private key/ })
  await t.rejects(startReferenceServer({ tls: { cert: 'x', key: 'y' } }), { message: /in PEM/ })
  await t.rejects(startReferenceServer({ tls: { certFile: join(dir, 'none.pem'), keyFile } }), {
    message: /tls\.certFile: .*none\.pem cannot be read/,
  })
})

t.test('a client of the wrong protocol is reported in words', async (t) => {
  const seen = new EventEmitter()
  const log = ({ event, reason }: LogLine): void =>
    void (event === 'turned-away' && seen.emit(String(reason)))
  await using plain = await startReferenceServer({ hashing: 'fast', log })
  await using secure = await startReferenceServer({ hashing: 'fast', log, tls: 'self-signed' })
  const reasons = [
    once(seen, 'TLS came to a port of plain HTTP: the URL must begin with http:'),
    once(seen, 'plain HTTP came to a port of TLS: the URL must begin with https:'),
    once(seen, 'the headers are longer than 16,384 bytes'),
  ]
  await t.rejects(request(plain.url.replace('http:', 'https:')))
  await t.rejects(request(secure.url.replace('https:', 'http:')))
  t.match(await request(plain.url, { headers: { x: 'x'.repeat(17_000) } }), { statusCode: 431 })
  await Promise.all(reasons)
})
