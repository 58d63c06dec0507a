import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import { startReference } from '../../tests/fixtures/reference.js'
import type { ReferenceServer } from '../server.js'
import type { Fault } from './fault.js'

const good = 'grant_type=password&username=ann&password=Secret-1'
const agent = new Agent({ connections: 1, pipelining: 1 })
t.teardown(() => agent.close())

async function start(t: Test, ...faults: readonly Fault[]): Promise<ReferenceServer> {
  const accounts = [
    { userName: 'ann', password: 'Secret-1' },
    { userName: 'bob', password: 'Other-1' },
  ]
  const server = await startReference(t, { accounts })
  for (const fault of faults) server.faults.add(fault)
  return server
}

/** A real client: what it makes of the answer, or of none. */
async function post(server: ReferenceServer, body = good, path = '/Token', dispatcher = agent) {
  const response = await request(`${server.url}${path}`, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
  const { statusCode: status, headers } = response
  return { status, headers, text: await response.body.text() }
}

t.test('status: another answer in place of the service’s, which does nothing', async (t) => {
  const server = await start(t)
  const issued: string[] = []
  server.on('issued', ({ userName }) => issued.push(userName))
  const fault = server.faults.add({
    kind: 'status',
    status: 429,
    headers: { 'Retry-After': '7' },
    body: { error: 'slow_down' },
    times: 2,
  })
  t.strictSame(fault, {
    kind: 'status',
    status: 429,
    headers: { 'Retry-After': '7' },
    body: { error: 'slow_down' },
    times: 2,
    id: '1',
    hits: 0,
  })
  for (const _ of [1, 2]) {
    t.match(await post(server), {
      status: 429,
      headers: { 'retry-after': '7', 'content-type': 'application/json;charset=UTF-8' },
      text: '{"error":"slow_down"}',
    })
  }
  t.strictSame(issued, [])
  t.match(await post(server), { status: 200 }, 'twice, and no more')
  t.strictSame(issued, ['ann'])
  t.match(server.faults.list(), [{ id: '1', hits: 2 }])
  t.match(server.journal.entries(), [{ status: 429, faults: ['1'] }, { status: 429 }, { status: 200 }])
  t.notOk('faults' in (server.journal.entries()[2] ?? {}))
  server.faults.clear()
  server.faults.add({ kind: 'status', status: 503, body: 'gone fishing' })
  t.match(await post(server), {
    status: 503,
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    text: 'gone fishing',
  })
  server.faults.clear()
  server.faults.add({ kind: 'status', status: 204 })
  const { headers } = await post(server)
  t.notOk('content-length' in headers)
})

t.test('delay: the answer is late, and whole', async (t) => {
  const server = await start(t, { kind: 'delay', ms: 60, jitterMs: 20 }, { kind: 'delay', ms: 40 })
  const started = performance.now()
  t.match(await post(server), { status: 200 })
  // Timers may fire a millisecond early.
  t.ok(performance.now() - started >= 99)
})

t.test('drop: no answer, though what was asked for is done', async (t) => {
  for (const reset of [false, true]) {
    const server = await start(t, { kind: 'drop', reset, times: 1 })
    const issued = new Promise((resolve) => server.once('issued', resolve))
    await t.rejects(post(server), { code: reset ? 'ECONNRESET' : 'UND_ERR_SOCKET' })
    t.match(await issued, { userName: 'ann' })
    t.match(server.journal.entries(), [{ status: 0, faults: ['1'] }])
    t.match(await post(server), { status: 200 })
  }
})

t.test('truncate: the connection ends within the body', async (t) => {
  for (const bytes of [0, 1, 20, undefined]) {
    const server = await start(t, { kind: 'truncate', ...(bytes !== undefined && { bytes }), times: 1 })
    const response = await request(`${server.url}/Token`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: good,
    })
    t.equal(response.statusCode, 200)
    const announced = Number(response.headers['content-length'])
    let received = 0
    const reading = async (): Promise<void> => {
      for await (const chunk of response.body) received += chunk.length
    }
    await t.rejects(reading(), { code: 'UND_ERR_SOCKET' })
    t.equal(received, bytes ?? Math.floor(announced / 2))
    t.match(await post(server), { status: 200 })
  }
})

t.test('truncate: where there is nothing to cut, the connection is kept', async (t) => {
  const server = await start(
    t,
    { kind: 'truncate', bytes: 60_000, times: 1 },
    { kind: 'truncate', match: { method: 'HEAD' } },
  )
  const kept = new HttpAgent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => kept.destroy())
  const ask = async (method: string): Promise<IncomingMessage> => {
    const sent = httpRequest(`${server.url}/Token`, {
      method,
      agent: kept,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const [response] = await once(sent.end(method === 'POST' ? good : ''), 'response')
    await text(response)
    return response
  }
  server.faults.add({ kind: 'status', status: 204, body: 'none', match: { method: 'PUT' } })
  server.faults.add({ kind: 'truncate', bytes: 1, match: { method: 'PUT' } })
  const sockets = new Set<unknown>()
  for (const [method, status] of [
    ['POST', 200],
    ['HEAD', 405],
    ['PUT', 204],
    ['POST', 200],
  ] as const) {
    const { statusCode, socket } = await ask(method)
    t.equal(statusCode, status)
    sockets.add(socket)
  }
  t.match(server.faults.list(), [{ hits: 1 }, { hits: 1 }, { hits: 1 }, { hits: 1 }])
  t.equal(sockets.size, 1)
})

t.test('malformed JSON: a whole answer that cannot be read', async (t) => {
  const server = await start(t, { kind: 'malformed-json' })
  const { status, headers, text } = await post(server)
  t.equal(status, 200)
  t.equal(headers['content-length'], String(Buffer.byteLength(text)))
  t.throws(() => JSON.parse(text), SyntaxError)
  t.doesNotThrow(() => JSON.parse(`${text}}`))
})

t.test('drip: the body comes in pieces, and whole', async (t) => {
  const server = await start(t, { kind: 'drip', bytes: 50, everyMs: 5 })
  const started = performance.now()
  const { text } = await post(server)
  const pieces = Math.ceil(Buffer.byteLength(text) / 50)
  t.ok(performance.now() - started >= (pieces - 1) * 4)
  t.match(JSON.parse(text), { userName: 'ann' })
})

t.test('faults meet whom they are meant for, after as many as they let through', async (t) => {
  const teapot = { kind: 'status', status: 418 } as const
  const server = await start(t)
  const bob = 'grant_type=password&username=bob&password=Other-1'
  const meets = async (match: NonNullable<Fault['match']>): Promise<readonly boolean[]> => {
    server.faults.clear()
    server.faults.add({ ...teapot, match })
    const answers = [await post(server), await post(server, bob), await post(server, good, '/accounts')]
    return answers.map(({ status }) => status === 418)
  }
  t.strictSame(await meets({}), [true, true, true])
  t.strictSame(await meets({ method: 'GET' }), [false, false, false])
  t.strictSame(await meets({ path: '/Token' }), [true, true, false])
  t.strictSame(await meets({ path: '/T*' }), [true, true, false])
  t.strictSame(await meets({ path: '*o*n*' }), [true, true, true])
  t.strictSame(await meets({ path: '/Token*n' }), [false, false, false])
  t.strictSame(await meets({ userName: 'bob' }), [false, true, false])
  t.strictSame(await meets({ grantType: 'password', userName: 'ann' }), [true, false, true])
  server.faults.clear()
  server.faults.add({ ...teapot, after: 2, times: 1, match: { userName: 'ann' } })
  const statuses: number[] = []
  for (const body of [good, bob, good, good, good]) statuses.push((await post(server, body)).status)
  t.strictSame(statuses, [200, 200, 200, 418, 200])
  t.equal(server.faults.remove('1'), false)
  const [{ id } = { id: '' }] = server.faults.list()
  t.equal(server.faults.remove(id), true)
  server.faults.add(teapot)
  server.reset()
  t.match(await post(server), { status: 200 }, 'a reset clears them')
})

t.test('a pattern from outside cannot keep the server busy', async (t) => {
  const server = await start(t, {
    kind: 'status',
    status: 418,
    match: { path: `${'*a'.repeat(400)}*b` },
  })
  const before = process.cpuUsage()
  t.match(await post(server, good, `/${'a'.repeat(8000)}`), { status: 404 })
  t.ok(process.cpuUsage(before).user < 1_000_000, 'microseconds')
})

t.test('what is no fault is named', async (t) => {
  const server = await start(t)
  const nested = Array.from({ length: 40_000 }).reduce((inner) => [inner], [])
  const wrong: readonly [object, RegExp][] = [
    [{}, /fault to have a member kind/],
    [{ kind: 'none' }, /kind to be one of status, delay, drop, truncate, malformed-json, drip/],
    [{ kind: 'status' }, /fault to have a member status/],
    [{ kind: 'status', status: 100 }, /status to be a whole number from 200 to 599/],
    [{ kind: 'delay' }, /fault to have a member ms/],
    [{ kind: 'delay', ms: 1.5 }, /ms to be/],
    [{ kind: 'delay', ms: 1, jitter: 1 }, /to have no member "jitter"/],
    [{ kind: 'drop', times: 0 }, /times/],
    [{ kind: 'drop', match: { method: 'post' } }, /match\.method to be one such as POST/],
    [{ kind: 'drop', match: { path: 'Token' } }, /match\.path to be one such as \/Token/],
    [{ kind: 'drop', match: { user: 'x' } }, /match to have no member but .* found "user"/],
    [{ kind: 'status', status: 200, headers: { 'X-A': 'b\r\nX-C: d' } }, /headers/],
    [{ kind: 'status', status: 200, headers: { 'Content-Length': '1' } }, /headers/],
    [{ kind: 'status', status: 200, headers: ['X'] }, /headers/],
    [{ kind: 'status', status: 200, headers: { Trailer: 'X' } }, /headers .* Trailer/],
    [{ kind: 'status', status: 200, headers: { date: 'X' } }, /headers .* Date/],
    [{ kind: 'status', status: 200, body: nested }, /less deeply nested/],
    [{ kind: 'status', status: 200, body: () => 1 }, /body to be JSON/],
    [{ kind: 'status', status: 200, body: Symbol('x') }, /body to be JSON/],
    [{ kind: 'status', status: 200, body: 'x'.repeat(70_000) }, /body to be JSON of at most/],
  ]
  for (const [fault, message] of wrong)
    t.throws(() => server.faults.add(fault as Fault), { code: 'bad-request', message }, String(message))
  for (let count = 0; count < 100; count++) server.faults.add({ kind: 'drop' })
  t.throws(() => server.faults.add({ kind: 'drop' }), { code: 'full' })
})

t.test('a client that gives up is not held, however long the fault is', async (t) => {
  const hour = 3_600_000
  for (const fault of [
    { kind: 'delay', ms: hour },
    { kind: 'drip', everyMs: hour },
  ] as const) {
    const server = await start(t, fault)
    const giveUp = new AbortController()
    const answer = request(`${server.url}/Token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: good,
      signal: giveUp.signal,
    }).then(({ body }) => body.text())
    await server.journal.waitFor({ status: 200 })
    giveUp.abort()
    await t.rejects(answer, { name: 'AbortError' })
    // It would wait for the answer, and the test for it.
    await server.close(hour)
  }
})

t.test('a client that ends its side has its answer at once', async (t) => {
  for (const fault of [
    { kind: 'delay', ms: 3_600_000 },
    { kind: 'drip', everyMs: 3_600_000 },
  ] as const) {
    const server = await start(t, fault)
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${good.length}\r\n\r\n${good}`,
    )
    await server.journal.waitFor({ status: 200 })
    t.match(await text(socket.end()), /^HTTP\/1\.1 200 OK\r\n.*"userName":"ann"/s)
  }
})

t.test('so many requests are met as was said, however many come at once', async (t) => {
  const server = await start(t, { kind: 'status', status: 503, times: 7, after: 5 })
  const scope = server.scopes.create('w')
  scope.faults.add({ kind: 'status', status: 418, times: 3 })
  const many = new Agent({ connections: 20 })
  t.teardown(() => many.close())
  const statuses = async (path: string): Promise<readonly number[]> => {
    const answers = Array.from({ length: 40 }, () => post(server, good, path, many))
    return (await Promise.all(answers)).map(({ status }) => status).toSorted()
  }
  const [own, scoped] = await Promise.all([statuses('/Token'), statuses('/scopes/w/Token')])
  t.strictSame(own, [...Array(33).fill(200), ...Array(7).fill(503)])
  t.strictSame(scoped, [...Array(37).fill(200), ...Array(3).fill(418)])
  t.match(server.faults.list(), [{ hits: 7 }])
  t.match(scope.faults.list(), [{ hits: 3 }])
})

t.test('what was given is copied', async (t) => {
  const body = { error: 'slow_down' }
  const server = await start(t, { kind: 'status', status: 400, body })
  body.error = 'changed'
  t.match(await post(server), { text: '{"error":"slow_down"}' })
})

t.test('a request for a scope that there is not meets no fault of the others', async (t) => {
  const server = await start(t, { kind: 'status', status: 503, times: 1 })
  server.scopes.create('w').faults.add({ kind: 'status', status: 418 })
  t.match(await post(server, good, '/scopes/gone/Token'), { status: 404 })
  t.match(server.faults.list(), [{ hits: 0 }])
  t.match(await post(server), { status: 503 })
})
