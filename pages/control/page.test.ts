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

/** The cookie of a browser that has opened the page. */
async function open(server: ReferenceServer): Promise<string> {
  const { cookie } = await ask(server, `/page?${new URLSearchParams({ key: secret })}`)
  return cookie.split(';')[0] ?? ''
}

const signIn = async ({ url }: Pick<ReferenceServer, 'url'>, password = 'Secret-1') => {
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann', password })
  await (await fetch(`${url}/Token`, { method: 'POST', body })).text()
}

t.test('the secret opens the page, by a form or in its first address, and becomes a cookie', async (t) => {
  const server = await start(t)
  const form = await ask(server, '/page')
  t.match(form, { status: 200, cookie: '', body: /<input type="password" name="key"/ })
  t.match(form.policy, /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'/)
  const entered = await ask(server, `/page?${new URLSearchParams({ key: secret })}`)
  t.match(entered.cookie, /^token-assay-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  t.notMatch(entered.cookie, secret)
  const page = await ask(server, '/page', { headers: { cookie: entered.cookie } })
  t.match(page, { status: 200, body: /<h2 id="journal-heading">Journal/ })
  t.match(page.policy, /script-src 'sha256-[^']+'; connect-src 'self'/)
  t.notMatch(page.body, secret)
})

t.test(
  'what a foreign page, an old cookie or another name of this machine asks for is not done',
  async (t) => {
    const server = await start(t)
    const cookie = await open(server)
    const origin = server.controlUrl ?? ''
    const { host } = new URL(origin)
    const old = await open(await start(t))
    const attempts: readonly Readonly<Record<string, string>>[] = [
      {},
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
      { cookie, origin: origin.replace('127.0.0.1', 'localhost') },
      { cookie, origin, host: `evil.example:${new URL(origin).port}` },
      { cookie, origin, 'sec-fetch-site': 'same-site' },
      { cookie: old, origin },
      { cookie: `${cookie.split('=')[0]}=${old.split('=')[1]}`, origin },
      { cookie: `${cookie.split('=')[0]}=${secret}`, origin },
    ]
    for (const headers of attempts) {
      const refused = await ask(server, '/accounts/ann', { method: 'DELETE', headers })
      t.equal(refused.status, 401, JSON.stringify(headers))
    }
    t.equal(server.accounts.list().length, 1, 'nothing changed')
    for (const headers of [
      { host: 'evil.example' },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie: old },
    ])
      t.equal((await ask(server, '/page/state', { headers })).status, 401, JSON.stringify(headers))
    t.equal((await ask(server, '/page?key=wrong')).status, 403)
    t.equal(
      (
        await ask(server, `/page?${new URLSearchParams({ key: secret })}`, {
          headers: { host: 'evil.example' },
        })
      ).cookie,
      '',
    )
    const done = await ask(server, '/accounts/ann', { method: 'DELETE', headers: { cookie, origin, host } })
    t.equal(done.status, 204)
  },
)

t.test('the state says what is new, also after a reset and in a scope', async (t) => {
  const log: LogLine[] = []
  const server = await start(t, log)
  const cookie = await open(server)
  const state = async (query: Readonly<Record<string, string>> = {}) => {
    const asked = new URLSearchParams(query)
    return JSON.parse((await ask(server, `/page/state?${asked}`, { headers: { cookie } })).body)
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
  t.match(JSON.parse((await ask(server, '/page/state?scope=two', { headers: { cookie } })).body), {
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
  const cookie = await open(server)
  const read = async (path: string) => JSON.parse((await ask(server, path, { headers: { cookie } })).body)
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
