import { createHmac } from 'node:crypto'
import t from 'tap'
import { startReference } from '../tests/fixtures/reference.js'
import type { ReferenceServerOptions } from './server.js'
import { readToken, type SignedToken, signToken } from './signed-token.js'

const [old, current, foreign] = ['o', 'c', 'f'].map((letter) => letter.repeat(32)) as [string, string, string]
const ann = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' }
const NOON = Date.UTC(2024, 1, 29, 12)

async function start(t: Tap, keys?: readonly string[], more: ReferenceServerOptions = {}) {
  const server = await startReference(t, {
    ...{ accounts: [ann], protectedResource: true, refreshTokens: true, tokenLifetime: 60 },
    tokens: { kind: 'signed', ...(keys !== undefined && { keys }) },
    ...more,
  })
  server.clock.freeze(NOON)
  return server
}
type Tap = Parameters<typeof startReference>[0]

const ask = async (url: string, form: Readonly<Record<string, string>>) => {
  const answer = await fetch(`${url}/Token`, { method: 'POST', body: new URLSearchParams(form) })
  return JSON.parse(await answer.text())
}
const signIn = (url: string) => ask(url, { grant_type: 'password', username: 'ann', password: 'Secret-1' })
const refresh = (url: string, token: string) =>
  ask(url, { grant_type: 'refresh_token', refresh_token: token })
const me = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/me`, { headers: { Authorization: `Bearer ${token}` } })).status

t.test('servers with the same key accept each other’s tokens, as after a restart', async (t) => {
  const one = await start(t, [current])
  const first = await signIn(one.url)
  const second = await refresh(one.url, first.refresh_token)
  const other = await start(t, [current])
  for (const { access_token: token } of [first, second]) t.equal(await me(other.url, token), 200)
  t.match(other.introspect(second.access_token), {
    ...{ active: true, username: 'ann', sub: 'id-of-ann', iat: NOON / 1000, exp: NOON / 1000 + 60 },
  })
  const third = await refresh(other.url, second.refresh_token)
  t.equal(third.userName, 'ann')
  t.equal((await refresh(other.url, second.refresh_token)).error, 'invalid_grant', 'once')
  t.equal(await me(other.url, third.access_token), 401, 'a second use ended the sign-in')

  const { access_token: own, refresh_token: renewal } = await signIn(one.url)
  t.equal(await me(other.url, renewal), 401, 'a refresh token is no access token')
  t.equal((await refresh(other.url, own)).error, 'invalid_grant')
  t.equal((await refresh(other.url, renewal)).userName, 'ann')
  t.equal(other.revokeToken(own), true)
  t.equal(await me(other.url, own), 401)
  const { access_token: late } = await signIn(other.url)
  other.clock.advance(60)
  t.equal(await me(other.url, late), 401)
  t.equal(other.journal.entries().at(-1)?.refusal, 'expired-token')
})

t.test('the first key signs, each is read, a dropped one is refused', async (t) => {
  const before = await start(t, [old])
  const rotated = await start(t, [current, old])
  const after = await start(t, [current])
  const [ofOld, ofNew] = [(await signIn(before.url)).access_token, (await signIn(rotated.url)).access_token]
  const seen = []
  for (const { url } of [before, rotated, after]) seen.push([await me(url, ofOld), await me(url, ofNew)])
  t.strictSame(seen, [
    [200, 401],
    [200, 200],
    [401, 200],
  ])
  t.equal(after.journal.entries().at(-2)?.refusal, 'unknown-token')
})

t.test('without declared keys each server has its own, which a reset loses', async (t) => {
  const [one, other] = [await start(t), await start(t)]
  const { access_token: token, refresh_token: renewal } = await signIn(one.url)
  t.equal(await me(one.url, token), 200)
  t.equal(await me(other.url, token), 401)
  one.reset()
  one.clock.freeze(NOON)
  t.equal(await me(one.url, token), 401)
  t.equal((await refresh(one.url, renewal)).error, 'invalid_grant')
  const declared = await start(t, [current])
  const kept = await signIn(declared.url)
  declared.reset()
  declared.clock.freeze(NOON)
  t.equal(await me(declared.url, kept.access_token), 200, 'a declared key stays')
})

t.test('a scope accepts those of the scope with its name alone', async (t) => {
  const [one, other] = [await start(t, [current]), await start(t, [current])]
  const urls = [one, other].flatMap(({ url, scopes }) => [
    url,
    ...['a', 'b'].map((name) => scopes.create(name).url),
  ])
  for (const server of [one, other]) for (const name of ['a', 'b']) server.scopes.get(name).clock.freeze(NOON)
  const { access_token: token } = await signIn(urls[1] ?? '')
  const seen = []
  for (const url of urls) seen.push(await me(url, token))
  t.strictSame(seen, [401, 200, 401, 401, 200, 401])
})

t.test('a token is a JWT with HMAC SHA-256, and nothing else is one', async (t) => {
  const times = { issuedAtMs: NOON, expiresAtMs: NOON + 60_000 }
  const given: SignedToken = {
    use: 'access',
    issued: { userName: 'Zoë "x"', userId: 'id', session: 's', ...times },
  }
  const token = signToken(given, [current, old])
  const [header = '', payload = '', signature = ''] = token.split('.')
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  t.strictSame(json(header), { alg: 'HS256', typ: 'JWT' })
  t.match(json(payload), {
    sub: 'id',
    userName: 'Zoë "x"',
    iat: NOON / 1000,
    exp: NOON / 1000 + 60,
    sid: 's',
  })
  const sign = (text: string, key = current) =>
    `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  t.equal(token, sign(`${header}.${payload}`))
  t.strictSame(readToken(token, [old, current]), given)
  t.not(signToken(given, [current]), token, 'no two are the same')

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = json(payload)
  const wrong = [
    '',
    '.',
    '..',
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${token}.`,
    `${token}=`,
    `${token.slice(0, -1)}`,
    `${header}.${part({ ...claims, userName: 'bob' })}.${signature}`,
    `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    sign(`${part({ alg: 'none', typ: 'JWT' })}.${payload}`),
    sign(`${part({ alg: 'HS256' })}.${payload}`),
    sign(`${header}.${payload}`, foreign),
    sign(`${header}.${payload}`, ''),
    // Signed by a program that has the key, but of another shape.
    ...[null, [], 'x', {}, { ...claims, sub: 1 }, { ...claims, userName: null }, { ...claims, exp: '9' }].map(
      (value) => sign(`${header}.${part(value)}`),
    ),
    sign(`${header}.${Buffer.from('{"sub":').toString('base64url')}`),
  ]
  for (const text of wrong) t.equal(readToken(text, [current, old]), undefined, text)
  t.equal(readToken(sign(`${header}.${part(claims)}`), [current])?.issued.userName, 'Zoë "x"')
  // The last character of 32 bytes carries four bits: there are other spellings of the same bytes.
  const last = signature.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = alphabet[alphabet.indexOf(last) ^ 1] ?? ''
  t.strictSame(Buffer.from(signature.slice(0, -1) + other, 'base64url'), Buffer.from(signature, 'base64url'))
  t.equal(readToken(token.slice(0, -1) + other, [current]), undefined, 'another spelling')
})

t.test('what can be no key is refused, and not quoted', async (t) => {
  const secret = 'A-secret-that-is-too-short'
  for (const keys of [[], [secret], [`${secret} with a space in it`], Array<string>(11).fill(current)])
    await t.rejects(start(t, keys), { code: 'bad-option', message: /^expected tokens.keys/ }, String(keys))
  await t.rejects(start(t, undefined, { tokens: { kind: 'opaque', keys: [current] } }), {
    code: 'bad-option',
    message: 'tokens.keys: expected no keys: only signed tokens have them',
  })
  const error = await start(t, [secret]).catch(String)
  t.notMatch(String(error), secret)
  await t.rejects(start(t, [current], { refreshTokens: { oneTime: false, reuseDetection: true } }), {
    message: /^refreshTokens.reuseDetection: expected false/,
  })
})
