import { once } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import type { Exchange, UnreadPiece } from '../../exchange/exchange.js'
import { startExchangeRelay } from './exchange-relay.js'

t.test('a body that is not encoded as it says is none, and not one of no bytes', async (t) => {
  const service = createServer((_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('{"access_token":"abc"}')
  }).listen(0, '127.0.0.1')
  t.teardown(() => service.close())
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const exchanges: (Exchange | UnreadPiece)[] = []
  const relay = await startExchangeRelay({
    baseUrl: `http://127.0.0.1:${port}`,
    keeps: () => true,
    onTraffic: (traffic) => exchanges.push(traffic),
  })
  await fetch(relay.url, { headers: { Connection: 'close' } })
    .then((answer) => answer.text())
    .catch(() => '')
  await relay.close(2000)
  await relay.settled()
  t.match(exchanges, [{ failure: { kind: 'encoding' }, response: { status: 200, truncated: true } }])
  t.match(exchanges, [{ response: { body: { length: 0 } } }])
})
