import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import { serve } from '../../tests/fixtures/serve.js'
import { connectControl } from '../control/client.js'
import type { LogLine } from '../log.js'
import type { ReferenceServer } from '../server.js'
import type { Control } from './control.js'

const secret = 'a-secret-of-the-tests'

const start = (t: Test, log: (line: LogLine) => void = () => undefined): Promise<ReferenceServer> =>
  startReference(t, { control: { secret }, log })

const outside = ({ controlUrl = '' }: ReferenceServer): Promise<Control> =>
  connectControl({ url: controlUrl, secret })

/** Asks for an entry that never comes, and waits no longer than the connection lasts. */
async function ask({ controlUrl = '' }: ReferenceServer): Promise<Socket> {
  const socket = connect(Number(new URL(controlUrl).port), '127.0.0.1')
  const body = JSON.stringify({ match: { status: 599 }, timeoutMs: 600_000 })
  socket.write(
    `POST /journal/wait HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

t.test('a client that goes away waits no longer, however it goes', async (t) => {
  const rejected = new EventEmitter()
  let answered = 0
  const server = await start(t, ({ event, path }) => {
    if (event !== 'control' || path !== '/journal/wait') return
    answered += 1
    rejected.emit(String(answered))
  })
  const allAnswered = once(rejected, '101')
  // No answer says that one waits: the one too many proves that all others do.
  const clients = await Promise.all(Array.from({ length: 101 }, () => ask(server)))
  const refused = await Promise.race(
    clients.map(async (socket) => {
      const [answer] = await once(socket, 'data')
      return { socket, answer: String(answer) }
    }),
  )
  t.match(refused.answer, /^HTTP\/1\.1 429 .*100 are waiting/s)
  refused.socket.destroy()
  const waiting = clients.filter((socket) => socket !== refused.socket)
  for (const socket of waiting.slice(50)) socket.resetAndDestroy()
  await Promise.all(
    waiting.slice(0, 50).map(async (socket) => {
      const [answer] = await Promise.all([once(socket, 'data'), socket.end()])
      t.match(String(answer), /^HTTP\/1\.1 408 .*ended its side/s)
    }),
  )
  await allAnswered
  const control = await outside(server)
  await t.rejects(control.journal.waitFor({ status: 599 }, { timeoutMs: 1 }), { code: 'timeout' })
})

for (const [name, reach] of [
  ['in the process', async (server: ReferenceServer): Promise<Control> => server],
  ['from outside', outside],
] as const) {
  t.test(`a wait is given up, ${name}`, async (t) => {
    const server = await start(t)
    const control = await reach(server)
    const reason = new Error('enough')
    const given = AbortSignal.abort(reason)
    await t.rejects(control.journal.waitFor({}, { signal: given }), reason)
    const waits = Array.from({ length: 100 }, () => {
      const controller = new AbortController()
      const waiting = control.journal.waitFor({ status: 599 }, { signal: controller.signal })
      return { controller, rejected: t.rejects(waiting, reason) }
    })
    for (const { controller } of waits) controller.abort(reason)
    await Promise.all(waits.map(({ rejected }) => rejected))
    await fetch(`${server.url}/nowhere`)
    t.match(await control.journal.waitFor({ status: 404 }), { path: '/nowhere' })
  })

  t.test(`what cannot be waited for is said, ${name}`, async (t) => {
    const server = await start(t)
    const control = await reach(server)
    const wrong: readonly [unknown, object, RegExp][] = [
      [{ refusal: 'wrong' }, {}, /refusal to be one of unknown-path/],
      [{ status: '400' }, {}, /status to be a whole number/],
      [{ status: Number.NaN }, {}, /status to be/],
      [{ stauts: 400 }, {}, /found "stauts"/],
      [{ after: -1 }, {}, /after to be/],
      [{ path: '' }, {}, /path to be one such as \/Token/],
      [{ path: 'Token' }, {}, /path to be one such as/],
      [{ path: '/Token?x=y' }, {}, /path to be .* without a query/],
      [{ method: 'post' }, {}, /method to be one such as POST/],
      [null, {}, /match to be an object/],
      [[], {}, /match to be an object/],
      [{}, { timeoutMs: Number.NaN }, /timeoutMs to be a whole number from 0 to 600000/],
      [{}, { timeoutMs: 600_001 }, /timeoutMs/],
      [{}, { timeoutMs: '5' }, /timeoutMs/],
      [{}, { timeout: 5 }, /found "timeout"/],
    ]
    for (const [match, options, message] of wrong)
      await t.rejects(
        async () => control.journal.waitFor(match as never, options),
        { code: 'bad-request', message },
        JSON.stringify([match, options]),
      )
    const path = `/${'x'.repeat(300)}`
    await fetch(server.url + path)
    t.match(await control.journal.waitFor({ path, status: 404 }), { id: 1 }, 'a path longer than is kept')
  })
}

t.test('a function that throws harms only the test that gave it', async (t) => {
  const server = await start(t)
  const broken = server.journal.waitFor(() => {
    throw new Error('a test that is wrong')
  })
  const rejected = t.rejects(broken, { message: 'a test that is wrong' })
  const other = server.journal.waitFor(({ status }) => status === 404)
  t.match(await fetch(`${server.url}/nowhere`), { status: 404 })
  t.match(await other, { id: 1 })
  await rejected
  await t.rejects(
    server.journal.waitFor(() => {
      throw new Error('at once')
    }),
    { message: 'at once' },
  )
  const control = await outside(server)
  const match = (() => true) as never
  await t.rejects(async () => control.journal.waitFor(match), { code: 'bad-request' }, 'it cannot be sent')
})

t.test('no one waits for a server that has stopped', async (t) => {
  const server = await start(t)
  const scope = server.scopes.create('w')
  await server.close()
  await t.rejects(server.journal.waitFor({}), { code: 'stopped' })
  await t.rejects(scope.journal.waitFor({}), { code: 'stopped' })
})

t.test('a server that cannot be reached is reported with a reason', async (t) => {
  const at = async (listener: RequestListener): Promise<string> => `http://${await serve(t, listener)}`
  const silent = await at(() => undefined)
  const page = await at((_, response) => response.end('<h1>It works!</h1>'))
  const broken = await at((_, response) => response.writeHead(502).end())
  const elsewhere = await at((_, response) =>
    response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
  )
  const server = await start(t)
  const none = await start(t)
  const gone = await outside(none)
  await none.close()
  const cases: readonly [object, { readonly code?: string; readonly message?: RegExp }][] = [
    [{ url: none.controlUrl }, { code: 'unreachable', message: /at http:\/\/127.* ECONNREFUSED/ }],
    [
      { url: server.url },
      { code: 'unreachable', message: /is no control plane \(status 404\): is it the port of/ },
    ],
    [{ url: page }, { code: 'unreachable', message: /status 200/ }],
    [{ url: broken }, { code: 'unreachable', message: /status 502/ }],
    [{ url: elsewhere }, { code: 'unreachable', message: /status 307/ }],
    [
      { url: silent, timeoutMs: 20 },
      { code: 'unreachable', message: /no answer within 20 ms/ },
    ],
    [{ url: server.controlUrl, secret: `${secret}x` }, { code: 'unauthorized' }],
    [
      { url: server.controlUrl, secret: 'short' },
      { code: 'bad-request', message: /16 to 1024/ },
    ],
    [{ url: server.controlUrl, secret: `${secret}\r\nX: y` }, { code: 'bad-request' }],
    [{ url: '127.0.0.1:5001' }, { code: 'bad-request', message: /expected the url .* found "127/ }],
    [{ url: undefined }, { code: 'bad-request', message: /expected the url/ }],
    [
      { url: server.controlUrl, timeoutMs: Number.NaN },
      { code: 'bad-request', message: /timeoutMs to be a whole number/ },
    ],
  ]
  for (const [options, expected] of cases)
    t.match(
      await connectControl({ secret, ...options } as never).catch((error) => error),
      expected,
      JSON.stringify(options),
    )
  // A missing entry is distinguished from a missing server.
  await t.rejects(async () => gone.accounts.remove('ann'), { code: 'unreachable' })
  await t.rejects(async () => gone.scopes.remove('w'), { code: 'unreachable' })
})

t.test('a journal of no entries keeps none, and is written for who waits', async (t) => {
  const server = await startReference(t, { limits: { journal: 0 } })
  const ask = (): Promise<Response> => fetch(`${server.url}/Token`, { method: 'POST', body: 'no grant type' })
  await ask()
  const waiting = server.journal.waitFor({ status: 400 })
  await ask()
  t.match(await waiting, { method: 'POST', path: '/Token', refusal: String, reason: String })
  t.strictSame(server.journal.entries(), [])
  const refused: string[] = []
  server.on('refused', ({ reason }) => refused.push(reason))
  await ask()
  await ask()
  t.equal(refused.length, 2, 'a listener is served too')
})
