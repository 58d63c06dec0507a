import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import { freePorts } from '../../tools/interop/listen.js'
import type { LogLine } from '../log.js'
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../server.js'
import type { Control, StoreControl } from '../store/control.js'
import { connectControl } from './client.js'

const secret = 'a-secret-of-the-tests'
const ann = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' }
const bob = { userName: 'bob', password: 'Other-1', userId: 'id-of-bob', email: 'bob@example.com' }
const noon = Date.UTC(2024, 1, 16, 12)

interface Started {
  readonly server: ReferenceServer
  readonly control: Control
}

const start = (t: Test, options: ReferenceServerOptions = {}): Promise<ReferenceServer> =>
  startReference(t, { accounts: [ann], control: { secret }, ...options })

/** The same test inside the process and outside. */
function forBoth(name: string, body: (t: Test, started: Started) => Promise<void>): void {
  t.test(`${name}, in the process`, async (t) => {
    const server = await start(t)
    await body(t, { server, control: server })
  })
  t.test(`${name}, from outside`, async (t) => {
    const server = await start(t)
    await body(t, { server, control: await connectControl({ url: server.controlUrl ?? '', secret }) })
  })
}

async function signIn({ url }: Pick<StoreControl, 'url'>, { userName, password } = ann, headers = {}) {
  const body = new URLSearchParams({ grant_type: 'password', username: userName, password })
  const response = await fetch(`${url}/Token`, { method: 'POST', body, headers })
  const connection = response.headers.get('connection')
  return { status: response.status, connection, json: JSON.parse(await response.text()) }
}

forBoth('accounts are added, listed and removed', async (t, { control }) => {
  t.match(await signIn(control, bob), { status: 400, json: { error: 'invalid_grant' } })
  const { password: _, ...listed } = bob
  t.strictSame(await control.accounts.add(bob), listed)
  t.match(await signIn(control, bob), { status: 200, json: { userName: 'bob' } })
  t.strictSame(await control.accounts.list(), [{ userName: 'ann', userId: 'id-of-ann' }, listed])
  for (const twice of [bob, { ...bob, userName: 'carl' }])
    await t.rejects(async () => control.accounts.add(twice), { code: 'exists' })
  t.equal(await control.accounts.remove('bob'), true)
  t.equal(await control.accounts.remove('bob'), false)
  t.match(await signIn(control, bob), { status: 400 })
  const odd = { userName: 'pä/ß %2F?#..', password: 'x', userId: 'odd' }
  await control.accounts.add(odd)
  t.match(await signIn(control, odd), { status: 200 })
  t.equal(await control.accounts.remove(odd.userName), true)
  await control.accounts.remove('ann')
  t.match(await signIn(control), { status: 400 })
  await control.reset()
  t.match(await signIn(control), { status: 200 })
  t.strictSame(await control.accounts.list(), [{ userName: 'ann', userId: 'id-of-ann' }])
})

forBoth('an account signs in through a provider only while it is there', async (t, { control }) => {
  const externalLogins = [{ provider: 'acme', subject: 's' }]
  await control.accounts.add({ ...bob, externalLogins })
  const other = { userName: 'carl', password: 'x', externalLogins }
  await t.rejects(async () => control.accounts.add(other), { code: 'exists' })
  await control.accounts.remove('bob')
  t.match(await control.accounts.add(other), { externalLogins })
})

forBoth('of several that are added at once, one gets what all of them ask for', async (t, { control }) => {
  const externalLogins = [{ provider: 'acme', subject: 's' }]
  for (const claim of [{ userName: 'one' }, { email: 'one@example.com' }, { externalLogins }]) {
    const accounts = ['a', 'b', 'c'].map((userName) => ({ userName, password: 'x', ...claim }))
    const added = await Promise.allSettled(accounts.map((account) => control.accounts.add(account)))
    const refused = added.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    t.match(refused, [{ code: 'exists' }, { code: 'exists' }], Object.keys(claim).join())
    t.equal((await control.accounts.list()).length, 2)
    await control.reset()
  }
})

forBoth('the clock is moved', async (t, { server, control }) => {
  t.equal(await control.clock.freeze(noon), undefined)
  t.equal(await control.clock.now(), noon)
  const { json } = await signIn(control)
  t.equal(json['.issued'], 'Fri, 16 Feb 2024 12:00:00 GMT')
  await control.clock.advance(1_209_600)
  t.equal(server.bearerOf(json.access_token), undefined)
  await control.clock.advance(-1)
  t.match(server.bearerOf(json.access_token), { userName: 'ann' })
  const wrong: readonly [() => unknown, RegExp][] = [
    [() => control.clock.advance(1e15), /1970 to 8999/],
    [() => control.clock.freeze(-1), /1970 to 8999/],
    [() => control.clock.advance('1' as never), /seconds to be a number/],
    [() => control.clock.advance(undefined as never), /seconds/],
    [() => control.clock.freeze('now' as never), /atMs to be a number/],
    [() => control.clock.freeze(null as never), /atMs to be a number/],
  ]
  for (const [move, message] of wrong)
    await t.rejects(async () => move(), { code: 'bad-request', message }, String(move))
  await control.clock.reset()
  t.ok(Math.abs((await control.clock.now()) - Date.now()) < 60_000)
})

forBoth('a token can be asked about, in each store', async (t, { control }) => {
  await control.clock.freeze(noon)
  await control.settings.change({ tokenLifetime: 60 })
  const { json } = await signIn(control)
  const token: string = json.access_token
  const atS = noon / 1000
  t.strictSame(await control.bearerOf(token), {
    userName: 'ann',
    userId: 'id-of-ann',
    issuedAtMs: noon,
    expiresAtMs: noon + 60_000,
  })
  t.strictSame(await control.introspect(token), {
    active: true,
    username: 'ann',
    sub: 'id-of-ann',
    token_type: 'bearer',
    iat: atS,
    exp: atS + 60,
  })
  for (const other of ['', 'of no one', token.slice(1), '\ud800']) {
    t.equal(await control.bearerOf(other), undefined)
    t.strictSame(await control.introspect(other), { active: false })
  }
  for (const wrong of [undefined, null, 5, {}])
    await t.rejects(async () => control.introspect(wrong as never), { code: 'bad-request', message: /token/ })

  const scope = await control.scopes.create('w')
  t.strictSame(await scope.introspect(token), { active: false }, 'it is of another store')
  const ofScope: string = (await signIn(scope)).json.access_token
  t.match(await scope.bearerOf(ofScope), { userName: 'ann' })
  t.equal(await control.bearerOf(ofScope), undefined)
  await control.scopes.remove('w')
  await t.rejects(async () => scope.bearerOf(ofScope), { code: 'unknown-scope' })
  await t.rejects(async () => scope.introspect(ofScope), { code: 'unknown-scope' })

  await control.clock.advance(59)
  t.match(await control.introspect(token), { active: true })
  await control.clock.advance(1)
  t.strictSame(await control.introspect(token), { active: false })
  await control.clock.reset()
  await control.reset()
  t.strictSame(await control.introspect(token), { active: false })
})

forBoth('a token is issued without a sign-in', async (t, { server, control }) => {
  await control.clock.freeze(noon)
  await control.settings.change({ includesUserId: true })
  const plain = await control.issueToken({ userName: 'ann' })
  t.match(plain, {
    access_token: /^[\w-]{43}$/,
    token_type: 'bearer',
    expires_in: 1_209_599,
    userName: 'ann',
    userId: 'id-of-ann',
    '.issued': 'Fri, 16 Feb 2024 12:00:00 GMT',
    '.expires': 'Fri, 01 Mar 2024 12:00:00 GMT',
  })
  t.match(await control.bearerOf(plain.access_token), { userName: 'ann', issuedAtMs: noon })
  const expired = await control.issueToken({ userName: 'ann', lifetime: 60, issuedAt: noon - 60_000 + 999 })
  t.match(expired, { expires_in: 59, '.expires': 'Fri, 16 Feb 2024 12:00:00 GMT' })
  t.strictSame(await control.introspect(expired.access_token), { active: false })
  const good = await control.issueToken({ userName: 'ann', lifetime: 60, issuedAt: noon - 59_000 })
  t.match(await control.introspect(good.access_token), { active: true, exp: noon / 1000 + 1 })
  t.equal((await control.issueToken({ userName: 'ann', value: 'tok~1=' })).access_token, 'tok~1=')
  t.match(await control.bearerOf('tok~1='), { userName: 'ann' })
  await control.issueToken({ userName: 'ann', value: 'tok~1=' })

  await control.accounts.add(bob)
  const wrong: readonly [object, string, RegExp][] = [
    [{ userName: 'carl' }, 'not-found', /no account/],
    [{ userName: 'bob', value: 'tok~1=' }, 'exists', /another account has this access token/],
    [{}, 'bad-request', /userName/],
    [{ userName: 'ann', lifetime: 0 }, 'bad-request', /lifetime to be a whole number from 1/],
    [{ userName: 'ann', issuedAt: -1 }, 'bad-request', /milliseconds since the epoch/],
    [{ userName: 'ann', issuedAt: 1e300 }, 'bad-request', /milliseconds since the epoch/],
    [{ userName: 'ann', issuedAt: 'now' }, 'bad-request', /milliseconds since the epoch/],
    [{ userName: 'ann', value: 'a b' }, 'bad-request', /value to be 1 to 1024/],
    [{ userName: 'ann', value: '' }, 'bad-request', /value/],
    [{ userName: 'ann', user: 'x' }, 'bad-request', /found "user"/],
  ]
  for (const [request, code, message] of wrong)
    await t.rejects(async () => control.issueToken(request as never), { code, message }, String(message))
  t.strictSame(await control.journal.entries(), [], 'there was no exchange')
  const scope = await control.scopes.create('w')
  await scope.issueToken({ userName: 'ann', value: 'of-w' })
  t.match(await scope.introspect('of-w'), { active: true })
  t.strictSame(await control.introspect('of-w'), { active: false })
  await control.reset()
  t.equal(server.bearerOf('tok~1='), undefined)
})

forBoth('what JSON cannot hold is refused, and not left out', async (t, { control }) => {
  const cycle: { itself?: unknown } = {}
  cycle.itself = cycle
  const wrong = [
    { kind: 'drop', match: () => false },
    { kind: 'drop', times: 1n },
    { kind: 'drop', match: Symbol('x') },
    { kind: 'drop', match: cycle },
  ]
  for (const fault of wrong)
    await t.rejects(async () => control.faults.add(fault as never), {
      name: 'ControlError',
      code: 'bad-request',
    })
  t.strictSame(await control.faults.list(), [])
})

forBoth('a token is revoked', async (t, { control }) => {
  const { json } = await signIn(control)
  const token: string = json.access_token
  t.equal(await control.revokeToken('of no one'), false)
  t.equal(await control.revokeToken(''), false)
  t.equal(await control.revokeToken(token), true)
  t.equal(await control.revokeToken(token), false)
  t.strictSame(await control.introspect(token), { active: false })
  t.equal(await control.bearerOf(token), undefined)
  t.match(await signIn(control), { status: 200 }, 'its account is as it was')
  await t.rejects(async () => control.revokeToken(5 as never), { code: 'bad-request' })
})

forBoth('an account has the token that it was given', async (t, { control }) => {
  await control.accounts.add({ ...bob, accessToken: 'token-of-bob' })
  for (const _ of [1, 2])
    t.match(await signIn(control, bob), { status: 200, json: { access_token: 'token-of-bob' } })
  t.match(await control.bearerOf('token-of-bob'), { userName: 'bob' })
  t.equal(await control.revokeToken('token-of-bob'), true)
  t.equal(await control.bearerOf('token-of-bob'), undefined)
  await signIn(control, bob)
  t.match(await control.bearerOf('token-of-bob'), { userName: 'bob' }, 'a sign-in makes it good again')
  t.match(await control.issueToken({ userName: 'bob', lifetime: 1 }), { access_token: 'token-of-bob' })
  await control.issueToken({ userName: 'ann', value: 'of-ann' })
  for (const accessToken of ['token-of-bob', 'of-ann'])
    await t.rejects(control.accounts.add({ userName: 'carl', password: 'x', accessToken }), {
      code: 'exists',
    })
  await t.rejects(async () => control.issueToken({ userName: 'ann', value: 'token-of-bob' }), {
    code: 'exists',
  })
  t.notMatch(JSON.stringify(await control.accounts.list()), 'token-of-bob')
  await t.rejects(control.accounts.add({ userName: 'carl', password: 'x', accessToken: 'a b' }), {
    code: 'bad-request',
    message: /account\.accessToken to be 1 to 1024/,
  })
})

t.test('accounts of the start have their tokens too, each its own', async (t) => {
  const given = { ...ann, accessToken: 'token-of-ann' }
  const server = await start(t, { accounts: [given, bob], limits: { tokens: 2 } })
  t.match(await signIn(server), { json: { access_token: 'token-of-ann' } })
  t.match(await signIn(server.scopes.create('w')), { json: { access_token: 'token-of-ann' } })
  for (const value of ['1', '2', '3']) server.issueToken({ userName: 'ann', value })
  const known = ['token-of-ann', '1', '2', '3'].filter((token) => server.bearerOf(token) !== undefined)
  t.strictSame(known, ['2', '3'], 'no more are kept than may be')
  server.revokeToken('3')
  server.issueToken({ userName: 'ann', value: '4' })
  t.equal(server.bearerOf('3'), undefined)
  await t.rejects(startReferenceServer({ accounts: [given, { ...bob, accessToken: 'token-of-ann' }] }), {
    code: 'bad-option',
    message: /accounts\[1\]\.accessToken: expected each access token once/,
  })
})

t.test('introspection as libraries ask for it (RFC 7662)', async (t) => {
  const password = 'with+percent%41&and-a-colon:'
  const server = await start(t, { control: { secret: password } })
  const { json } = await signIn(server)
  const ask = async (authorization: string, body: string, path = '/tokens/introspect') => {
    const response = await fetch(server.controlUrl + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body,
    })
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
  const basic = (text: string): string => `Basic ${Buffer.from(`api:${text}`).toString('base64')}`
  const token = `token=${json.access_token}`
  for (const authorization of [`Bearer ${password}`, basic(password), basic(encodeURIComponent(password))]) {
    t.match(await ask(authorization, `${token}&token_type_hint=access_token&other=1`), {
      status: 200,
      json: { active: true, username: 'ann' },
    })
    t.strictSame((await ask(authorization, 'token=of+no+one')).json, { active: false })
  }
  for (const authorization of [
    '',
    'Basic',
    'Basic !',
    basic(''),
    basic(`${password}x`),
    `Bearer ${password}x`,
  ])
    t.match(await ask(authorization, token), { status: 401 }, authorization)
  for (const wrong of ['', 'x=1', `${token}&${token}`, `${token}&x=%FF`])
    t.match(await ask(basic(password), wrong), { status: 400, json: { title: 'bad-request' } }, wrong)
  t.match(await ask(basic(password), '', '/reset'), { status: 401 }, 'nowhere else by Basic')
  t.match(await ask(`Bearer ${password}`, token, '/accounts'), { status: 400 }, 'nowhere else as a form')
})

forBoth('settings are changed, and a reset takes them back', async (t, { control }) => {
  const before = await control.settings.get()
  t.match(before, { tokenLifetime: 1_209_600, includesUserId: false, policy: { minimumLength: 6 } })
  const changed = await control.settings.change({
    tokenLifetime: 60,
    includesUserId: true,
    policy: { minimumLength: 1, requireDigit: false },
  })
  t.strictSame(changed, {
    tokenLifetime: 60,
    includesUserId: true,
    policy: { ...before.policy, minimumLength: 1, requireDigit: false },
  })
  t.match(await signIn(control), { json: { expires_in: 59, userId: 'id-of-ann' } })
  const wrong: readonly [object, RegExp][] = [
    [{ tokenLifetime: 0 }, /tokenLifetime to be a whole number from 1/],
    [{ policy: { minimumLength: 0 } }, /minimumLength to be a whole number of at least 1$/],
    [{ policy: { minimumLength: 1e6 } }, /minimumLength to be a whole number of at most 1024$/],
    [{ policy: { requireDigits: true } }, /found "requireDigits"/],
    [
      { tokenLifeTime: 1 },
      /settings to have no member but tokenLifetime, includesUserId, policy, found "tokenLifeTime"/,
    ],
    [{ includesUserId: 'yes' }, /true or false/],
  ]
  for (const [change, message] of wrong)
    await t.rejects(async () => control.settings.change(change), { code: 'bad-request', message })
  t.strictSame(await control.settings.get(), changed, 'what is refused changes nothing')
  await control.reset()
  t.strictSame(await control.settings.get(), before)
})

forBoth('names that a URL would take otherwise', async (t, { control }) => {
  for (const userName of ['.', '..', '%2e%2e', '/', '__proto__', 'constructor', ' ', '\u202e', '\u{1f600}']) {
    await control.accounts.add({ userName, password: 'x', userId: 'odd' })
    t.match(await signIn(control, { userName, password: 'x', userId: 'odd' }), { status: 200 }, userName)
    t.equal(await control.accounts.remove(userName), true, userName)
    t.equal(await control.accounts.remove(userName), false, userName)
  }
  for (const userName of ['', '\ud800', 'x'.repeat(1025), 5, null, ['x']])
    await t.rejects(async () => control.accounts.add({ userName, password: 'x' } as never), {
      code: 'bad-request',
      message: /userName to be a text/,
    })
  for (const none of ['', '\ud800', '\ufffd']) t.equal(await control.accounts.remove(none), false)
  for (const name of ['.', '..', '', '../..', 'x/clock', '__proto__', 'constructor', '\ud800']) {
    await t.rejects(async () => control.scopes.get(name), { name: 'ControlError' }, name)
    t.equal(await control.scopes.remove(name), false, name)
    t.equal(await control.faults.remove(name), false, name)
  }
})

forBoth('a scope that is removed is gone for those who still have it', async (t, { server, control }) => {
  const scope = await control.scopes.create('w')
  const waiting = t.rejects(scope.journal.waitFor({ status: 599 }), { code: 'unknown-scope' })
  t.equal(await control.scopes.remove('w'), true)
  await waiting
  const uses: readonly (() => unknown)[] = [
    () => scope.reset(),
    () => scope.accounts.list(),
    () => scope.accounts.remove('ann'),
    () => scope.clock.now(),
    () => scope.clock.freeze(),
    () => scope.faults.list(),
    () => scope.faults.remove('1'),
    () => scope.settings.get(),
    () => scope.journal.entries(),
  ]
  for (const use of uses) await t.rejects(async () => use(), { code: 'unknown-scope' }, String(use))
  await t.rejects(scope.accounts.add(bob), { code: 'unknown-scope' })
  await t.rejects(scope.journal.waitFor({}), { code: 'unknown-scope' })
  const again = await control.scopes.create('w')
  await again.clock.freeze(noon)
  t.equal(await again.clock.now(), noon)
  if (server === control)
    t.throws(() => scope.clock.now(), { code: 'unknown-scope' }, 'another one of its name')
})

forBoth('the journal tells what came, and is waited for', async (t, { control }) => {
  const waiting = control.journal.waitFor({ refusal: 'wrong-password', userName: 'ann' })
  await signIn(control)
  await signIn(control, { ...ann, password: 'wr0ng ' })
  const entry = await waiting
  t.match(entry, {
    id: 2,
    status: 400,
    path: '/Token',
    userName: 'ann',
    refusal: 'wrong-password',
    reason: 'the password is not that of the account: what was sent ends with a space',
    parameters: { grant_type: 'password', username: 'ann', password: '‹withheld›' },
  })
  t.strictSame(await control.journal.waitFor({ status: 400 }), entry, 'one that has come already')
  await t.rejects(async () => control.journal.waitFor({ status: 400, after: 2 }, { timeoutMs: 1 }), {
    code: 'timeout',
  })
  const entries = await control.journal.entries()
  t.match(entries, [{ id: 1, status: 200, userName: 'ann' }, entry])
  t.notMatch(JSON.stringify(entries), /Secret-1|wr0ng/)
  await control.journal.clear()
  t.strictSame(await control.journal.entries(), [])
})

forBoth('two workers do not disturb each other', async (t, { server, control }) => {
  const [one, two] = await Promise.all(['worker-1', 'worker-2'].map((name) => control.scopes.create(name)))
  if (one === undefined || two === undefined) throw new Error('no scopes')
  t.equal(one.url, `${server.url}/scopes/worker-1`)
  t.strictSame(await control.scopes.list(), ['worker-1', 'worker-2'])
  const work = async (scope: StoreControl, lifetime: number): Promise<void> => {
    await scope.clock.freeze(noon + lifetime * 1000)
    await scope.settings.change({ tokenLifetime: lifetime })
    await scope.accounts.add({ ...bob, password: `of-${lifetime}` })
    for (let round = 0; round < 20; round++) {
      const { status, json } = await signIn(scope, { ...bob, password: `of-${lifetime}` })
      t.equal(status, 200)
      t.equal(json.expires_in, lifetime - 1)
      t.equal(json['.issued'], new Date(noon + lifetime * 1000).toUTCString())
    }
    t.equal((await scope.journal.entries()).length, 20)
  }
  await Promise.all([work(one, 60), work(two, 90)])
  await one.reset()
  t.match(await signIn(one, { ...bob, password: 'of-60' }), { status: 400 })
  t.match(await signIn(two, { ...bob, password: 'of-90' }), { status: 200 })
  t.match(await signIn(control, { ...bob, password: 'of-90' }), { status: 400 })
  t.match(await signIn(control, { ...bob, password: 'of-90' }, { 'Token-Assay-Scope': 'worker-2' }), {
    status: 200,
  })
  t.equal((await control.journal.entries()).length, 1, "the server's own")

  t.match(await signIn(control, ann, { 'token-assay-scope': 'worker-3' }), { status: 404 })
  t.match((await control.journal.entries()).at(-1), { status: 404, refusal: 'unknown-scope' })
  t.match(await (await control.scopes.get('worker-2')).clock.now(), noon + 90_000)
  await t.rejects(async () => control.scopes.get('worker-3'), { code: 'unknown-scope' })
  await t.rejects(async () => control.scopes.create('worker-2'), { code: 'exists' })
  for (const name of ['', 'A', '../x', 'x'.repeat(65)])
    await t.rejects(async () => control.scopes.create(name), { code: 'bad-request' })
  t.equal(await control.scopes.remove('worker-2'), true)
  t.equal(await control.scopes.remove('worker-2'), false)
  t.match(await signIn(two, ann), { status: 404 })
  for (let count = 1; count < 100; count++) await control.scopes.create(`more-${count}`)
  await t.rejects(async () => control.scopes.create('one-too-many'), { code: 'full' })
})

t.test('without a scope nothing of a request is looked at for one', async (t) => {
  const server = await start(t, { control: undefined })
  t.match(await signIn(server, ann, { 'token-assay-scope': 'absent' }), { status: 200 })
  t.match(await signIn({ url: `${server.url}/scopes/x` }), { status: 404 })
  t.equal(server.journal.entries().at(-1)?.refusal, 'unknown-path')
})

t.test('scopes below a base path', async (t) => {
  const server = await start(t, { basePath: '/auth' })
  const scope = server.scopes.create('w')
  t.equal(scope.url, `${server.url}/scopes/w`)
  t.match(await signIn(scope), { status: 200 })
  const bare = await fetch(scope.url, { method: 'POST' })
  t.equal(bare.status, 404)
})

t.test('a store that is reset has one state for each request', async (t) => {
  const server = await start(t, { hashing: 'argon2id' })
  const answers = Array.from({ length: 8 }, () => signIn(server))
  await server.journal.waitFor({ status: 200 })
  server.reset()
  for (const { status } of await Promise.all(answers)) t.equal(status, 200)
})

t.test('the control plane: who may, and what', async (t) => {
  const lines: LogLine[] = []
  const server = await start(t, { log: (line) => lines.push(line), cors: { origins: '*' } })
  const { controlUrl = '' } = server
  const ask = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(controlUrl + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const answer = await response.text()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      json: answer === '' ? undefined : JSON.parse(answer),
    }
  }
  t.match(controlUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
  for (const authorization of [
    '',
    'Bearer',
    `Bearer ${secret}x`,
    `Basic ${secret}`,
    `Bearer ${secret.slice(1)}`,
  ]) {
    t.match(await ask('POST', '/reset', undefined, { authorization }), {
      status: 401,
      type: 'application/problem+json',
      json: { title: 'unauthorized', status: 401, detail: /Authorization: Bearer/ },
    })
    t.match(await ask('GET', '/nowhere', undefined, { authorization }), { status: 401 }, 'tells no paths')
  }
  t.match(await ask('GET', '/health', undefined, { authorization: '' }), {
    status: 200,
    json: { status: 'ok' },
  })
  t.match(await ask('GET', '/ready', undefined, { authorization: '' }), {
    status: 200,
    json: { ready: true },
  })

  const refused: readonly [string, string, string | undefined, number, RegExp][] = [
    ['GET', '/nowhere', undefined, 404, /nothing is served/],
    ['PUT', '/reset', undefined, 404, /by this method/],
    ['POST', '/accounts', '{', 400, /JSON/],
    [
      'POST',
      '/accounts',
      '{"userName":"x","password":"y","userName":"z"}',
      400,
      /each member of an object once/,
    ],
    ['POST', '/accounts', '{"userName":"x","password":"y","userNa\\u006de":"z"}', 400, /each member/],
    [
      'POST',
      '/faults',
      '{"kind":"status","status":500,"body":[{"a":{"b":1}},{"b":1,"b" :2}]}',
      400,
      /each member/,
    ],
    ['POST', '/reset', '{"a}\\"{":1,"a":"a","x":["a","a"],"b":{"a":1}}', 400, /body to have no member "/],
    ['POST', '/accounts', '[]', 400, /account to be an account/],
    ['POST', '/accounts', '{"userName":"x"}', 400, /account to have a member password/],
    ['POST', '/accounts', `{"userName":"${'x'.repeat(70_000)}"}`, 400, /longer than/],
    [
      'POST',
      '/accounts',
      '{"userName":"x","password":"pass-1-word","passwort":"y"}',
      400,
      /found "passwort"/,
    ],
    ['DELETE', '/accounts/absent', undefined, 404, /no account/],
    ['DELETE', '/accounts/%FF', undefined, 404, /nothing is served/],
    ['POST', '/clock/advance', '{}', 400, /advance to have a member seconds/],
    ['POST', '/clock/advance', '{"seconds":1e300}', 400, /1970 to 8999/],
    ['POST', '/reset', '{"scope":"w"}', 400, /body to have no member "scope"/],
    ['POST', '/reset', '[]', 400, /body to be an empty object/],
    ['POST', '/faults', '{"kind":"drop","bogus":1}', 400, /fault to have no member "bogus"/],
    ['GET', '/scopes/w/clock', undefined, 404, /no scope/],
    ['POST', '/journal/wait', '{"match":{"refusal":"x"}}', 400, /one of unknown-path/],
    ['POST', '/journal/wait', '{"timeoutMs":1}', 408, /within 1 ms/],
    ['POST', '/journal/wait', '{"match":null}', 400, /match to be an object/],
    ['POST', '/faults', '{"__proto__":{"kind":"drop"}}', 400, /fault to have a member kind/],
    ['PATCH', '/settings', '{"policy":{"__proto__":{"minimumLength":1}}}', 400, /found "__proto__"/],
    ['GET', '/scopes/__proto__/clock', undefined, 404, /no scope/],
    ['GET', '/scopes/..%2F/clock', undefined, 404, /no scope/],
  ]
  for (const [method, path, body, status, detail] of refused)
    t.match(await ask(method, path, body), { status, json: { status, detail } }, `${method} ${path}`)
  t.match(
    await ask('POST', '/reset', '{}', { 'content-type': 'text/plain' }),
    { status: 400 },
    'no simple request',
  )

  // What a page of a browser asks before it may send a header of its own.
  const preflight = await fetch(`${controlUrl}/reset`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  t.equal(preflight.status, 401)
  const allowed = [...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))
  t.strictSame(allowed, [], 'not even where the server itself has CORS')

  const logged = JSON.stringify(lines)
  t.notMatch(logged, new RegExp(`${secret}|absent|pass-1-word`))
  t.match(
    lines.find(({ event, method }) => event === 'control' && method === 'DELETE'),
    {
      path: '/accounts/:userName',
    },
  )
})

t.test('what cannot be a control plane is said at the start', async (t) => {
  const wrong: readonly [object, RegExp][] = [
    [{ secret: 'short' }, /control\.secret to be 16 to 1024/],
    [{ secret: 'with spaces in the secret' }, /control\.secret/],
    [{ secret, host: '0.0.0.0' }, /to mean it, set control\.remote/],
    [{ secret, port: 70_000 }, /control\.port/],
  ]
  for (const [control, message] of wrong)
    await t.rejects(startReferenceServer({ hashing: 'fast', control: control as never }), { message })
  const server = await start(t)
  const taken = Number(new URL(server.controlUrl ?? '').port)
  await t.rejects(startReferenceServer({ hashing: 'fast', control: { secret, port: taken } }), {
    code: 'EADDRINUSE',
  })
  // The control plane of one that cannot listen lets go of its port.
  const [port = 0] = await freePorts(1)
  const failing = startReferenceServer({ hashing: 'fast', port: server.port, control: { secret, port } })
  await t.rejects(failing, { code: 'EADDRINUSE' })
  const again = await startReferenceServer({ hashing: 'fast', control: { secret, port } })
  await again.close()
  const lines: LogLine[] = []
  const remote = await startReferenceServer({
    hashing: 'fast',
    control: { secret, host: '0.0.0.0', remote: true },
    log: (line) => lines.push(line),
  })
  t.match(
    lines.find(({ event }) => event === 'control-remote'),
    { level: 'warn', message: /other machines/ },
  )
  await remote.close()
  await t.rejects(connectControl({ url: server.controlUrl ?? '', secret: `${secret}x` }), {
    code: 'unauthorized',
  })
  await t.rejects(connectControl({ url: server.url, secret }), { code: 'unreachable' })
})

t.test(
  'what is no control plane is reported as such, whatever it answers, and read no further',
  async (t) => {
    const block = Buffer.alloc(1024 * 1024, 'x')
    const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
      null: (response) => void response.end('null'),
      html: (response) => void response.end('<html>'),
      endless: (response) => {
        const more = (): void => void (response.destroyed || response.write(block, more))
        more()
      },
    }
    for (const [name, answer] of Object.entries(answers)) {
      const peer = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
      await once(peer, 'listening')
      const { port } = peer.address() as AddressInfo
      const connecting = connectControl({ url: `http://127.0.0.1:${port}`, secret })
      await t.rejects(connecting, { code: 'unreachable', message: /is no control plane/ }, name)
      peer.closeAllConnections()
      peer.close()
    }
    await t.rejects(connectControl(undefined as never), { code: 'bad-request', message: /the url of/ })
  },
)

t.test('while it stops it is not ready, says so to the last, and lets go of those who wait', async (t) => {
  const server = await start(t, { hashing: 'argon2id' })
  const { controlUrl = '' } = server
  const control = await connectControl({ url: controlUrl, secret })
  const waiting = control.journal.waitFor({ status: 599 }, { timeoutMs: 600_000 })
  const listed = t.rejects(waiting, { code: 'stopped' })
  await control.faults.add({ kind: 'delay', ms: 200 })
  const answer = signIn(server)
  await server.journal.waitFor({ status: 200 })
  const stopped = server.close()
  t.equal(server.isReady(), false)
  t.match(await fetch(`${controlUrl}/ready`), { status: 503 })
  t.match(await answer, { status: 200 }, 'what runs is finished')
  await stopped
  await listed
  const raw = connect(Number(new URL(controlUrl).port), '127.0.0.1')
  await t.rejects(text(raw), { code: 'ECONNREFUSED' })
})

t.test('patience without end is no impatience', async (t) => {
  const server = await start(t)
  server.faults.add({ kind: 'delay', ms: 100 })
  const answer = signIn(server)
  await server.journal.waitFor({ status: 200 })
  await server.close(Number.POSITIVE_INFINITY)
  t.match(await answer, { status: 200, connection: 'close' })
})

t.test('a store keeps no more than it may, and forgets the oldest', async (t) => {
  const server = await start(t, { limits: { accounts: 2, tokens: 2, journal: 3 } })
  for (const userName of ['one', 'two', 'three'])
    await server.accounts.add({ ...bob, userName, email: `${userName}@example.com` })
  t.match(server.accounts.list(), [{ userName: 'ann' }, { userName: 'two' }, { userName: 'three' }])
  t.match(await signIn(server, { ...bob, userName: 'one' }), { status: 400 })
  const tokens: string[] = []
  for (const _ of [1, 2, 3]) tokens.push((await signIn(server)).json.access_token)
  const bearers = tokens.map((token) => server.bearerOf(token)?.userName)
  t.strictSame(bearers, [undefined, 'ann', 'ann'])
  t.match(
    server.journal.entries().map(({ id }) => id),
    [2, 3, 4],
  )
  await t.rejects(server.journal.waitFor({ status: 400 }, { timeoutMs: 1 }), { code: 'timeout' })
})

t.test('many servers in one process leave nothing behind', async (t) => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  t.teardown(() => process.off('warning', onWarning))
  const servers = await Promise.all(
    Array.from({ length: 50 }, () =>
      startReferenceServer({ accounts: [ann], hashing: 'fast', control: { secret } }),
    ),
  )
  t.equal(new Set(servers.flatMap(({ url, controlUrl }) => [url, controlUrl])).size, 100)
  await Promise.all(
    servers.map(async (server) => {
      t.equal((await signIn(server)).status, 200)
      await server[Symbol.asyncDispose]()
      t.equal(server.isReady(), false)
      await t.rejects(fetch(server.url), { name: 'TypeError' })
    }),
  )
  // Warnings come on the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(warnings, [])
})
