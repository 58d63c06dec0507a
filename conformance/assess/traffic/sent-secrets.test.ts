import t from 'tap'
import type { Exchange } from '../../exchange/exchange.js'
import { declaredAs } from './fixtures/start.js'
import { TrafficAssay } from './traffic-assay.js'

const SECRET = 'of 2: a,b;c%d&é'
const inMultipart = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\npassword\r\n--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`
const inForm = (pairs: Readonly<Record<string, string>>): string => new URLSearchParams(pairs).toString()
const FORM = 'application/x-www-form-urlencoded'

/** Requests that have a secret, each in another place. */
const REQUESTS: Readonly<
  Record<string, readonly [contentType: string, body: string, authorization?: string, query?: string]>
> = {
  'a form': [FORM, inForm({ grant_type: 'password', username: 'alice', password: SECRET })],
  'a form with braces': [FORM, `grant_type=no&state={"a":1}&${inForm({ password: SECRET })}`],
  'a form of another grant type': [FORM, inForm({ grant_type: 'no', password: SECRET })],
  'JSON that is escaped as a name': [FORM, `${encodeURIComponent(JSON.stringify({ password: SECRET }))}=`],
  'a refresh token': [FORM, inForm({ grant_type: 'refresh_token', refresh_token: SECRET })],
  'a code': [FORM, inForm({ grant_type: 'authorization_code', code: SECRET })],
  'an assertion': [FORM, inForm({ grant_type: 'x', assertion: SECRET })],
  'a secret of the client': [FORM, inForm({ grant_type: 'client_credentials', client_secret: SECRET })],
  JSON: ['application/json', JSON.stringify({ username: 'alice', password: SECRET })],
  'JSON inside JSON': ['application/json', JSON.stringify({ user: [{ credentials: { password: SECRET } }] })],
  'a multipart form': ['multipart/form-data; boundary=x', inMultipart('password', SECRET)],
  XML: ['text/xml', `<login><u:password>${SECRET.replace('&', '&amp;')}</u:password></login>`],
  'an attribute': ['application/xml', `<login client_secret='${SECRET.replace('&', '&amp;')}'/>`],
  'a query': [FORM, 'grant_type=no', '', `?${inForm({ password: SECRET })}`],
  'a path': [FORM, 'grant_type=no', '', `;${inForm({ jsessionid: SECRET })}`],
  Basic: [FORM, 'grant_type=client_credentials', `Basic ${Buffer.from(`web:${SECRET}`).toString('base64')}`],
}

function exchangeOf(
  [contentType, body, authorization, query = '']: (typeof REQUESTS)[string],
  answer: object,
): Exchange {
  const headers: [string, string][] = [['Content-Type', contentType]]
  if (authorization) headers.push(['Authorization', authorization])
  return {
    request: { method: 'POST', path: `/Token${query}`, headers, body: Buffer.from(body) },
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from(JSON.stringify(answer)),
      truncated: false,
    },
    startedAt: 0,
    receivedAt: 0,
    durationMs: 0,
  }
}

const PLAIN = inForm({ grant_type: 'no', username: 'bob' })

for (const [place, request] of Object.entries(REQUESTS))
  for (const [when, requests] of [
    ['at once', [request]],
    ['later', [request, [FORM, PLAIN]]],
  ] as const)
    t.test(`what was sent as ${place} and is repeated ${when} is not shown`, async (t) => {
      const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1') })
      for (const [index, one] of requests.entries()) {
        const echo = { error: `no: ${SECRET}`, access_token: 'some-token-77', token_type: SECRET }
        assay.add(exchangeOf(one, index === requests.length - 1 ? echo : {}))
      }
      const report = JSON.stringify(assay.report())
      t.match(report, 'no: ‹', 'an answer is shown')
      t.notMatch(report, JSON.stringify(SECRET).slice(1, -1))
      t.notMatch(report, 'a,b;c')
    })

for (const end of ['', '=', '=&client_id='])
  t.test(`what follows & in a password is no name to be shown, also with \`${end}\``, async (t) => {
    const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1') })
    const body = `grant_type=no&username=alice&password=Rain&Winterreise-4711${end}`
    assay.add(exchangeOf([FORM, body], { error: 'no: Winterreise-4711' }))
    const report = JSON.stringify(assay.report())
    t.match(report, 'password=‹password›&‹redacted›')
    t.notMatch(report, 'Winterreise')
  })

t.test('a known password with & in it, not encoded, leaves no part as a name', async (t) => {
  const declared = {
    ...declaredAs('http://127.0.0.1'),
    accounts: [{ userName: 'alice', password: 'Rain&first=of-2' }],
  }
  const assay = new TrafficAssay({ declared })
  assay.add(exchangeOf([FORM, 'grant_type=no&username=alice&password=Rain&first=of-2'], {}))
  const report = JSON.stringify(assay.report())
  t.match(report, 'username=alice&password=‹password›&‹redacted›')
  t.notMatch(report, /Rain|first|of-2/)
})

t.test('JSON that is sent as a form leaves no part of a password as a name', async (t) => {
  const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1') })
  assay.add(exchangeOf([FORM, '{"username":"bob","password":"Rain&Z3pwTn8v=of-2"}'], {}))
  t.notMatch(JSON.stringify(assay.report()), /Rain|Z3pwTn8v|of-2/)
})

t.test('an empty parameter keeps its name, and no path its fragment', async (t) => {
  const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1') })
  const { request, ...rest } = exchangeOf([FORM, 'grant_type=no&state=&client_secret=&x='], {})
  assay.add({ ...rest, request: { ...request, path: '/Token#access_token=Zz9kTTq4mWw8vv2B' } })
  const report = JSON.stringify(assay.report())
  t.match(report, '&state=‹redacted›&client_secret=‹redacted›&x=‹redacted›')
  t.notMatch(report, 'Zz9kTTq4mWw8vv2B')
})

t.test('an empty password is none: a client that sends an empty parameter shows no secret', async (t) => {
  const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1') })
  assay.add(exchangeOf([FORM, inForm({ grant_type: 'password', username: 'bob', password: '' })], {}))
  const { request, ...rest } = exchangeOf([FORM, inForm({ grant_type: 'no' })], {})
  assay.add({ ...rest, request: { ...request, path: '/Token?token=' } })
  const { judgements } = assay.report().results.find(({ case: id }) => id === 'client:traffic/secrets') ?? {}
  t.match(judgements, [{ rule: 'client:request-secrets', outcome: 'passed' }])
})
