import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { LogLine } from '../../reference/log.js'
import type { ReferenceServer } from '../../reference/server.js'
import { startReference } from '../../tests/fixtures/reference.js'

const secret = 'a-secret/of+the&page%20'

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** A request as a browser sends it, with headers that `fetch` would not send. */
function ask(
  { controlUrl = '' }: ReferenceServer,
  path: string,
  { method = 'GET', headers = {}, json }: Asked = {},
) {
  return new Promise<{ status: number; cookie: string; policy: string; body: string }>((resolve, reject) => {
    const body = json === undefined ? '' : JSON.stringify(json)
    const type = json === undefined ? {} : { 'Content-Type': 'application/json' }
    request(`${controlUrl}${path}`, { method, headers: { ...type, ...headers } }, async (response) => {
      resolve({
        status: response.statusCode ?? 0,
        cookie: response.headers['set-cookie']?.join() ?? '',
        policy: String(response.headers['content-security-policy']),
        body: await text(response),
      })
    })
      .on('error', reject)
      .end(body)
  })
}

const start = (t: Test, log: LogLine[] = []): Promise<ReferenceServer> =>
  startReference(t, { control: { secret }, log: (line) => void log.push(line) })

/** What the script of the page sends once it has got its key for the secret. */
async function open(server: ReferenceServer): Promise<{ readonly 'token-assay-key': string }> {
  const headers = { Authorization: `Bearer ${secret}` }
  const { body } = await ask(server, '/page/key', { method: 'POST', headers })
  return { 'token-assay-key': JSON.parse(body).key }
}

const signIn = async ({ url }: Pick<ReferenceServer, 'url'>, password = 'Secret-1') => {
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann', password })
  await (await fetch(`${url}/Token`, { method: 'POST', body })).text()
}

t.test('the page holds nothing, and sets no cookie: for the secret its script gets a key', async (t) => {
  const server = await start(t)
  const page = await ask(server, '/page')
  t.match(page, { status: 200, cookie: '', body: /<input type="password" name="secret"/ })
  t.match(page.policy, /script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; connect-src 'self'/)
  t.notMatch(page.body, secret)
  t.notMatch(page.body, server.url)
  t.equal((await ask(server, '/page', { headers: { host: 'evil.example' } })).status, 403)
  const entered = await ask(server, '/page/key', {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}` },
  })
  t.match(entered, { status: 200, cookie: '', body: /^\{"key":"[\w-]{43}"\}$/ })
  t.notMatch(entered.body, secret)
  for (const headers of [{}, { Authorization: 'Bearer x' }, { cookie: `token-assay=${secret}` }])
    t.match(await ask(server, '/page/key', { method: 'POST', headers }), {
      status: 401,
      body: /unauthorized/,
    })
})

t.test('what a foreign page, an old key or another name of this machine asks for is not done', async (t) => {
  const server = await start(t)
  const key = await open(server)
  const origin = server.controlUrl ?? ''
  const { host } = new URL(origin)
  const [other, cookie] = [await open(await start(t)), `token-assay=${key['token-assay-key']}`]
  const attempts: readonly Readonly<Record<string, string>>[] = [
    { origin },
    key,
    { ...key, origin: 'https://evil.example' },
    { ...key, origin: 'null' },
    { ...key, origin: origin.replace('127.0.0.1', 'localhost') },
    { ...key, origin, host: `evil.example:${new URL(origin).port}` },
    { ...key, origin, 'sec-fetch-site': 'same-site' },
    { ...other, origin },
    { 'token-assay-key': secret, origin },
    { cookie, origin },
  ]
  for (const headers of attempts) {
    const refused = await ask(server, '/accounts/ann', { method: 'DELETE', headers })
    t.equal(refused.status, 401, JSON.stringify(headers))
  }
  t.equal(server.accounts.list().length, 1, 'nothing changed')
  for (const headers of [
    {},
    { ...key, host: 'evil.example' },
    { ...key, 'sec-fetch-site': 'cross-site' },
    other,
  ])
    t.equal((await ask(server, '/page/state', { headers })).status, 401, JSON.stringify(headers))
  const done = await ask(server, '/accounts/ann', { method: 'DELETE', headers: { ...key, origin, host } })
  t.equal(done.status, 204)
})

t.test('the state says what is new, also after a reset and in a scope', async (t) => {
  const log: LogLine[] = []
  const server = await start(t, log)
  const headers = await open(server)
  const state = async (query: Readonly<Record<string, string>> = {}) => {
    const asked = new URLSearchParams(query)
    return JSON.parse((await ask(server, `/page/state?${asked}`, { headers })).body)
  }
  const seen = ({ id, atMs }: { id: number; atMs: number }) => ({ seen: String(id), at: String(atMs) })
  const ids = ({ journal }: { journal: { entries: { id: number }[] } }) => journal.entries.map(({ id }) => id)
  t.match(await state(), {
    url: server.url,
    journal: { entries: [], isAnother: false },
    accounts: { count: 1 },
  })
  await signIn(server)
  await signIn(server, 'wrong')
  const first = await state()
  t.match(first.journal.entries, [
    { id: 1, userName: 'ann' },
    { id: 2, reason: 'the password is not that of the account' },
  ])
  const [one, two] = first.journal.entries
  t.strictSame(ids(await state(seen(one))), [2])
  t.match(await state(seen(two)), { journal: { entries: [], isAnother: false } })
  server.journal.clear()
  t.match(await state(seen(two)), { journal: { entries: [], isAnother: true } })
  server.clock.advance(60)
  for (let index = 0; index < 3; index += 1) await signIn(server)
  const again = await state(seen(two))
  t.match([again.journal.isAnother, ids(again)], [true, [1, 2, 3]], 'the same ids, other entries')
  await signIn(server.scopes.create('one'))
  t.match(await state({ scope: 'one' }), { scopes: ['one'], journal: { entries: [{ id: 1 }] } })
  t.match(JSON.parse((await ask(server, '/page/state?scope=two', { headers })).body), {
    title: 'unknown-scope',
  })
  t.strictSame(
    log.filter((line) => JSON.stringify(line).includes('/page/state')),
    [],
    'it is no line of the log',
  )
})

t.test('of a long journal the latest, and the older ones on request', async (t) => {
  const server = await startReference(t, { control: { secret }, limits: { journal: 2500 } })
  const headers = await open(server)
  const read = async (path: string) => JSON.parse((await ask(server, path, { headers })).body)
  const range = (entries: readonly { id: number }[]) => [entries.length, entries[0]?.id, entries.at(-1)?.id]
  const preflight = () => fetch(`${server.url}/nothing`).then((response) => response.text())
  for (let index = 0; index < 2600; index += 50) await Promise.all(Array.from({ length: 50 }, preflight))
  const { journal } = await read('/page/state')
  t.strictSame([range(journal.entries), journal.first], [[200, 2401, 2600], 101])
  const older = await read('/page/older?before=1601')
  t.strictSame(range(older.entries), [1000, 601, 1600])
  t.strictSame(range((await read('/page/older?before=601')).entries), [500, 101, 600])
  const [behind] = older.entries
  const far = await read(`/page/state?seen=${behind.id}&at=${behind.atMs}`)
  t.strictSame([range(far.journal.entries), far.journal.isAnother], [[200, 2401, 2600], true])
})
