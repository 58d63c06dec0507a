import t from 'tap'
import type { Exchange } from '../../exchange/exchange.js'
import type { ObservedSignIn } from '../../judge/client/observed-sign-in.js'
import { judgementsOf, renderObserved } from './client-evidence.js'

const PASSWORD = 'a+b c"1C'
const TOKEN = 'an-issued-token-0123'
const OWN = 'Real-0wn secret'
const FORM = 'application/x-www-form-urlencoded'

function shownOf(...requests: readonly Partial<Exchange['request']>[]): string {
  const exchanges = requests.map(
    (request): Exchange => ({
      request: { method: 'POST', path: '/Token', headers: [], ...request },
      response: { status: 400, headers: [], body: Buffer.from('{}'), truncated: false },
      startedAt: 0,
      receivedAt: 0,
      durationMs: 0,
    }),
  )
  const place = { url: 'http://h', resourceUrl: 'http://h/me', scenario: 'x', fetches: 1, concurrency: 1 }
  const observed: ObservedSignIn = {
    // Of a scenario these members alone are read.
    scenario: {
      id: 'client:request/plain',
      title: 'x',
      rules: ['client:request-media-type', 'client:request-username', 'client:request-password'],
    } as unknown as ObservedSignIn['scenario'],
    environment: { ...place, userName: 'alice', password: PASSWORD },
    end: { signedIn: false, how: 'exit code 1' },
    exchanges,
    ownFrom: 0,
    owners: new Map([[TOKEN, 'alice']]),
    expiresAtMs: undefined,
    calledAtMs: 0,
    durationMs: 0,
  }
  return JSON.stringify([renderObserved(observed), judgementsOf(observed)])
}

const sent = (type: string, body: string) => ({
  headers: [['content-type', type]] as const,
  body: Buffer.from(body),
})
const inXml = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[one]};`)
const formOf = (values: Record<string, string>): string => new URLSearchParams(values).toString()
const part = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`

t.test('secrets that a client has of its own are not shown, wherever it sends them', async (t) => {
  for (const [name, request] of Object.entries({
    'a password in a form': sent(FORM, new URLSearchParams({ username: 'me', password: OWN }).toString()),
    'a password in JSON': sent('application/json', JSON.stringify({ user: { password: OWN } })),
    'a secret in JSON': sent('application/json', JSON.stringify({ client_secret: OWN, api_key: OWN })),
    'a password in parts': sent('multipart/form-data; boundary=x', part('password', OWN)),
    'a secret in parts': sent('multipart/form-data; boundary=x', part('client_secret', OWN)),
    'a password in XML': sent(
      'text/xml',
      `<?xml version="1.0"?>\n<login><password>${inXml(OWN)}</password></login>`,
    ),
    'a password with a prefix': sent(
      'application/soap+xml',
      `<s:E><w:Password Type="x">${inXml(OWN)}</w:Password></s:E>`,
    ),
    'a secret in an attribute': sent('application/xml', `<login user='me' clientSecret = "${inXml(OWN)}"/>`),
    'a password in CDATA': sent('application/xml', `<a>\n <password> <![CDATA[${OWN}]]></password>`),
    'a password after a comment': sent(FORM, `\ufeff<p><password><!-- x -->${inXml(OWN)}`),
    'a password of numbers': sent(
      'text/xml',
      `<password>${[...OWN].map((one) => `&#${one.codePointAt(0)};`).join('')}</password>`,
    ),
    'JSON as a parameter': sent(FORM, formOf({ request: JSON.stringify({ client_secret: OWN }) })),
    'XML as a parameter': sent(FORM, formOf({ request: `<r><password>${inXml(OWN)}</password></r>` })),
    'a form encoded twice': sent(FORM, encodeURIComponent(formOf({ username: 'a', client_secret: OWN }))),
    'a form in a parameter': sent(FORM, formOf({ state: formOf({ again: formOf({ api_key: OWN }) }) })),
    'JSON in the URL': { path: `/Token?q=${encodeURIComponent(JSON.stringify({ password: OWN }))}` },
    'a password in the URL': { path: `/Token?password=${encodeURIComponent(OWN)}` },
    'a cookie beside a token': { path: '/me', headers: [['cookie', `sid=${OWN}; t=${TOKEN}`]] as const },
    'a password in a header': { path: '/me', headers: [['x-password', OWN]] as const },
    'a session in a header': { path: '/me', headers: [['x-session-id', OWN]] as const },
  })) {
    const shown = shownOf(request)
    t.notMatch(shown, /Real-0wn|0wn secret/, name)
    t.notMatch(shown, encodeURIComponent(OWN), name)
  }
})

t.test('the password that it was given is shown as it arrived, and how it sent a token', async (t) => {
  for (const arrived of [PASSWORD, 'a b c"1C', 'a', encodeURIComponent(PASSWORD), JSON.stringify(PASSWORD)]) {
    const shown = shownOf(
      sent(FORM, new URLSearchParams({ username: 'alice', password: arrived }).toString()),
    )
    t.notMatch(shown, 'secret of the client', arrived)
  }
  t.match(shownOf(sent('application/json', JSON.stringify({ token: TOKEN }))), '‹access token›')
  const shown = shownOf({ path: '/me', headers: [['cookie', `sid=${OWN}; t=${TOKEN}`]] })
  t.match(shown, 't=‹access token›')
})
