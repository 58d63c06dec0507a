import http from 'node:http'
import t from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { createExecutor } from './executor.js'
import { Semaphore } from './request-queue.js'

t.test('connections are lent in turn, and each carries a part of the exchanges', async (t) => {
  const carried = new Map<object, number>()
  const order: object[] = []
  const server = http.createServer(({ socket }, response) => {
    carried.set(socket, (carried.get(socket) ?? 0) + 1)
    order.push(socket)
    response.end()
  })
  const origin = `http://${await serve(t, server)}`
  const { signal } = new AbortController()
  const limit = new Semaphore(4)
  const executor = createExecutor({ origin, timeoutMs: 60_000, headers: [], limit, signal })
  t.teardown(() => executor.close())
  const send = (once: boolean) => executor.send({ method: 'GET', path: '/', headers: [] }, { once })
  await Promise.all(Array.from({ length: 4 }, () => send(false)))
  const first = order.length
  t.equal(carried.size, 4)
  for (let count = 0; count < 8; count++) await send(count % 2 === 0)
  const then = order.slice(first)
  t.equal(new Set(then.slice(0, 4)).size, 4, 'one after the other, whatever may be sent twice')
  t.strictSame(then.slice(4), then.slice(0, 4))
  for (let count = 0; count < 160; count++) await send(false)
  t.ok(Math.max(...carried.values()) <= 32)
  t.equal(carried.size, 8, 'others have taken the place of the first four')
})
