import t from 'tap'
import { createGuard, type GuardedRequest } from './guard.js'

const guard = createGuard({
  port: 4711,
  key: 'the key of this run',
  remedy: 'Open the address in the terminal',
})
const HOST = '127.0.0.1:4711'
const cookie = cookieFrom(guard)

function cookieFrom(of: typeof guard): string {
  const { pathname, search } = new URL(of.address)
  const answer = of.admit({ method: 'GET', target: pathname + search, headers: { host: HOST } })
  return answer?.headers['Set-Cookie']?.split(';')[0] ?? ''
}

const admit = (request: Partial<GuardedRequest>) =>
  guard.admit({
    method: 'POST',
    target: '/run',
    ...request,
    headers: { host: HOST, origin: `http://${HOST}`, cookie, ...request.headers },
  })

t.test('the first address gives a cookie that scripts and other sites cannot have', async (t) => {
  const { pathname, search, origin } = new URL(guard.address)
  t.equal(origin, `http://${HOST}`)
  const answer = guard.admit({ method: 'GET', target: pathname + search, headers: { host: HOST } })
  t.equal(answer?.status, 200)
  t.match(
    answer?.headers['Set-Cookie'],
    /^token-assay-4711=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    '256 bits',
  )
  t.match(answer?.body, '<meta http-equiv="refresh" content="0; url=/">')
  t.notMatch(
    JSON.stringify(answer),
    /the.key.of.this.run/,
    'the key leaves the address bar, and is no cookie',
  )
})

t.test('with the cookie every request passes, under each name of this host', async (t) => {
  for (const host of [HOST, 'localhost:4711', '[::1]:4711', 'LOCALHOST:4711']) {
    t.equal(admit({ headers: { host, origin: `http://${host.toLowerCase()}` } }), undefined, host)
    t.equal(admit({ method: 'GET', headers: { host, origin: undefined } }), undefined, `${host}, no origin`)
  }
  const headers = { 'sec-fetch-site': 'same-origin' }
  t.equal(admit({ headers }), undefined)
  t.equal(admit({ headers: { cookie: `a=b; ${cookie}; c=d` } }), undefined, 'among others')
})

t.test('refused: foreign hosts, foreign origins, no cookie, an old cookie, a wrong key', async (t) => {
  const old = cookieFrom(createGuard({ port: 4711, key: 'the key of this run', remedy: '' }))
  t.match(old, /^token-assay-4711=/)
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
      headers: { origin: undefined, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    },
    'no cookie': { headers: { cookie: undefined } },
    'no cookie, to read': { method: 'GET', headers: { cookie: undefined } },
    'an old cookie': { headers: { cookie: old } },
    'the cookie of another port': { headers: { cookie: cookie.replace('4711', '4712') } },
    'a cookie cut short': { headers: { cookie: cookie.slice(0, -1) } },
    'an empty cookie': { headers: { cookie: 'token-assay-4711=' } },
    'two cookies in two headers': { headers: { cookie: [cookie, cookie] } },
    'a wrong key, whatever the cookie': { method: 'GET', target: '/?key=the+key+of+this+ru' },
    'the key where a change is asked for': {
      target: '/?key=the+key+of+this+run',
      headers: { cookie: undefined },
    },
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
  t.equal(admit({ method: 'GET', target: '/', headers }), undefined)
  t.equal(admit({ method: 'POST', target: '/', headers: { ...headers, origin: undefined } })?.status, 403)
})

t.test('port 80 needs no number, and a page may be anywhere', async (t) => {
  const at = createGuard({ port: 80, home: '/ui', remedy: '' })
  const { pathname, search } = new URL(at.address)
  t.equal(pathname, '/ui')
  t.equal(at.admit({ method: 'GET', target: pathname + search, headers: { host: '127.0.0.1' } })?.status, 200)
  t.not(createGuard({ port: 80, remedy: '' }).address, at.address, 'a key of its own')
})
