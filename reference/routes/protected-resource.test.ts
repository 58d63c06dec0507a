import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import type { ReferenceServer } from '../server.js'

const ann = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann', email: 'ann@example.com' }

async function tokenOf({ url }: { readonly url: string }): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann', password: ann.password })
  const answer = await fetch(`${url}/Token`, { method: 'POST', body })
  return JSON.parse(await answer.text()).access_token
}

async function me(url: string, authorization?: string, method = 'GET') {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const response = await fetch(`${url}/me`, { method, headers })
  const body = await response.text()
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    cache: response.headers.get('cache-control'),
    allow: response.headers.get('allow'),
    json: body === '' ? undefined : JSON.parse(body),
  }
}

const last = (server: Pick<ReferenceServer, 'journal'>) => server.journal.entries().at(-1)

t.test('a token is answered with its account', async (t) => {
  const server = await startReference(t, { accounts: [ann], protectedResource: true, basePath: '/auth' })
  const token = await tokenOf(server)
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    t.match(await me(server.url, `${scheme} ${token}`), {
      status: 200,
      challenge: null,
      cache: 'no-store',
      json: { userName: 'ann', userId: 'id-of-ann', email: 'ann@example.com' },
    })
    t.match(last(server), { method: 'GET', path: '/auth/me', status: 200, userName: 'ann' })
  }
  t.match(await me(server.url, `Bearer ${token}`, 'HEAD'), { status: 200, json: undefined })
  const scope = server.scopes.create('w')
  t.match(await me(scope.url, `Bearer ${token}`), { status: 401 }, 'a token of another store')
  t.match(await me(scope.url, `Bearer ${await tokenOf(scope)}`), { status: 200 })

  server.accounts.remove('ann')
  await server.accounts.add({ ...ann, userId: 'another', email: 'other@example.com' })
  t.strictSame((await me(server.url, `Bearer ${token}`)).json, { userName: 'ann', userId: 'id-of-ann' })
  t.notMatch(JSON.stringify(server.journal.entries()), token)
})

t.test('what is no good token is refused as RFC 6750 3 has it', async (t) => {
  const server = await startReference(t, { accounts: [ann], protectedResource: true, tokenLifetime: 60 })
  server.clock.freeze()
  const token = await tokenOf(server)
  const invalid = /^Bearer error="invalid_token", error_description="[^"\\]+"$/
  for (const authorization of [undefined, 'Basic YTpi', 'Bearerx', 'Bearer-Token x', token]) {
    const answer = await me(server.url, authorization)
    t.match(answer, { status: 401, challenge: 'Bearer', cache: 'no-store' }, String(authorization))
    t.equal(last(server)?.refusal, 'no-token')
  }
  for (const authorization of ['Bearer', 'Bearer a b', 'Bearer a=b', 'Bearer "a"', `Bearer ${token},x`]) {
    const answer = await me(server.url, authorization)
    t.match(answer, { status: 400, challenge: 'Bearer error="invalid_request"' }, authorization)
    t.equal(last(server)?.refusal, 'malformed-token')
  }
  // What a word of the program would be is a token like any other.
  for (const unknown of ['none', 'malformed', '__proto__', token.slice(1), `${token}=`]) {
    t.match(await me(server.url, `Bearer ${unknown}`), { status: 401, challenge: invalid }, unknown)
    t.equal(last(server)?.refusal, 'unknown-token')
  }
  server.clock.advance(59)
  t.match(await me(server.url, `Bearer ${token}`), { status: 200 })
  server.clock.advance(1)
  const expired = await me(server.url, `Bearer ${token}`)
  t.match(expired, { status: 401, challenge: invalid, json: { error: 'invalid_token' } })
  t.match(last(server), { refusal: 'expired-token', reason: 'the token has expired', userName: 'ann' })
  t.strictSame(expired, await me(server.url, 'Bearer unknown'), 'the same as of one that was never issued')
  server.clock.advance(-60)
  server.revokeToken(token)
  t.strictSame(await me(server.url, `Bearer ${token}`), expired)
  t.match(last(server), { refusal: 'revoked-token', reason: 'a test has revoked the token', userName: 'ann' })
  t.match(await me(server.url, `Bearer ${token}`, 'POST'), { status: 405, allow: 'GET, HEAD' })
  t.match(last(server), { refusal: 'wrong-resource-method', reason: 'the method is POST: it must be GET' })

  const socket = connect(server.port, '127.0.0.1')
  const lines = [
    'GET /me HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    `Authorization: Bearer ${token}`,
  ]
  socket.end(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  t.match(await text(socket), /^HTTP\/1\.1 400 /, 'two headers')
})

t.test('several resources, each at its own path, as pages of other origins may read them', async (t) => {
  const protectedResource = ['/api/me', '/orders']
  const server = await startReference(t, {
    accounts: [ann],
    protectedResource,
    cors: { origins: ['http://a.example'] },
  })
  const token = await tokenOf(server)
  const scope = server.scopes.create('w')
  const seen: unknown[] = []
  for (const [url, given] of [
    [server.url, token],
    [server.url, 'x'],
    [scope.url, await tokenOf(scope)],
  ] as const)
    for (const path of ['/api/me', '/orders', '/me', '/orders/', '/Orders']) {
      const headers = { Authorization: `Bearer ${given}`, Origin: 'http://a.example' }
      const answer = await fetch(url + path, { headers })
      t.equal(answer.headers.get('access-control-allow-origin'), 'http://a.example')
      if (answer.status === 200) t.equal(JSON.parse(await answer.text()).userName, 'ann')
      else if (answer.status === 401)
        t.match(answer.headers.get('www-authenticate'), /^Bearer error="invalid_/)
      seen.push(answer.status)
    }
  t.strictSame(seen, [200, 200, 404, 404, 404, 401, 401, 404, 404, 404, 200, 200, 404, 404, 404])
  const preflight = await fetch(`${server.url}/orders`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' },
  })
  t.equal(preflight.headers.get('access-control-allow-methods'), 'POST, GET')
  t.match(await me(server.url, `Bearer ${token}`), { status: 404 })

  for (const path of [
    'orders',
    '/Token',
    '/accounts',
    '/external-login',
    '/scopes/w/me',
    '/a/../b',
    '/',
    '/a b',
    '/a?b',
  ])
    await t.rejects(startReference(t, { protectedResource: ['/ok', path] }), {
      code: 'bad-option',
      message: "expected protectedResource[1] to be a path such as /orders that is none of the service's own",
    })
})

t.test('without being asked for there is none', async (t) => {
  const server = await startReference(t, { accounts: [ann] })
  t.match(await me(server.url, `Bearer ${await tokenOf(server)}`), { status: 404, challenge: null })
})
