import http from 'node:http'
import t from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { Barrier } from './barrier.js'
import { createExecutor } from './executor.js'
import { Semaphore } from './request-queue.js'

t.test('the last byte of each body is held back until all have come so far', async (t) => {
  const events: string[] = []
  const server = http.createServer((request, response) => {
    request.on('data', (chunk: Buffer) => events.push(chunk.toString()))
    request.on('end', () => response.end(request.headers['content-length']))
  })
  const executor = createExecutor({
    origin: `http://${await serve(t, server)}`,
    timeoutMs: 60_000,
    headers: [],
    limit: new Semaphore(3),
    signal: new AbortController().signal,
  })
  t.teardown(() => executor.close())
  const barrier = new Barrier(3, 50_000)
  const send = (text: string) =>
    executor.send(
      { method: 'POST', path: '/', headers: [], body: Buffer.from(text) },
      text === '' ? {} : { place: barrier.place() },
    )
  const early = [send('abcX'), send('defY')]
  // Once round the service and back: what had been sent without the barrier would have come.
  await send('')
  await send('')
  t.notOk(
    events.some((text) => /[XYZ]/.test(text)),
    'nothing is complete before the third',
  )
  const exchanges = await Promise.all([...early, send('ghiZ')])
  t.strictSame(events.filter((text) => text.length === 1).sort(), ['X', 'Y', 'Z'])
  t.strictSame(
    exchanges.map(({ response }) => Buffer.from(response?.body ?? []).toString()),
    ['4', '4', '4'],
    'the length is announced',
  )
  const { response } = await send('late')
  t.equal(response?.status, 200, 'what comes later finds it open')
})

t.test('one that never comes is not waited for without end', async (t) => {
  const wakes: (() => void)[] = []
  const sleep = (_: number, wake: () => void) => {
    wakes.push(wake)
    return () => undefined
  }
  const clock = { now: () => 0, sleep }
  const barrier = new Barrier(2, 50, clock)
  const place = barrier.place()
  place.arrive()
  t.equal(wakes.length, 1)
  wakes[0]?.()
  await place.opened
  await barrier.place().opened
})

t.test('they go on in the order of their places, whichever comes first', async (t) => {
  const barrier = new Barrier(3, 50_000)
  const places = [barrier.place(), barrier.place(), barrier.place()]
  const gone: number[] = []
  const all = places.map(({ opened }, index) => opened.then(() => gone.push(index)))
  for (const { arrive } of places.toReversed()) {
    arrive()
    arrive()
  }
  await Promise.all(all)
  t.strictSame(gone, [0, 1, 2])
})
