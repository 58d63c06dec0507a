import t from 'tap'
import { clientSuite } from '../../../spec/load/client-suite.js'
import type { Exchange, WireRequest } from '../../exchange/exchange.js'
import { alice } from '../../fixtures/service.js'
import { judgeSignIn } from '../../judge/client/judge-sign-in.js'
import { declaredAs } from './fixtures/start.js'
import { TrafficAssay } from './traffic-assay.js'

const RULE = 'client:request-bearer'
const BASE = 'http://127.0.0.1:8080'
// As of a JWT: what others of its service begin with, and what it alone has.
const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9'
const TOKEN = `${HEADER}.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLW9mLWFsaWNl`
const OTHER = `${HEADER}.eyJzdWIiOiJib2IifQ.c2lnbmF0dXJlLW9mLWJvYg`

const PROPER: readonly [string, string] = ['Authorization', `Bearer ${TOKEN}`]
const proper = (...more: WireRequest['headers']) => ({ headers: [PROPER, ...more] })

const RIGHT: Readonly<Record<string, Partial<WireRequest>>> = {
  'the header alone': proper(['Accept', 'application/json, text/html'], ['User-Agent', 'curl/7.88.1']),
  'the scheme in lower case': { headers: [['authorization', `bearer ${TOKEN}`]] },
  'two spaces after the scheme': { headers: [['Authorization', `Bearer  ${TOKEN}`]] },
  'a cookie of the service': proper(['Cookie', '.AspNet.Cookies=kZx2-77aQ; lang=en']),
  'a trailer without it': { ...proper(['X-Checksum', 'c2lnbmF0dXJl']), trailers: 1 },
}

const WRONG: Readonly<Record<string, Partial<WireRequest>>> = {
  'a Referer too': proper(['Referer', `${BASE}/page?access_token=${TOKEN}&x=1`]),
  'a Referer alone': { headers: [['Referer', `${BASE}/${TOKEN}/page`]] },
  'another header too': proper(['X-Debug', `token=${TOKEN}`]),
  'another header, encoded': proper(['X-Debug', Buffer.from(`t=${TOKEN}`).toString('base64')]),
  'a cookie too': proper(['Cookie', `a=1; token=${TOKEN}`]),
  'a cookie in JSON': proper(['Cookie', `a={"token":"${TOKEN}"}`]),
  'the name of a header': proper([`X-${TOKEN}`, '1']),
  'the query, escaped twice': { ...proper(), path: `/me?to=${encodeURIComponent(`/?t%3D${TOKEN}`)}` },
  'the path, in a longer segment': { ...proper(), path: `/me;token=${TOKEN}` },
  'Authorization as a trailer': { headers: [PROPER], trailers: 1 },
  'quotes around it': { headers: [['Authorization', `Bearer "${TOKEN}"`]] },
  'a comma after it': { headers: [['Authorization', `Bearer ${TOKEN},`]] },
  'a parameter of Bearer': { headers: [['Authorization', `Bearer token=${TOKEN}`]] },
  'no space after the scheme': { headers: [['Authorization', `Bearer${TOKEN}`]] },
  'two lines of Authorization': { headers: [PROPER, PROPER] },
  'no scheme': { headers: [['Authorization', TOKEN]] },
  'another scheme': { headers: [['Authorization', `Token ${TOKEN}`]] },
}

function exchange(request: Partial<WireRequest>, answer: object): Exchange {
  const body = Buffer.from(JSON.stringify(answer))
  return {
    request: { method: 'GET', path: '/me', headers: [], ...request },
    response: { status: 200, headers: [], body, truncated: false },
    startedAt: 0,
    receivedAt: 0,
    durationMs: 0,
  }
}

function login(token: string): Exchange {
  const { userName: username, password } = alice
  const form = new URLSearchParams({ grant_type: 'password', username, password })
  return exchange(
    {
      method: 'POST',
      path: '/Token',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: Buffer.from(`${form}`),
    },
    { access_token: token, token_type: 'bearer' },
  )
}

function byProxy(exchanges: readonly Exchange[]) {
  const assay = new TrafficAssay({ declared: declaredAs(BASE) })
  for (const one of exchanges) assay.add(one)
  const report = assay.report()
  return { outcome: report.rules.find(({ id }) => id === RULE)?.outcome, text: JSON.stringify(report) }
}

function byClient(exchanges: readonly Exchange[]) {
  const scenario = clientSuite().scenarios.find(({ rules }) => rules.includes(RULE))
  if (scenario === undefined) throw new Error('no scenario has the rule')
  const environment = {
    ...{ url: BASE, resourceUrl: `${BASE}/me`, userName: alice.userName, password: alice.password },
    ...{ scenario: scenario.id, fetches: 1, concurrency: 1 },
  }
  const judged = judgeSignIn({
    ...{ scenario, environment, exchanges, ownFrom: 0, owners: new Map([[TOKEN, alice.userName]]) },
    ...{ end: { signedIn: true, how: 'exit code 0' }, expiresAtMs: undefined, calledAtMs: 0, durationMs: 0 },
  })
  return judged.find(({ rule }) => rule === RULE)?.outcome
}

for (const [outcome, places] of [
  ['passed', RIGHT],
  ['failed', WRONG],
] as const)
  for (const [place, request] of Object.entries(places))
    t.test(`${place}: the token is judged alike in traffic and in a scenario`, async (t) => {
      const exchanges = [login(TOKEN), exchange(request, {})]
      t.equal(byClient(exchanges), outcome, 'in a scenario')
      const { outcome: found, text } = byProxy(exchanges)
      t.equal(found, outcome, 'in traffic')
      t.notMatch(text.toLowerCase(), TOKEN.toLowerCase())
    })

for (const [kind, request] of Object.entries({
  'a refresh': { body: Buffer.from('grant_type=refresh_token&refresh_token=x') },
  'a grant in JSON': {
    headers: [['Content-Type', 'application/json'] as const],
    body: Buffer.from('{"grant_type":"password"}'),
  },
  'a grant at another spelling of the path': { path: '/token/' },
  'a grant by another method': { method: 'PUT' },
}))
  t.test(`a token of ${kind} is a secret too`, async (t) => {
    const plain = login(TOKEN)
    const granted = { ...plain, request: { ...plain.request, ...request } }
    const { outcome, text } = byProxy([granted, exchange({ path: `/me?token=${TOKEN}` }, {})])
    t.equal(outcome, 'failed')
    t.notMatch(text, TOKEN)
    t.equal(byProxy([granted, exchange(proper(), {})]).outcome, 'passed')
  })

t.test('a short token, as of a stub, is no word of other headers', async (t) => {
  const request = {
    headers: [['Authorization', 'Bearer json-text'] as const, ['Accept', 'x/json-text'] as const],
  }
  t.equal(byProxy([login('json-text'), exchange(request, {})]).outcome, 'passed')
})

t.test(
  'another token, that a service has in its cookie, is not taken for one that begins alike',
  async (t) => {
    const request = proper(['Cookie', `session=${OTHER}; lang=en`])
    t.equal(byProxy([login(TOKEN), exchange(request, {})]).outcome, 'passed')
  },
)

t.test('a cookie that the service has put the token into is returned by the browser', async (t) => {
  const request = exchange(proper(['Cookie', `auth=${TOKEN}`]), {})
  t.equal(byProxy([login(TOKEN), request]).outcome, 'failed', 'put there by the client')
  const { response, ...rest } = login(TOKEN)
  if (response === undefined) throw new TypeError('it is answered')
  const cookie = ['Set-Cookie', `auth=${TOKEN}; HttpOnly`] as const
  const sets = { ...rest, response: { ...response, headers: [cookie] } }
  t.equal(byProxy([sets, request]).outcome, 'passed')
})

t.test('a token that is forgotten, among very many, is not held against its client', async (t) => {
  const tokens = Array.from({ length: 10_001 }, (_, index) => `token-of-a-service-${index}`)
  const use = exchange({ headers: [['Authorization', `Bearer ${tokens[0]}`]] }, {})
  t.equal(byProxy([...tokens.map(login), use]).outcome, 'untested')
})
