import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import type { RefreshTokenOptions } from '../refresh-tokens.js'
import type { ReferenceServer } from '../server.js'

const ann = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' }
const NOON = Date.UTC(2024, 1, 29, 12)

interface Answered {
  readonly status: number
  readonly text: string
  readonly json: Readonly<Record<string, string>>
}

async function ask(url: string, form: Readonly<Record<string, string>> | string): Promise<Answered> {
  const answer = await fetch(`${url}/Token`, { method: 'POST', body: new URLSearchParams(form) })
  const body = await answer.text()
  return { status: answer.status, text: body, json: JSON.parse(body) }
}

const signIn = (url: string) => ask(url, { grant_type: 'password', username: 'ann', password: 'Secret-1' })
const refresh = (url: string, token = '') => ask(url, { grant_type: 'refresh_token', refresh_token: token })
const last = (server: Pick<ReferenceServer, 'journal'>) => server.journal.entries().at(-1)
const notValid = { error: 'invalid_grant', error_description: 'The refresh token is not valid.' }

async function me(url: string, token = '', path = '/me'): Promise<number> {
  return (await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } })).status
}

/** What arrives, but for the token. */
async function bytesOf(url: string, form: string): Promise<string> {
  const sent = request(`${url}/Token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Connection: 'close' },
  })
  const [answer] = await Promise.all([
    new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject)
    }),
    sent.end(form),
  ])
  const pairs = answer.rawHeaders.map((word, index) => (index % 2 === 0 ? `${word}: ` : `${word}\r\n`))
  const body = (await text(answer)).replace(/"access_token":"[\w-]{43}"/, '"access_token":"…"')
  return `${answer.statusCode} ${answer.statusMessage}\r\n${pairs.join('')}\r\n${body}`
}

t.test('by default the server is the specified one, byte for byte', async (t) => {
  const server = await startReference(t, { accounts: [ann] })
  server.clock.freeze(NOON)
  const head = (status: string, length: number) =>
    [
      status,
      'Content-Type: application/json;charset=UTF-8',
      'Cache-Control: no-store',
      'Pragma: no-cache',
      'Date: Thu, 29 Feb 2024 12:00:00 GMT',
      `Content-Length: ${length}`,
      'Connection: close',
      '\r\n',
    ].join('\r\n')
  // 2.1, in its order; `…` stands for 43 characters.
  const body =
    '{"access_token":"…","token_type":"bearer","expires_in":1209599,"userName":"ann",".issued":"Thu, 29 Feb 2024 12:00:00 GMT",".expires":"Thu, 14 Mar 2024 12:00:00 GMT"}'
  t.equal(
    await bytesOf(server.url, 'grant_type=password&username=ann&password=Secret-1'),
    head('200 OK', body.length - 1 + 43) + body,
  )
  // 7: without a supported grant type.
  const error = '{"error":"unsupported_grant_type"}'
  t.equal(
    await bytesOf(server.url, 'grant_type=refresh_token&refresh_token=x'),
    head('400 Bad Request', error.length) + error,
  )
  t.equal(last(server)?.refusal, 'unsupported-grant-type')
  t.equal(await me(server.url), 404)
})

t.test('a refresh is answered as the sign-in was, with another refresh token', async (t) => {
  const server = await startReference(t, {
    ...{ accounts: [ann], refreshTokens: true, includesUserId: true, protectedResource: true },
  })
  server.clock.freeze(NOON)
  const first = (await signIn(server.url)).json
  // As Katana has it: after expires_in, and before the members of the service.
  t.strictSame(Object.keys(first), [
    ...['access_token', 'token_type', 'expires_in', 'refresh_token'],
    ...['userName', '.issued', '.expires', 'userId'],
  ])
  server.clock.advance(3600)
  const { status, json } = await refresh(server.url, first.refresh_token)
  t.equal(status, 200)
  t.strictSame(json, {
    ...first,
    access_token: json.access_token,
    refresh_token: json.refresh_token,
    '.issued': 'Thu, 29 Feb 2024 13:00:00 GMT',
    '.expires': 'Thu, 14 Mar 2024 13:00:00 GMT',
  })
  const tokens = [first.access_token, first.refresh_token, json.access_token, json.refresh_token]
  t.equal(new Set(tokens).size, 4)
  t.match(last(server), { status: 200, userName: 'ann' })
  t.equal(await me(server.url, first.access_token), 200, 'the old access token is still good')
  t.equal(await me(server.url, json.access_token), 200)
  t.equal(await me(server.url, json.refresh_token), 401, 'a refresh token is no access token')
  t.equal((await refresh(server.url, json.access_token)).status, 400, 'nor the other way round')
  t.notOk(tokens.some((token) => JSON.stringify(server.journal.entries()).includes(token ?? '')))
})

t.test('a second use of a refresh token revokes every token of its sign-in', async (t) => {
  const server = await startReference(t, { accounts: [ann], refreshTokens: true, protectedResource: true })
  const other = (await signIn(server.url)).json
  const first = (await signIn(server.url)).json
  const second = (await refresh(server.url, first.refresh_token)).json
  const reused = await refresh(server.url, first.refresh_token)
  t.match(reused, { status: 400, json: notValid })
  t.match(last(server), { refusal: 'spent-refresh-token', userName: 'ann' })
  t.match(await refresh(server.url, second.refresh_token), { status: 400, text: reused.text })
  t.match(last(server), { refusal: 'revoked-refresh-token', userName: 'ann' })
  for (const { access_token: token } of [first, second]) {
    t.equal(await me(server.url, token), 401)
    t.equal(last(server)?.refusal, 'revoked-token')
  }
  t.equal(await me(server.url, other.access_token), 200, 'another sign-in goes on')
  t.equal((await refresh(server.url, other.refresh_token)).status, 200)
})

t.test('what is declared otherwise', async (t) => {
  const start = async (refreshTokens: RefreshTokenOptions) => {
    const server = await startReference(t, { accounts: [ann], refreshTokens, protectedResource: true })
    return { server, url: server.url, first: (await signIn(server.url)).json }
  }
  await t.test('without reuse detection the others stay good', async (t) => {
    const { url, first } = await start({ reuseDetection: false })
    const second = (await refresh(url, first.refresh_token)).json
    t.match(await refresh(url, first.refresh_token), { status: 400, json: notValid })
    t.equal(await me(url, second.access_token), 200)
    t.equal((await refresh(url, second.refresh_token)).status, 200)
  })
  await t.test('without rotation the client keeps its refresh token, which works again', async (t) => {
    const { url, first } = await start({ rotation: false, oneTime: false })
    for (const _ of [1, 2]) {
      const { status, json } = await refresh(url, first.refresh_token)
      t.equal(status, 200)
      t.notOk('refresh_token' in json)
    }
  })
  await t.test('with rotation, but good for ever', async (t) => {
    const { url, first } = await start({ oneTime: false })
    const second = (await refresh(url, first.refresh_token)).json
    t.equal((await refresh(url, first.refresh_token)).status, 200)
    t.equal((await refresh(url, second.refresh_token)).status, 200)
  })
  await t.test('it ends after its own lifetime; another begins anew', async (t) => {
    const { server, url } = await start({ lifetime: 60 })
    server.clock.freeze(NOON)
    const first = (await signIn(url)).json
    server.clock.advance(59)
    const second = (await refresh(url, first.refresh_token)).json
    server.clock.advance(59)
    const third = (await refresh(url, second.refresh_token)).json
    server.clock.advance(60)
    t.match(await refresh(url, third.refresh_token), { status: 400, json: notValid })
    t.match(last(server), { refusal: 'expired-refresh-token', userName: 'ann' })
  })
})

t.test('what is no good refresh token', async (t) => {
  const server = await startReference(t, { accounts: [ann], refreshTokens: true })
  const { refresh_token: token = '' } = (await signIn(server.url)).json
  const cases: readonly (readonly [string, string, string])[] = [
    ['grant_type=refresh_token', 'invalid_request', 'no-refresh-token'],
    ['grant_type=refresh_token&refresh_token=', 'invalid_grant', 'unknown-refresh-token'],
    [`grant_type=refresh_token&refresh_token=${token}x`, 'invalid_grant', 'unknown-refresh-token'],
    [
      `grant_type=refresh_token&refresh_token=${token}&refresh_token=${token}`,
      'invalid_request',
      'repeated-parameter',
    ],
    [
      `grant_type=refresh_token&grant_type=password&refresh_token=${token}`,
      'invalid_request',
      'repeated-parameter',
    ],
    [`grant_type=Refresh_token&refresh_token=${token}`, 'unsupported_grant_type', 'unsupported-grant-type'],
  ]
  for (const [form, error, refusal] of cases) {
    t.match(await ask(server.url, form), { status: 400, json: { error } }, form)
    t.equal(last(server)?.refusal, refusal)
  }
  server.accounts.remove('ann')
  t.match(await refresh(server.url, token), { status: 400, json: notValid }, 'its account is gone')
  await server.accounts.add({ ...ann, userId: 'another' })
  t.match(await refresh(server.url, token), { status: 400, json: notValid }, 'its name is another one’s')
})

t.test('a test issues, revokes and resets', async (t) => {
  const server = await startReference(t, { accounts: [ann], refreshTokens: true, protectedResource: true })
  const issued = server.issueToken({ userName: 'ann' })
  const { json } = await refresh(server.url, issued.refresh_token)
  t.equal(server.bearerOf(issued.refresh_token ?? ''), undefined)
  t.equal(server.revokeToken(json.access_token ?? ''), true)
  t.equal(await me(server.url, issued.access_token), 200, 'of an access token, that one alone')
  t.equal(server.revokeToken(json.refresh_token ?? ''), true)
  t.equal(server.revokeToken(json.refresh_token ?? ''), false)
  t.equal(await me(server.url, issued.access_token), 401, 'a refresh token takes all of its sign-in')
  t.equal((await refresh(server.url, json.refresh_token)).status, 400)

  const { json: again } = await signIn(server.url)
  server.reset()
  t.equal((await refresh(server.url, again.refresh_token)).status, 400)
  t.equal(last(server)?.refusal, 'unknown-refresh-token')
})
