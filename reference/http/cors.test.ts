import t, { type Test } from 'tap'
import { startReferenceServer } from '../server.js'
import type { CorsOrigins } from './cors.js'

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
  for (const origin of ['app.example', 'https://app.example/', 'https://app.example/x', ''])
    await t.rejects(startReferenceServer({ hashing: 'fast', cors: { origins: [origin] } }), {
      message: /cors\.origins/,
    })
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
