import t, { type Test } from 'tap'
import { startReference } from '../tests/fixtures/reference.js'
import type { CorsOrigins } from './cors.js'
import { startReferenceServer } from './server.js'

const accounts = [{ userName: 'ann', password: 'Secret-1' }]
const good = 'grant_type=password&username=ann&password=Secret-1'

async function ask(t: Test, origins: CorsOrigins | undefined, method: 'POST' | 'OPTIONS', origin?: string) {
  const server = await startReferenceServer({
    accounts,
    hashing: 'fast',
    ...(origins !== undefined && { cors: { origins } }),
  })
  t.teardown(() => server.close())
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(origin !== undefined && { origin }),
    ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }),
  }
  const body = method === 'POST' ? { body: good } : {}
  const response = await fetch(`${server.url}/Token`, { method, headers, ...body })
  await response.text()
  return {
    status: response.status,
    allowed: response.headers.get('access-control-allow-origin'),
    methods: response.headers.get('access-control-allow-methods'),
    vary: response.headers.get('vary'),
    length: response.headers.get('content-length'),
  }
}

const app = 'https://app.example'
const none = { allowed: null, methods: null }

t.test('a page of an allowed origin may read the answer', async (t) => {
  t.match(await ask(t, [app], 'POST', app), { status: 200, allowed: app, vary: 'Origin' })
  t.match(await ask(t, '*', 'POST', app), { status: 200, allowed: '*', vary: null })
  t.match(await ask(t, [app], 'OPTIONS', app), { status: 204, allowed: app, methods: 'POST', length: null })
  t.match(await ask(t, '*', 'OPTIONS', app), { status: 204, allowed: '*', methods: 'POST' })
})

t.test('no other page may, and nothing else changes', async (t) => {
  for (const origin of ['https://app.example.evil', 'http://app.example', 'null', undefined]) {
    t.match(await ask(t, [app], 'POST', origin), { status: 200, ...none, vary: 'Origin' }, `${origin}`)
    t.match(await ask(t, [app], 'OPTIONS', origin), { status: 405, ...none }, `${origin}`)
  }
  t.match(await ask(t, undefined, 'POST', app), { status: 200, ...none, vary: null })
  t.match(await ask(t, undefined, 'OPTIONS', app), { status: 405, ...none })
  t.match(await ask(t, '*', 'POST'), { status: 200, ...none })
})

t.test('what is no origin is said at the start', async (t) => {
  for (const origin of ['app.example', 'https://app.example/x', 'https://app.example:443', ''])
    await t.rejects(startReferenceServer({ hashing: 'fast', cors: { origins: [origin] } }), {
      message: /cors\[0\]/,
    })
})

t.test('what pages may send is configured, and the journal says what they may not', async (t) => {
  const server = await startReference(t, {
    cors: {
      origins: [`${app}/`, 'http://localhost:3000'],
      methods: ['POST', 'PUT'],
      headers: ['X-One', 'Authorization'],
      credentials: true,
    },
  })
  const preflight = async (headers: Record<string, string>) => {
    const asked = Object.entries({ origin: app, 'access-control-request-method': 'POST', ...headers })
    const response = await fetch(`${server.url}/Token`, {
      method: 'OPTIONS',
      headers: asked.map(([k, v]) => [k, v]),
    })
    const { refusal, reason } = server.journal.entries().at(-1) ?? {}
    return { status: response.status, headers: Object.fromEntries(response.headers), refusal, reason }
  }
  t.match(await preflight({ 'access-control-request-headers': 'x-one,authorization, accept' }), {
    status: 204,
    headers: {
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST, PUT',
      'access-control-allow-headers': 'X-One, Authorization',
    },
    refusal: undefined,
  })
  t.match(await preflight({ 'access-control-request-method': 'GET' }), { refusal: undefined })
  const refused: readonly [Record<string, string>, number, string][] = [
    [
      { origin: 'https://other.example' },
      405,
      `the origin is none of cors.origins: ${app}, http://localhost:3000`,
    ],
    [{ origin: 'http://app.example' }, 405, `the origin has another scheme than ${app} of cors.origins`],
    [
      { origin: 'http://localhost:3001' },
      405,
      'the origin has another port than http://localhost:3000 of cors.origins',
    ],
    [
      { origin: 'null' },
      405,
      `the origin is null, as that of a file: cors.origins has ${app}, http://localhost:3000`,
    ],
    [
      { 'access-control-request-method': 'DELETE' },
      204,
      'the method that the page wants to send is none of cors.methods: POST, PUT',
    ],
    [
      { 'access-control-request-headers': 'X-One, x-two' },
      204,
      'a header that the page wants to send is none of cors.headers: X-One, Authorization',
    ],
  ]
  for (const [headers, status, reason] of refused)
    t.match(await preflight(headers), { status, refusal: 'preflight-refused', reason }, reason)
  const any = await startReference(t, { cors: { origins: '*', headers: ['*'], methods: ['*'] } })
  await fetch(`${any.url}/Token`, {
    method: 'OPTIONS',
    headers: {
      origin: app,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-any',
    },
  })
  t.equal(any.journal.entries().at(-1)?.refusal, undefined)
  await t.rejects(startReference(t, { cors: { origins: '*', credentials: true } }), {
    code: 'bad-option',
    message: /cors\.credentials: expected the origins by name, found \*/,
  })
  const withResource = await startReference(t, { cors: { origins: '*' }, protectedResource: true })
  const asked = {
    origin: app,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  }
  const allowed = await fetch(`${withResource.url}/me`, { method: 'OPTIONS', headers: asked })
  t.equal(allowed.headers.get('access-control-allow-methods'), 'POST, GET')
})

t.test('what it says of itself is what clients reach', async (t) => {
  const server = await startReference(t, { publicUrl: 'https://accounts.example/auth/' })
  t.equal(server.url, 'https://accounts.example/auth')
  t.equal(server.scopes.create('w').url, 'https://accounts.example/auth/scopes/w')
  for (const publicUrl of ['accounts.example', 'https://a:b@accounts.example', 'https://accounts.example?x'])
    await t.rejects(startReference(t, { publicUrl }), { message: /publicUrl to be an http or https URL/ })
})

t.test('a fault is for what the page sends, not for the question before it', async (t) => {
  await using server = await startReferenceServer({ hashing: 'fast', cors: { origins: '*' } })
  const ask = async (method: string): Promise<number> => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    return (await fetch(`${server.url}/Token`, { method, headers })).status
  }
  server.faults.add({ kind: 'status', status: 503, times: 1 })
  t.strictSame([await ask('OPTIONS'), await ask('POST'), await ask('POST')], [204, 503, 400])
  server.faults.add({ kind: 'status', status: 503, match: { method: 'OPTIONS' } })
  t.strictSame([await ask('OPTIONS'), await ask('POST')], [503, 400], 'unless it is meant')
})
