import t from 'tap'
import { createGuard } from './guard.js'
import type { GuardedRequest } from './own-page.js'

const OPTIONS = {
  port: 4711,
  documents: /^(?:run)?$/,
  remedy: 'Open the address in the terminal',
} as const
const HOST = '127.0.0.1:4711'
const guard = createGuard(OPTIONS)

/** What the address that is printed gives to a browser: where it asks, and with which key. */
function readAddress(of: typeof guard) {
  const { pathname, hash } = new URL(of.address)
  return { home: pathname, key: hash.replace('#key=', '') }
}

const { home, key } = readAddress(guard)
const cookie = enter(guard).split(';')[0] ?? ''

/** What a browser gets for the key. */
function enter(of: typeof guard, given = readAddress(of)): string {
  const headers = { host: HOST, origin: `http://${HOST}`, 'token-assay-key': given.key }
  const answer = of.admit({ method: 'POST', target: `${given.home}enter`, headers })
  return answer?.headers['Set-Cookie'] ?? ''
}

/** A change as the page's script sends it, but for what differs. */
const admit = (request: Partial<GuardedRequest>) =>
  guard.admit({
    method: 'POST',
    target: `${home}run/start`,
    ...request,
    headers: { host: HOST, origin: `http://${HOST}`, cookie, 'token-assay-key': key, ...request.headers },
  })

t.test('the cookie is for a path that no one can guess, and opens documents alone', async (t) => {
  t.match(guard.address, /^http:\/\/127\.0\.0\.1:4711\/[\w-]{43}\/#key=[\w-]{43}$/, 'twice 256 bits')
  t.match(enter(guard), /^token-assay=[\w-]{43}; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict$/)
  t.match(enter(guard), `Path=${home};`)
  const secrets = [key, home.slice(1, -1), cookie.slice(cookie.indexOf('=') + 1)]
  t.equal(new Set(secrets).size, 3, 'none is another one')
  const other = createGuard(OPTIONS)
  t.not(readAddress(other).home, home)
  t.not(readAddress(other).key, key)
  // What a listener at another port would have, if it could learn the cookie.
  const stolen = { 'token-assay-key': undefined }
  for (const [method, path] of [
    ['POST', 'run/start'],
    ['POST', 'setup/text'],
    ['POST', 'enter'],
    ['POST', ''],
    ['GET', 'events'],
    ['GET', 'run/rule?name=a'],
  ] as const) {
    t.equal(admit({ method, target: home + path, headers: stolen })?.status, 403, `${method} ${path}`)
    t.equal(admit({ method, target: home + path, headers: { 'token-assay-key': key.slice(1) } })?.status, 403)
  }
  t.equal(admit({ method: 'GET', target: `${home}run`, headers: stolen }), undefined)
})

t.test('without the cookie a browser gets a page that holds nothing, and asks for it', async (t) => {
  for (const path of ['', 'run', 'run?a=b']) {
    const headers = { cookie: undefined, origin: undefined, 'token-assay-key': undefined }
    const answer = admit({ method: 'GET', target: home + path, headers })
    t.match(answer, { status: 200, headers: { 'Content-Security-Policy': /script-src 'sha256-/ } }, path)
    t.equal(answer?.headers['Set-Cookie'], undefined)
    for (const secret of [key, home, cookie.slice(12)]) t.notOk(answer?.body.includes(secret))
  }
})

t.test('with cookie and key every request passes, under each name of this host', async (t) => {
  for (const host of [HOST, 'localhost:4711', '[::1]:4711', 'LOCALHOST:4711']) {
    t.equal(admit({ headers: { host, origin: `http://${host.toLowerCase()}` } }), undefined, host)
    const read = { method: 'GET', target: `${home}events`, headers: { host, origin: undefined } }
    t.equal(admit(read), undefined, `${host}, no origin`)
  }
  t.equal(admit({ headers: { 'sec-fetch-site': 'same-origin' } }), undefined)
  t.equal(admit({ headers: { cookie: `a=b; ${cookie}; c=d` } }), undefined, 'among others')
  const planted = { cookie: `token-assay=x; ${cookie}; token-assay=y` }
  t.equal(admit({ headers: planted }), undefined, 'those of another port take it away from no one')
})

t.test('refused: foreign hosts, foreign origins, other paths, no cookie, an old one', async (t) => {
  const old = enter(createGuard(OPTIONS)).split(';')[0]
  t.match(old, /^token-assay=/)
  const refused: Readonly<Record<string, Partial<GuardedRequest>>> = {
    'a foreign host that resolves to here': {
      headers: { host: 'evil.example:4711', origin: 'http://evil.example:4711' },
    },
    'another port': { headers: { host: '127.0.0.1:4712', origin: 'http://127.0.0.1:4712' } },
    'this host without its port': { headers: { host: '127.0.0.1', origin: 'http://127.0.0.1' } },
    'no host': { headers: { host: undefined } },
    'a foreign origin': { headers: { origin: 'http://evil.example' } },
    'a foreign origin, to read': { method: 'GET', headers: { origin: 'http://evil.example' } },
    'an origin that has none': { headers: { origin: 'null' } },
    'the origin of another port': { headers: { origin: 'http://127.0.0.1:5000' } },
    'the same port by TLS': { headers: { origin: `https://${HOST}` } },
    'another name of this host': { headers: { origin: 'http://localhost:4711' } },
    'a change without an origin': { headers: { origin: undefined } },
    'a change that a browser says is from another port': { headers: { 'sec-fetch-site': 'same-site' } },
    'a read that a browser says is from another port': {
      method: 'GET',
      target: home,
      headers: { origin: undefined, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    },
    'no path': { target: '/' },
    'no path, for a document': { method: 'GET', target: '/' },
    'another path': { target: `/${cookie.slice(12)}/run/start` },
    'the path without its slash': { method: 'GET', target: home.slice(0, -1) },
    'the path behind another': { target: `/x${home}run/start` },
    'no cookie': { headers: { cookie: undefined } },
    'an old cookie': { headers: { cookie: old } },
    'a cookie cut short': { headers: { cookie: cookie.slice(0, -1) } },
    'an empty cookie': { headers: { cookie: 'token-assay=' } },
    'two cookies in two headers': { headers: { cookie: [cookie, cookie] } },
    'two keys': { headers: { 'token-assay-key': [key, key] } },
  }
  for (const [name, request] of Object.entries(refused)) {
    const answer = admit(request)
    t.equal(answer?.status, 403, name)
    t.equal(answer?.headers['Set-Cookie'], undefined, name)
    t.match(answer?.body, 'Open the address in the terminal to use this page.', name)
  }
})

t.test('a link from another port of this host opens the page', async (t) => {
  const headers = { origin: undefined, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
  t.equal(admit({ method: 'GET', target: home, headers }), undefined)
  t.equal(admit({ method: 'POST', target: home, headers: { ...headers, origin: undefined } })?.status, 403)
})

t.test('port 80 needs no number', async (t) => {
  const at = createGuard({ ...OPTIONS, port: 80 })
  t.equal(new URL(at.address).host, '127.0.0.1')
  t.equal(at.admit({ method: 'GET', target: at.home, headers: { host: '127.0.0.1' } })?.status, 200)
})
