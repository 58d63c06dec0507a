import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import type { Json } from '../spec/model/json.js'
import { startReference } from '../tests/fixtures/reference.js'
import { createClock } from './clock.js'
import type { LogLine } from './log.js'
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from './server.js'

const form = 'application/x-www-form-urlencoded'
const ann = { userName: 'Ann', password: 'pä+ss %&=wörd', userId: 'id-of-ann' }
const bob = { userName: 'bob', password: 'Other-1' }
const unsupported = '{"error":"unsupported_grant_type"}'
const incorrect = '{"error":"invalid_grant","error_description":"The user name or password is incorrect."}'
// A Friday; the time is cut to the second.
const noon = Date.UTC(2024, 1, 16, 12, 0, 0, 987)

interface TestRequest {
  readonly method?: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly path?: string
  readonly contentType?: string | null
  readonly body?: string
}

const agent = new Agent()
t.teardown(() => agent.close())

const start = (t: Test, options: ReferenceServerOptions = {}): Promise<ReferenceServer> =>
  startReference(t, { accounts: [ann, bob], clock: createClock(() => noon), ...options })

async function send(
  server: ReferenceServer,
  { method = 'POST', path = '/Token', contentType = form, body }: TestRequest,
) {
  const response = await request(`${server.url}${path}`, {
    method,
    dispatcher: agent,
    headers: contentType === null ? {} : { 'content-type': contentType },
    body: body ?? null,
  })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

function grant(userName: string, password: string): string {
  return new URLSearchParams({ grant_type: 'password', username: userName, password }).toString()
}

t.test('2.1: a token response, byte by byte', async (t) => {
  const server = await start(t)
  const { status, headers, text } = await send(server, { body: grant(ann.userName, ann.password) })
  t.equal(status, 200)
  t.match(
    text,
    /^\{"access_token":"[\w-]{43}","token_type":"bearer","expires_in":1209599,"userName":"Ann","\.issued":"Fri, 16 Feb 2024 12:00:00 GMT","\.expires":"Fri, 01 Mar 2024 12:00:00 GMT"\}$/,
  )
  t.match(headers, {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    date: 'Fri, 16 Feb 2024 12:00:00 GMT',
    'content-length': String(Buffer.byteLength(text)),
  })
})

t.test('2.1-R3: userId comes after .expires where it is configured, and nothing else changes', async (t) => {
  const server = await start(t, { includesUserId: true, tokenLifetime: 90 })
  const { text } = await send(server, { body: grant(ann.userName, ann.password) })
  t.match(
    text,
    /"expires_in":89,"userName":"Ann","\.issued":"Fri, 16 Feb 2024 12:00:00 GMT","\.expires":"Fri, 16 Feb 2024 12:01:30 GMT","userId":"id-of-ann"\}$/,
  )
  const generated = await send(server, { body: grant(bob.userName, bob.password) })
  t.match(generated.text, /"userId":"[0-9a-f]{8}-[0-9a-f-]{27}"\}$/)
  const again = await send(server, { body: grant(bob.userName, bob.password) })
  const userIdOf = (text: string): Json => JSON.parse(text).userId
  t.equal(userIdOf(again.text), userIdOf(generated.text), 'the same each time')
})

t.test('7: the one documented error, byte by byte', async (t) => {
  const server = await start(t)
  const credentials = grant(ann.userName, ann.password)
  const requests: readonly [string, TestRequest][] = [
    ['4.1-R1', { contentType: 'application/json' }],
    ['4.1-R2', { body: 'username=Ann&password=x' }],
    ['an empty form', {}],
    ['another media type with a perfect form', { contentType: 'text/plain', body: credentials }],
    ['another charset', { contentType: `${form}; charset=latin1`, body: credentials }],
    ['no media type with a perfect form', { contentType: null, body: credentials }],
    ['another grant type', { body: credentials.replace('=password', '=Password') }],
    ['an empty grant type', { body: credentials.replace('=password', '=') }],
    ['a grant type of another name', { body: credentials.replace('grant_type', 'Grant_Type') }],
    ['a grant type that is not UTF-8', { body: credentials.replace('=password', '=%FF') }],
    ['a grant type in the query', { path: '/Token?grant_type=password', body: 'username=Ann&password=x' }],
    ['two grant types, none supported', { body: 'grant_type=a&grant_type=b' }],
    ['a wrong media type and a body that is too long', { contentType: null, body: 'x'.repeat(70_000) }],
  ]
  for (const [name, sent] of requests) {
    const { status, headers, text } = await send(server, sent)
    t.equal(text, unsupported, name)
    t.equal(status, 400, name)
    t.match(headers, { 'content-type': 'application/json;charset=UTF-8', 'cache-control': 'no-store' }, name)
  }
})

t.test('4.1-credentials: a user who is not let in gets no token', async (t) => {
  const server = await start(t)
  const answers: readonly [string, string, string][] = [
    ['a wrong password', grant(ann.userName, 'wrong'), incorrect],
    ['an unknown user', grant('carl', ann.password), incorrect],
    ['another spelling of the name', grant('ann', ann.password), incorrect],
    ['the password of another', grant(ann.userName, bob.password), incorrect],
    ['empty credentials', grant('', ''), incorrect],
    [
      'no user name',
      'grant_type=password&password=x',
      '{"error":"invalid_request","error_description":"The username is missing."}',
    ],
    [
      'no password',
      'grant_type=password&username=Ann',
      '{"error":"invalid_request","error_description":"The password is missing."}',
    ],
    [
      'a password twice',
      `${grant(ann.userName, ann.password)}&password=x`,
      '{"error":"invalid_request","error_description":"A parameter is repeated."}',
    ],
    [
      'a grant type twice',
      `${grant(ann.userName, ann.password)}&grant_type=password`,
      '{"error":"invalid_request","error_description":"A parameter is repeated."}',
    ],
    [
      'a grant type twice, one unsupported',
      `${grant(ann.userName, ann.password)}&grant_type=x`,
      '{"error":"invalid_request","error_description":"A parameter is repeated."}',
    ],
    [
      'a broken escape',
      'grant_type=password&username=Ann&password=%',
      '{"error":"invalid_request","error_description":"The form is not well-formed."}',
    ],
  ]
  for (const [name, body, expected] of answers) {
    t.match(await send(server, { body }), { status: 400, text: expected }, name)
  }
})

t.test('4.1-method, 4.1-path: there is one endpoint', async (t) => {
  const server = await start(t, { basePath: '/auth/' })
  const body = grant(ann.userName, ann.password)
  t.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/auth$/)
  t.match(await send(server, { body }), { status: 200 })
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const { status, headers, text } = await send(server, { method, body })
    t.match(
      { status, allow: headers.allow, text },
      { status: 405, allow: 'POST', text: /"invalid_request"/ },
      method,
    )
  }
  const query = await send(server, { path: `/Token?${body}` })
  t.equal(query.text, unsupported, 'credentials in the query are nothing')
  for (const path of ['/token', '/Token/', '/TOKEN', '/%54oken', '//Token', '/Token;', '/', '']) {
    t.match(await send(server, { path, body }), { status: 404, text: '{"error":"not_found"}' }, path)
  }
})

t.test('behaviour is overridden one decision at a time', async (t) => {
  const server = await start(t, { behaviour: { supportsGrantType: () => true, tokenType: () => 'Bearer' } })
  const { text } = await send(server, { body: grant(ann.userName, ann.password).replace('=password', '=x') })
  t.match(JSON.parse(text), { token_type: 'Bearer', expires_in: 1_209_599 })
})

t.test('a token is known until it expires, and a reset forgets', async (t) => {
  const server = await start(t, { tokenLifetime: 60 })
  const { text } = await send(server, { body: grant(ann.userName, ann.password) })
  const { access_token: token } = JSON.parse(text)
  t.match(server.bearerOf(token), { userName: 'Ann', userId: 'id-of-ann' })
  t.equal(server.bearerOf(`${token}x`), undefined)
  server.clock.advance(60)
  t.equal(server.bearerOf(token), undefined)
  server.clock.advance(-60)
  t.ok(server.bearerOf(token))
  server.clock.advance(5)
  server.reset()
  t.equal(server.bearerOf(token), undefined)
  t.equal(server.clock.now(), noon)
  t.strictSame(server.journal.entries(), [])
  t.match(await send(server, { body: grant(ann.userName, ann.password) }), { status: 200 })
})

t.test('journal and log show of a path neither parameters nor a token', async (t) => {
  const lines: LogLine[] = []
  const server = await start(t, { log: (line) => lines.push(line) })
  const good = grant(ann.userName, ann.password)
  const token = JSON.parse((await send(server, { body: good })).text).access_token
  for (const path of [
    `/Token%3F${encodeURIComponent(good)}`,
    `/Token;password=${ann.password}`,
    `/Token&password=${ann.password}`,
    `/me/${token}`,
  ])
    await send(server, { path, body: good })
  const shown = ['/Token', '/Token…', '/Token…', '/Token…', '/me/…']
  t.strictSame(
    server.journal.entries().map(({ path }) => path),
    shown,
  )
  t.strictSame(
    lines.flatMap(({ event, path }) => (event === 'request' ? path : [])),
    shown,
  )
  t.match(await server.journal.waitFor({ path: `/me/${token}` }), { path: '/me/…' })
})

t.test('journal and log say why, and hold no secret', async (t) => {
  const lines: LogLine[] = []
  const server = await start(t, { log: (line) => lines.push(line) })
  const asked = {
    contentType: form,
    parameters: { grant_type: 'password', username: 'Ann', password: '‹withheld›' },
  }
  const good = grant(ann.userName, ann.password)
  const { text } = await send(server, { body: good })
  await send(server, { path: `/Token?${good}`, body: grant(ann.userName, 'wr0ng') })
  await send(server, { path: '/elsewhere', body: good })
  t.strictSame(server.journal.entries(), [
    { id: 1, atMs: noon, method: 'POST', path: '/Token', status: 200, userName: 'Ann' },
    {
      id: 2,
      atMs: noon,
      method: 'POST',
      path: '/Token',
      status: 400,
      userName: 'Ann',
      refusal: 'wrong-password',
      reason: 'the password is not that of the account',
      ...asked,
    },
    {
      id: 3,
      atMs: noon,
      method: 'POST',
      path: '/elsewhere',
      status: 404,
      userName: 'Ann',
      refusal: 'unknown-path',
      reason: 'nothing is served at this path: tokens are at /Token',
      ...asked,
    },
  ])
  t.strictSame(
    lines.map((line) => line.event),
    ['listening', 'fast-hashing', 'request', 'request', 'request'],
  )
  const shown = JSON.stringify([lines, server.journal.entries()])
  for (const secret of [
    ann.password,
    encodeURIComponent(ann.password),
    'wr0ng',
    JSON.parse(text).access_token,
  ]) {
    t.notOk(shown.includes(secret))
  }
})

t.test('options that are not usable are named', async (t) => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ tokenLifetime: 0 }, /tokenLifetime/],
    [{ tokenLifetime: 1.5 }, /tokenLifetime/],
    [{ port: 70_000 }, /port/],
    [{ basePath: 'auth' }, /basePath/],
    [{ basePath: '/a?b' }, /basePath/],
    [{ basePath: '/a/../b' }, /basePath/],
    [{ basePath: '/.' }, /basePath/],
    // Node would listen at every address.
    [{ host: '' }, /host to be an address/],
    [{ host: ' ' }, /host to be an address/],
    [{ control: { secret: 'x'.repeat(16), host: '', remote: true } }, /control\.host to be an address/],
    [{ accounts: [{ userName: '', password: 'x' }] }, /accounts\[0\]/],
    [{ accounts: [ann, bob, ann] }, /accounts\[2\]/],
    [{ accounts: { ann } }, /accounts to be a list/],
    [{ accounts: [ann, null] }, /accounts\[1\] to be an account/],
    [{ accounts: [{ ...ann, userName: '\ud800' }] }, /accounts\[0\]\.userName to be a text/],
    [{ accounts: [{ ...ann, role: 'x' }] }, /accounts\[0\] to have no member .* found "role"/],
    [
      {
        accounts: [ann, bob].map((account) => ({
          ...account,
          externalLogins: [{ provider: 'p', subject: 's' }],
        })),
      },
      /accounts\[1\]\.externalLogins\[0\]: expected each sign-in once/,
    ],
    [{ includesUserId: 'yes' }, /includesUserId to be true or false/],
    [{ policy: { requireDigit: 1 } }, /policy\.requireDigit to be true or false/],
    [{ tls: 'selfsigned' }, /tls must be 'self-signed'/],
    [{ tls: { cert: 'x' } }, /tls must be/],
    [{ tls: null }, /tls must be/],
    [{ cors: '*' }, /cors to be \* or a list of origins/],
    [{ cors: { origins: 'https://a.example' } }, /cors to be \* or a list of origins/],
    [{ control: null }, /control to be an object/],
    [{ control: true }, /control to be an object/],
    [{ control: {} }, /control\.secret to be/],
    [{ basePath: 5 }, /basePath/],
    [{ acounts: [ann] }, /^expected the options to have no member but accounts, .*, found "acounts"$/],
    [{ policy: { minLength: 8 } }, /^expected policy to have .* but minimumLength, .*, found "minLength"$/],
    [{ behaviour: 'late' }, /^expected behaviour to be an object$/],
    [{ behaviour: { acceptMethod: () => true } }, /^expected behaviour to have .*, found "acceptMethod"$/],
    [{ behaviour: { acceptsMethod: 'POST' } }, /^expected behaviour\.acceptsMethod to be a function$/],
    [{ clock: { now: Date.now } }, /^expected clock\.advance to be a function$/],
    [{ log: console }, /^expected log to be a function$/],
    [{ reload: {} }, /^expected reload to be a function$/],
    [{ limits: { entries: 8 } }, /^expected limits to have .* but accounts, .*, found "entries"$/],
  ]
  for (const [options, message] of wrong)
    await t.rejects(
      startReferenceServer(options),
      { name: 'AssayError', code: 'bad-option', message },
      String(message),
    )
  // As a caller in plain JavaScript may.
  await t.rejects(Reflect.apply(startReferenceServer, undefined, [null]), {
    code: 'bad-option',
    message: 'expected the options to be an object',
  })
  const { port } = await start(t)
  await t.rejects(startReferenceServer({ port, hashing: 'fast' }), { code: 'EADDRINUSE' })
})
