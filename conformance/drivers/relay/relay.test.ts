import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import t from 'tap'
import { obtainCertificate } from '../../../reference/tls/certificate.js'
import { listen } from '../../../tools/interop/listen.js'
import type { Exchange, UnreadPiece } from '../../exchange/exchange.js'
import { startExchangeRelay } from './exchange-relay.js'

const traffic = () => {
  const all: (Exchange | UnreadPiece)[] = []
  return { all, onTraffic: (one: Exchange | UnreadPiece) => void all.push(one) }
}

t.test('a client that never ends its TLS handshake takes no room, and holds up no end', async (t) => {
  const certificate = await obtainCertificate('self-signed', '127.0.0.1')
  const relay = await startExchangeRelay({
    baseUrl: 'http://127.0.0.1:1',
    certificate,
    keeps: () => true,
    ...traffic(),
  })
  const wrong = connect({ port: relay.port, host: '127.0.0.1' })
  wrong.on('error', () => undefined).write('GET / HTTP/1.1\r\n\r\n')
  wrong.resume()
  await once(wrong, 'close')
  t.pass('what is no handshake is closed')
  const silent = connect({ port: relay.port, host: '127.0.0.1' })
  silent.on('error', () => undefined)
  await once(silent, 'connect')
  const gone = once(silent.resume(), 'close')
  await relay.close(0)
  await gone
  t.pass('what is silent is closed at the end')
})

t.test('heads that wait for answers are bounded, of all connections together', async (t) => {
  const head = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(60_000)}\r\n\r\n`
  let received = 0
  let all: () => void = () => undefined
  const isAll = new Promise<void>((resolve) => {
    all = resolve
  })
  const server = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        received += bytes.length
        if (received === 5 * head.length) all()
      }),
  )
  await using service = await listen(server)
  const seen = traffic()
  const relay = await startExchangeRelay({
    baseUrl: service.url,
    limits: { bodyBytes: 100_000 },
    allowHosts: ['x'],
    keeps: () => true,
    ...seen,
  })
  const client = connect({ port: relay.port, host: '127.0.0.1' })
  client.on('error', () => undefined).write(head.repeat(5))
  await isAll
  await relay.close(0)
  t.equal(seen.all.filter((one) => 'request' in one).length, 1)
  t.match(
    seen.all.filter((one) => !('request' in one)),
    [{ from: 'client', why: 'more bytes wait for their answers than are held' }],
  )
})
