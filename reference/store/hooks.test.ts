import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import { connectControl } from '../control/client.js'
import type { LogLine } from '../log.js'
import type { ReferenceServer, ReferenceServerOptions } from '../server.js'
import type { Control } from './control.js'

const secret = 'a-secret-of-the-tests'
const ann = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' }

const start = (t: Test, options: ReferenceServerOptions = {}): Promise<ReferenceServer> =>
  startReference(t, { accounts: [ann], control: { secret }, ...options })

/** The same test inside the process and outside. */
function forBoth(
  name: string,
  body: (t: Test, server: ReferenceServer, control: Control) => Promise<void>,
): void {
  for (const where of ['in the process', 'from outside'])
    t.test(`${name}, ${where}`, async (t) => {
      const server = await start(t)
      const control =
        where === 'in the process' ? server : await connectControl({ url: server.controlUrl ?? '', secret })
      await body(t, server, control)
    })
}

async function signIn(url: string, password = ann.password, headers = {}) {
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann', password })
  const response = await fetch(`${url}/Token`, { method: 'POST', body, headers })
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text }
}

forBoth('members are set and removed, status and headers changed', async (t, _, control) => {
  const hook = await control.respond(
    { path: '*/Token', status: 200 },
    {
      status: 201,
      headers: { 'cache-control': null, pragma: 'odd', 'X-Odd': 'yes' },
      set: { expires_in: '3599', extra: [1], __proto__: 'x' },
      remove: ['userName', 'none'],
    },
    { times: 2, after: 1 },
  )
  t.match(hook, { id: '1', hits: 0, times: 2, after: 1, match: { status: 200 }, change: { status: 201 } })
  const plain = await signIn(control.url)
  t.match(plain, { status: 200, headers: { 'cache-control': 'no-store' } }, 'one is let through')
  t.match(await signIn(control.url, 'wrong'), { status: 400 }, 'another status is not met')
  for (const _ of [1, 2]) {
    const odd = await signIn(control.url)
    t.match(odd, { status: 201, headers: { pragma: 'odd', 'x-odd': 'yes' } })
    t.notOk('cache-control' in odd.headers)
    const members = JSON.parse(odd.text)
    t.strictSame(Object.keys(members), [
      'access_token',
      'token_type',
      'expires_in',
      '.issued',
      '.expires',
      'extra',
    ])
    t.match(members, { expires_in: '3599', extra: [1] })
    t.match(await control.bearerOf(members.access_token), { userName: 'ann' }, 'the token is a good one')
  }
  t.match(await signIn(control.url), { status: 200 }, 'twice, and no more')
  t.match(await control.hooks.list(), [{ id: '1', hits: 2 }])
  const entries = await control.journal.entries()
  t.match(entries[2], {
    status: 201,
    userName: 'ann',
    hooks: ['1'],
    sent: {
      status: 201,
      headers: { pragma: 'odd' },
      body: /^\{"access_token":"‹withheld›",.*"expires_in":"3599"/,
    },
  })
  t.notOk('sent' in (entries[0] ?? {}))
  t.equal(await control.hooks.remove('1'), true)
  t.equal(await control.hooks.remove('1'), false)
})

t.test('of what a hook sent, the journal shows no token', async (t) => {
  const server = await start(t, { refreshTokens: true })
  const ask = async (form: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> => {
    const body = new URLSearchParams(form)
    return (await (await fetch(`${server.url}/Token`, { method: 'POST', body })).json()) as Record<
      string,
      string
    >
  }
  server.respond({}, (answer) => {
    const { refresh_token: token } = answer.body as Record<string, unknown>
    return { ...answer, headers: { ...answer.headers, 'X-Copy': `${token}` } }
  })
  const first = await ask({ grant_type: 'password', username: 'ann', password: ann.password })
  const second = await ask({ grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' })
  server.respond({}, { body: { error: 'x', sent: second.refresh_token ?? '' } })
  await ask({ grant_type: 'refresh_token', refresh_token: second.refresh_token ?? '' })
  const journal = JSON.stringify(server.journal.entries())
  for (const { access_token, refresh_token } of [first, second])
    for (const token of [access_token, refresh_token]) t.notMatch(journal, token ?? 'none')
  t.match(journal, '"sent":{')
})

forBoth('a whole body, and several hooks in their order', async (t, _, control) => {
  await control.respond({}, { body: '{"a":1,"a":2}', headers: { 'Content-Type': 'text/odd' } }, { times: 1 })
  t.match(await signIn(control.url), {
    status: 200,
    text: '{"a":1,"a":2}',
    headers: { 'content-type': 'text/odd' },
  })
  await control.respond({}, { body: { a: 1, b: 2 } }, { times: 1 })
  await control.respond({}, { set: { a: 3 }, remove: ['b'] }, { times: 1 })
  t.match(await signIn(control.url), { text: '{"a":3}' })
  t.match((await control.journal.entries()).at(-1), { hooks: ['2', '3'], sent: { body: '{"a":3}' } })
  await control.respond({}, { body: [1] })
  await control.respond({}, { set: { a: 3 } })
  t.match(await signIn(control.url), { text: '[1]' }, 'what is no object has no members')
  await control.hooks.clear()
  t.strictSame(await control.hooks.list(), [])
  await control.respond({}, { status: 204 })
  t.notOk('content-length' in (await signIn(control.url)).headers)
  await control.reset()
  t.match(await signIn(control.url), { status: 200 }, 'a reset takes them away')
  const scope = await control.scopes.create('w')
  await scope.respond({}, { status: 202 })
  t.match(await signIn(control.url), { status: 200 }, 'of one store')
  t.match(await signIn(scope.url), { status: 202 })
  await control.scopes.remove('w')
  await t.rejects(async () => scope.respond({}, {}), { code: 'unknown-scope' })
  await t.rejects(async () => scope.hooks.list(), { code: 'unknown-scope' })
})

forBoth('what cannot be a hook', async (t, _, control) => {
  const wrong: readonly [readonly unknown[], RegExp][] = [
    [[{ paht: '/x' }, {}], /hook\.match to have no member but/],
    [[{}, { status: 199 }], /hook\.change\.status to be a whole number from 200 to 599/],
    [[{}, { headers: { 'content-LENGTH': '1' } }], /without Content-Length/],
    [[{}, { headers: { 'X-A': 'b\r\nX-C: d' } }], /headers\.X-A to be a printable text/],
    [[{}, { headers: { 'X A': 'b' } }], /headers/],
    [[{}, { body: 'x', set: {} }], /a body, or set and remove, not both/],
    [[{}, { remove: 'x' }], /remove to be/],
    [[{}, { remove: ['x'.repeat(65_536)] }], /at most 65536 characters|longer than 65,536/],
    [[{}, { body: 'x'.repeat(65_535) }], /at most 65536 characters|longer than 65,536/],
    [[{}, {}, { times: 0 }], /hook\.times to be a whole number from 1/],
    [[{}, 'drop'], /hook\.change to be an object/],
  ]
  const respond = control.respond as (...given: readonly unknown[]) => unknown
  for (const [given, message] of wrong)
    await t.rejects(async () => respond(...given), { code: 'bad-request', message }, String(message))
  t.strictSame(await control.hooks.list(), [])
  for (let count = 0; count < 100; count++) await control.respond({ path: '/none' }, {})
  await t.rejects(async () => control.respond({}, {}), { code: 'full', message: /100 hooks/ })
})

t.test('a function sees the answer and the request', async (t) => {
  const server = await start(t, { cors: { origins: '*' } })
  server.respond(
    { userName: 'ann' },
    async (answer, { method, path, headers, body }) => ({
      ...answer,
      headers: { ...answer.headers, 'X-Seen': `${method} ${path} ${headers['x-a']} ${body.length}` },
      body: { ...(answer.body as object), token_type: 'Bearer' },
    }),
    { times: 1 },
  )
  t.notOk('change' in (server.hooks.list()[0] ?? {}))
  const issued: string[] = []
  server.on('issued', ({ userName }) => issued.push(userName))
  const seen = await signIn(server.url, ann.password, { 'X-A': '1', origin: 'https://a.example' })
  t.match(seen, {
    status: 200,
    headers: { 'x-seen': 'POST /Token 1 50', 'access-control-allow-origin': '*' },
    text: /"token_type":"Bearer"/,
  })
  t.strictSame(issued, ['ann'])
  server.respond({}, (answer) => ({ ...answer, body: new Uint8Array([0xff, 0x00]) }), { times: 1 })
  const response = await fetch(`${server.url}/Token`)
  t.strictSame([...new Uint8Array(await response.arrayBuffer())], [0xff, 0])
})

t.test('a hook that fails is answered 500, and the journal says so', async (t) => {
  const lines: LogLine[] = []
  const server = await start(t, { log: (line) => lines.push(line) })
  const failing: readonly [() => unknown, string][] = [
    [
      () => {
        throw new Error(ann.password)
      },
      'a hook threw (Error): the log says where',
    ],
    [() => Promise.reject(new TypeError('x')), 'a hook threw (TypeError): the log says where'],
    [() => undefined, 'a hook gave what is no answer: expected hookAnswer to have a member headers'],
    [
      () => ({ status: 1000, headers: {}, body: '' }),
      'a hook gave what is no answer: expected hookAnswer.status to be a whole number from 200 to 599',
    ],
    [
      () => ({ status: 200, headers: {}, body: undefined }),
      'a hook gave what is no answer: expected hookAnswer.body to be a text, bytes or JSON',
    ],
    [
      () => ({ status: 200, headers: { Date: 'x' }, body: '' }),
      'a hook gave what is no answer: expected hookAnswer.headers without Content-Length, Transfer-Encoding, Trailer, Connection and Date',
    ],
  ]
  for (const [hook, reason] of failing) {
    server.respond({}, hook as never, { times: 1 })
    t.match(await signIn(server.url), { status: 500, text: /server_error/ }, reason)
    const entry = server.journal.entries().at(-1)
    t.match(entry, { status: 500, refusal: 'hook-failed', reason, hooks: [/^\d$/] })
  }
  t.match(await signIn(server.url), { status: 200 })
  t.match(lines.filter(({ event }) => event === 'hook-failed').length, failing.length)
  t.notMatch(JSON.stringify(lines), ann.password)
})

t.test('the journal shows what was sent, but no secret, and not too much', async (t) => {
  const server = await start(t)
  let token = ''
  server.respond({}, (answer, { body }) => {
    token = String((answer.body as Record<string, unknown>).access_token)
    return { status: 200, headers: { 'X-Echo': `a ${token}` }, body: `${body} ${token} ${'x'.repeat(2000)}` }
  })
  await signIn(server.url)
  const { sent } = server.journal.entries()[0] ?? {}
  t.equal(sent?.headers['X-Echo'], 'a ‹withheld›')
  t.match(sent?.body, /^grant_type=password&username=ann&password=‹withheld› ‹withheld› x+…$/)
  t.equal(sent?.body.length, 1025)
  t.notMatch(JSON.stringify(server.journal.entries()), token)
  // A short secret must not hide the rest of a long one from the search.
  server.hooks.clear()
  await server.accounts.add({ userName: 'bob', password: 'h', accessToken: 'h-aha-withheld-h' })
  server.respond({}, { set: { echo: 'h-aha-withheld-h' } })
  const form = new URLSearchParams({ grant_type: 'password', username: 'bob', password: 'h' })
  await fetch(`${server.url}/Token`, { method: 'POST', body: form })
  t.match(
    server.journal.entries().at(-1)?.sent?.body,
    /"access_token":"‹withheld›".*"ec‹withheld›o":"‹withheld›"/,
  )
  server.hooks.clear()
  server.respond({}, { set: { access_token: 'one of the hook' } })
  await signIn(server.url)
  t.notMatch(JSON.stringify(server.journal.entries()), 'one of the hook')
})

t.test('with faults: what a fault answers is no answer of the service', async (t) => {
  const server = await start(t)
  server.respond({}, { body: 'rewritten' })
  server.faults.add({ kind: 'status', status: 503, times: 1 })
  t.match(await signIn(server.url), { status: 503, text: '' })
  t.strictSame(server.journal.entries()[0]?.hooks, undefined)
  server.faults.add({ kind: 'truncate', bytes: 2 })
  const socket = connect(server.port, '127.0.0.1')
  socket.end('GET /Token HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match(await text(socket), /\r\n\r\nre$/)
})

t.test('a preflight is met only by name', async (t) => {
  const server = await start(t, { cors: { origins: '*' } })
  server.respond({}, { status: 299 })
  const ask = () =>
    fetch(`${server.url}/Token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    })
  t.equal((await ask()).status, 204)
  server.respond({ method: 'OPTIONS' }, { status: 403 })
  t.equal((await ask()).status, 403)
})
