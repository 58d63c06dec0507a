import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { request } from 'undici'
import { startTestProvider } from '../../tests/fixtures/provider.js'
import { startReference } from '../../tests/fixtures/reference.js'
import { serve } from '../../tests/fixtures/serve.js'
import { createClock } from '../clock.js'
import type { Provider } from '../external-login/code-flow.js'
import type { ReferenceServer, ReferenceServerOptions } from '../server.js'

const callback = 'https://service.example/callback'
const credentials = { clientId: 'the service', clientSecret: 's%cr+t:&=x' }
/** The same with the address that the provider knows: without one it is not asked. */
const registered = { ...credentials, redirectUri: callback }

/** A provider that answers so: its base URL. */
const served = async (t: Test, listener: RequestListener): Promise<string> =>
  `http://${await serve(t, listener)}`

async function start(
  t: Test,
  providers: readonly Provider[],
  options: ReferenceServerOptions = {},
): Promise<ReferenceServer> {
  return startReference(t, {
    clock: createClock(() => Date.UTC(2024, 1, 16, 12)),
    providers,
    accounts: [
      {
        userName: 'Ann',
        password: 'Secret-1',
        userId: 'id-of-ann',
        externalLogins: [{ provider: 'acme', subject: 'ann@acme' }],
      },
    ],
    ...options,
  })
}

async function signIn(server: ReferenceServer, body: unknown, contentType = 'application/json') {
  const response = await request(`${server.url}/external-login`, {
    method: 'POST',
    headers: { 'content-type': contentType, connection: 'close' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

const error = (name: string): RegExp => new RegExp(`^\\{"error":"${name}","error_description":"[^"]+"\\}$`)

t.test('with a real OpenID provider', async (t) => {
  // It warns of its own defaults and of Node 20; captured, for tests print nothing.
  t.capture(console, 'warn')
  t.capture(console, 'info')
  const { default: OpenIdProvider } = await import('oidc-provider')
  const server = createServer()
  const url = `http://${await serve(t, server)}`
  server.on(
    'request',
    new OpenIdProvider(url, {
      clients: [
        {
          client_id: credentials.clientId,
          client_secret: credentials.clientSecret,
          redirect_uris: [callback],
        },
      ],
      pkce: { required: () => false },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    }).callback(),
  )
  const acme = { name: 'acme', tokenEndpoint: `${url}/token`, redirectUri: callback, ...credentials }
  const byUserInfo = { ...acme, userInfoEndpoint: `${url}/me` }
  const unregistered = { ...acme, name: 'unregistered', clientId: 'somebody else' }

  await t.test('2.1-R4, 4.2: a registered user is signed in as by password', async (t) => {
    for (const provider of [byUserInfo, acme]) {
      const server = await start(t, [provider], { includesUserId: true })
      const { status, headers, text } = await signIn(server, {
        provider: 'acme',
        code: await logIn(url, 'ann@acme'),
      })
      t.equal(status, 200)
      t.equal(headers['content-type'], 'application/json;charset=UTF-8')
      t.match(
        text,
        /^\{"access_token":"[\w-]{43}","token_type":"bearer","expires_in":1209599,"userName":"Ann","\.issued":"Fri, 16 Feb 2024 12:00:00 GMT","\.expires":"Fri, 01 Mar 2024 12:00:00 GMT","userId":"id-of-ann"\}$/,
      )
      t.match(server.bearerOf(JSON.parse(text).access_token), { userName: 'Ann' })
    }
  })

  await t.test('a code is good once, for a linked user, and for the registered callback', async (t) => {
    const server = await start(t, [
      byUserInfo,
      unregistered,
      { ...acme, name: 'elsewhere', redirectUri: `${callback}2` },
    ])
    const code = await logIn(url, 'ann@acme')
    t.match(await signIn(server, { provider: 'acme', code }), { status: 200 })
    t.match(await signIn(server, { provider: 'acme', code }), { status: 400, text: error('invalid_grant') })
    const unlinked = await logIn(url, 'bob@acme')
    t.match(await signIn(server, { provider: 'acme', code: unlinked }), {
      status: 400,
      text: error('invalid_grant'),
    })
    const astray = await logIn(url, 'ann@acme')
    t.match(await signIn(server, { provider: 'elsewhere', code: astray }), {
      status: 400,
      text: error('invalid_grant'),
    })
    t.match(await signIn(server, { provider: 'unregistered', code: await logIn(url, 'ann@acme') }), {
      status: 401,
      text: error('invalid_client'),
    })
    t.match(
      server.journal.entries().map((entry) => entry.reason),
      [undefined, /refused the authorization code/, /no account is linked/, /refused/, /callback address/],
    )
  })
})

t.test('with the provider of the embedded run', async (t) => {
  const clock = createClock(() => 0)
  const provider = await startTestProvider(clock)
  t.teardown(() => provider[Symbol.asyncDispose]())
  const { code, providers } = provider
  const [acme] = providers
  const { redirectUri: _, ...forgetful } = acme
  const server = await start(t, [
    ...providers,
    { ...acme, name: 'wrong-secret', clientSecret: 'x' },
    { ...forgetful, name: 'forgetful' },
  ])

  const { status, text } = await signIn(server, { provider: 'acme', code: await code('ann@acme') })
  t.equal(status, 200)
  t.match(text, /"\.expires":"Fri, 01 Mar 2024 12:00:00 GMT"\}$/, 'no userId unless configured')

  const used = await code('ann@acme')
  await signIn(server, { provider: 'acme', code: used })
  t.match(await signIn(server, { provider: 'acme', code: used }), {
    status: 400,
    text: error('invalid_grant'),
  })
  const late = await code('ann@acme')
  clock.advance(60)
  for (const refused of [late, 'made-up', '', undefined, await code('ann@acme', 'no-callback')]) {
    t.match(await signIn(server, { provider: 'acme', code: refused }), {
      status: 400,
      text: error('invalid_grant'),
    })
  }
  t.match(await signIn(server, { provider: 'acme', code: await code('ann') }), {
    status: 400,
    text: error('invalid_grant'),
  })
  for (const name of ['no-callback', 'wrong-secret', 'forgetful']) {
    const answer = await signIn(server, { provider: name, code: await code('ann@acme') })
    t.match(
      answer,
      { status: 401, headers: { 'www-authenticate': 'Bearer' }, text: error('invalid_client') },
      name,
    )
  }
  t.match(
    await signIn(server, { provider: 'no-callback' }),
    { status: 401 },
    '7-callback-status, without a code',
  )
})

t.test(
  '7-callback-status: without a callback address no provider is asked, however lenient it is',
  async (t) => {
    let asked = 0
    const claims = Buffer.from(JSON.stringify({ aud: credentials.clientId, sub: 'ann@acme' }))
    const url = await served(t, (_, response) => {
      asked++
      response.end(JSON.stringify({ id_token: `x.${claims.toString('base64url')}.x` }))
    })
    const server = await start(t, [
      { name: 'acme', tokenEndpoint: url, ...registered },
      { name: 'forgetful', tokenEndpoint: url, ...credentials },
    ])
    t.match(await signIn(server, { provider: 'acme', code: 'x' }), { status: 200 })
    for (const code of ['x', undefined])
      t.match(await signIn(server, { provider: 'forgetful', code }), {
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        text: error('invalid_client'),
      })
    t.equal(asked, 1)
    t.match(server.journal.entries().at(-1)?.reason, /no `redirectUri` is configured/)
  },
)

t.test('a request names a provider and no more', async (t) => {
  const asked: string[] = []
  const url = await served(t, (message, response) => {
    asked.push(message.url ?? '')
    response.end()
  })
  const server = await start(t, [{ name: 'acme', tokenEndpoint: `${url}/token`, ...registered }])
  const badRequests = [
    {},
    [],
    'x',
    { provider: 1 },
    { provider: 'acme', code: 1 },
    { provider: 'acme', code: '\ud800' },
  ]
  for (const body of [...badRequests, { provider: 'other' }, { provider: url }, { provider: 'toString' }]) {
    t.match(await signIn(server, body), { status: 400, text: error('invalid_request') }, JSON.stringify(body))
  }
  t.match(await signIn(server, { provider: 'acme', code: 'x' }, 'text/plain'), { status: 415 })
  const got = await request(`${server.url}/external-login`, { headers: { connection: 'close' } })
  t.match({ status: got.statusCode, allow: got.headers.allow }, { status: 405, allow: 'POST' })
  await got.body.dump()
  t.strictSame(asked, [])
})

t.test('a provider that fails is 502, whatever it does', async (t) => {
  const idToken = (claims: unknown): string =>
    `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
  const annsClaims = { aud: credentials.clientId, sub: 'ann@acme' }
  const answers: readonly [string, RequestListener][] = [
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a redirect', (message, response) => response.writeHead(307, { location: message.url ?? '' }).end()],
    ['no JSON', (_, response) => response.end('<p>Hello')],
    ['no object', (_, response) => response.end('[]')],
    [
      'too much',
      (_, response) =>
        response.end(JSON.stringify({ id_token: idToken({ ...annsClaims, more: 'x'.repeat(70_000) }) })),
    ],
    ['a broken connection', (message) => message.socket.destroy()],
    [
      'half an answer',
      (message, response) =>
        response.writeHead(200, { 'content-length': 9 }).write('{', () => message.socket.destroy()),
    ],
    ['no ID token', (_, response) => response.end('{"access_token":"x"}')],
    [
      'no subject',
      (_, response) => response.end(JSON.stringify({ id_token: idToken({ aud: credentials.clientId }) })),
    ],
    [
      'the subject of another client',
      (_, response) => response.end(JSON.stringify({ id_token: idToken({ aud: 'x', sub: 'ann@acme' }) })),
    ],
  ]
  for (const [name, listener] of answers) {
    const url = `http://${await serve(t, listener)}`
    const server = await start(t, [{ name: 'acme', tokenEndpoint: url, ...registered }])
    t.match(
      await signIn(server, { provider: 'acme', code: 'x' }),
      { status: 502, text: error('server_error') },
      name,
    )
  }
  for (const token of ['"a b"', '"a\\r\\nx: y"', '""', '1', 'null']) {
    const url = await served(t, (_, response) => response.end(`{"access_token":${token},"sub":"ann@acme"}`))
    const server = await start(t, [
      { name: 'acme', tokenEndpoint: url, userInfoEndpoint: url, ...registered },
    ])
    t.match(await signIn(server, { provider: 'acme', code: 'x' }), { status: 502 }, token)
  }
  for (const name of ['no answer', 'an endless one']) {
    const url = await served(t, (_, response) => {
      if (name !== 'no answer') response.writeHead(200).write('{')
    })
    const server = await start(t, [{ name: 'acme', tokenEndpoint: url, ...registered }], {
      providerTimeoutMs: 50,
    })
    const patient = await start(t, [{ name: 'acme', tokenEndpoint: url, ...registered }])
    let isAnswered = false
    void signIn(patient, { provider: 'acme', code: 'x' }).then(
      () => (isAnswered = true),
      () => undefined,
    )
    t.match(await signIn(server, { provider: 'acme', code: 'x' }), { status: 502 }, name)
    t.notOk(isAnswered, 'before one that is given the usual time')
  }
  const accepted = await served(t, (_, response) => {
    response.end(JSON.stringify({ id_token: idToken({ aud: ['x', credentials.clientId], sub: 'ann@acme' }) }))
  })
  const server = await start(t, [{ name: 'acme', tokenEndpoint: accepted, ...registered }])
  t.match(
    await signIn(server, { provider: 'acme', code: 'x' }),
    { status: 200 },
    'the same with nothing wrong',
  )
})

/** Logs somebody in at the provider's own pages, as a browser would, and gives the code that the callback gets. */
async function logIn(issuer: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  const query = new URLSearchParams({
    client_id: credentials.clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid',
  })
  let url = `${issuer}/auth?${query}`
  for (;;) {
    const prompt = url.includes('/interaction/') && (cookies.has('_session') ? 'consent' : 'login')
    const response = await request(url, {
      method: prompt ? 'POST' : 'GET',
      headers: {
        connection: 'close',
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: prompt ? new URLSearchParams({ prompt, login, password: 'x' }).toString() : null,
    })
    await response.body.dump()
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const { location } = response.headers
    if (typeof location !== 'string')
      throw new TypeError(`the provider answered ${response.statusCode} at ${url}`)
    const next = new URL(location, url)
    if (next.href.startsWith(callback)) return next.searchParams.get('code') ?? ''
    url = next.href
  }
}
