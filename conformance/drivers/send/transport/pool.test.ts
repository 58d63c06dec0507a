import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { createExecutor } from './executor.js'
import { Semaphore } from './request-queue.js'

const get = { method: 'GET', path: '/', headers: [] }

/** An executor with so many connections, and the one of each exchange so far. */
async function connectionsOf(t: Test, width: number) {
  const order: Socket[] = []
  const server = http.createServer(({ socket }, response) => {
    order.push(socket)
    response.end()
  })
  const origin = `http://${await serve(t, server)}`
  const { signal } = new AbortController()
  const limit = new Semaphore(width)
  const executor = createExecutor({ origin, timeoutMs: 60_000, headers: [], limit, signal })
  t.teardown(() => executor.close())
  return { executor, order }
}

t.test('connections are lent in turn, and each carries a part of the exchanges', async (t) => {
  const { executor, order } = await connectionsOf(t, 4)
  const send = (once: boolean) => executor.send(get, { once })
  await Promise.all(Array.from({ length: 4 }, () => send(false)))
  const first = order.length
  t.equal(new Set(order).size, 4)
  for (let count = 0; count < 8; count++) await send(count % 2 === 0)
  const then = order.slice(first)
  t.equal(new Set(then.slice(0, 4)).size, 4, 'one after the other, whatever may be sent twice')
  t.strictSame(then.slice(4), then.slice(0, 4))
  for (let count = 0; count < 160; count++) await send(false)
  const carried = [...new Set(order)].map((socket) => order.filter((one) => one === socket).length)
  t.ok(Math.max(...carried) <= 32)
  t.equal(carried.length, 8, 'others have taken the place of the first four')
})

t.test('exchanges that share a connection have it to themselves', async (t) => {
  const { executor, order } = await connectionsOf(t, 4)
  const others = () => Promise.all(Array.from({ length: 9 }, () => executor.send(get)))
  await others()
  await executor.send(get, { sharing: { keepFor: 'a' } })
  const own = order.at(-1)
  t.equal(order.indexOf(own as Socket), order.length - 1, 'it has carried nothing')
  await others()
  await executor.send(get, { sharing: { keptFor: 'a', keepFor: 'a' } })
  t.equal(order.at(-1), own)
  await others()
  await executor.send(get, { sharing: { keptFor: 'a' } })
  t.equal(order.at(-1), own)
  t.equal(order.filter((socket) => socket === own).length, 3)
  const before = order.length
  await others()
  t.ok(order.slice(before).includes(own as Socket), 'after the last of them it is one of all')
})

t.test('what is kept twice for a name, and what is kept at the end, is ended', async (t) => {
  const { executor, order } = await connectionsOf(t, 4)
  await executor.send(get, { sharing: { keepFor: 'a' } })
  await executor.send(get, { sharing: { keepFor: 'a' } })
  const [first, second] = order
  t.not(first, second)
  await once(first as Socket, 'close')
  await Promise.all([executor.close(), once(second as Socket, 'close')])
})
