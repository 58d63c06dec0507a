import t from 'tap'
import type { Exchange } from '../../exchange/exchange.js'
import { SeenSecrets } from '../../judge/traffic/seen-secrets.js'
import { declaredAs } from './fixtures/start.js'
import { trafficEvidence } from './traffic-evidence.js'

const SECRETS = ['session-S3cret', 'key-S3cret', 'client-S3cret', 'own token-S3cret', 'json-S3cret & more']

/** What is shown of a request and its echo. */
function shownOf(
  headers: Exchange['request']['headers'],
  body: string,
  echo: string,
  grantedName?: string,
): string {
  const declared = declaredAs('http://127.0.0.1')
  const exchange: Exchange = {
    request: { method: 'POST', path: '/Token', headers, body: Buffer.from(body, 'latin1') },
    response: { status: 400, headers: [], body: Buffer.from(JSON.stringify({ echo })), truncated: false },
    startedAt: 0,
    receivedAt: 0,
    durationMs: 0,
  }
  const secrets = new SeenSecrets(declared)
  secrets.learnSent(exchange)
  return JSON.stringify(trafficEvidence(exchange, [], 'x', grantedName, declared, secrets))
}

t.test('a form that cannot be decoded is not shown, whatever a service makes of it', async (t) => {
  const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const
  for (const [sent, echoes] of [
    ['%zzcanary%41-7', ['%zzcanary%41-7', '%zzcanaryA-7', 'zzcanaryA-7', '%ZZCANARYA-7']],
    [
      'canary-%FF-tail-8',
      ['canary-%FF-tail-8', 'canary-\ufffd-tail-8', 'canary-\xff-tail-8', 'canary--tail-8'],
    ],
    ['canary%', ['canary%', 'canary', 'Y2FuYXJ5JQ']],
    ['a%canary+of+ten%4', ['a%canary+of+ten%4', 'a%canary of ten%4', 'acanary of ten4']],
  ] as const)
    for (const echo of echoes) {
      const shown = shownOf(headers, `grant_type=password&username=alice&password=${sent}`, `no: ${echo}!`)
      t.notMatch(shown, /canary|-tail|Y2FuY/i, echo)
      t.match(shown, '{\\"echo\\":\\"no: ')
    }
  const many = Array.from({ length: 1100 }, (_, at) => `p${at}=`).join('&')
  t.notMatch(shownOf(headers, `${many}&password=canary-9`, 'canary-9'), 'canary', 'after too many pairs')
})

t.test('a body of another kind that a service repeats is not shown', async (t) => {
  for (const [type, body] of [
    ['application/json', '{"user":{"name":"alice","password":"canary-7"}}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\ncanary-7\r\n--x--',
    ],
    ['text/xml', '<login><password>canary-7</password></login>'],
    ['text/plain', 'password=canary-7'],
  ] as const)
    for (const echo of [body, 'no: canary-7', 'CANARY-7'])
      t.notMatch(shownOf([['Content-Type', type]], body, echo), /canary/i, `${type}: ${echo}`)
})

t.test(
  'excerpts that frameworks show of a password are not shown, whether or not it is declared',
  async (t) => {
    const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const
    for (const [sent, excerpt] of [
      ['not the one', 'Alice-has-1-cat'],
      ['Correct-horse-77', 'Correct-horse-7'],
      ['Correct-horse-7<battery-staple-and-more', 'ct-horse-7<battery-staple-and-'],
    ] as const) {
      const form = new URLSearchParams({ grant_type: 'password', username: 'alice', password: sent })
      t.notMatch(shownOf(headers, form.toString(), `#0 login('${excerpt}...')`), excerpt)
    }
  },
)

t.test(
  'a user name that is granted a token is shown, though a password begins as it does, or is it',
  async (t) => {
    const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const
    const username = 'svc-accounts-reader'
    for (const password of ['svc-accounts-reader-7X', username, 'reader']) {
      const form = new URLSearchParams({ grant_type: 'password', username, password })
      const shown = shownOf(headers, form.toString(), `{"userName":"${username}"}`, username)
      t.match(shown, `username=${username}`)
      t.match(shown, `userName\\\\\\":\\\\\\"${username}`)
      t.notMatch(shown, `password=${password}`)
    }
  },
)

t.test('what a service quotes of a refresh token is not shown, however it cuts it', async (t) => {
  const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const
  const token = 'Rt0AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })
  for (const length of [16, 20, 30, 39])
    t.notMatch(shownOf(headers, form.toString(), `bad: ${token.slice(0, length)}...`), 'Rt0AbCdEfGhIjKlM')
})

t.test('credentials of a client that a service repeats are not shown', async (t) => {
  const [cookie = '', key = '', basic = '', bearer = '', password = ''] = SECRETS
  const headers: Exchange['request']['headers'] = [
    ['Content-Type', 'application/json'],
    ['Cookie', `theme=1; sid=${encodeURIComponent(cookie)}`],
    ['X-Api-Key', key],
    ['Authorization', `Basic ${Buffer.from(`web:${basic}`).toString('base64')}`],
    ['Proxy-Authorization', `Bearer ${bearer}`],
  ]
  const echo = [...SECRETS, ...SECRETS.map(encodeURIComponent), JSON.stringify(headers)].join(' 1 ')
  const shown = shownOf(headers, JSON.stringify({ password }), echo)
  for (const secret of SECRETS)
    for (const text of [secret, encodeURIComponent(secret), Buffer.from(`web:${secret}`).toString('base64')])
      t.notOk(shown.includes(text), text)
  t.match(shown, 'theme=1', 'what is short is no credential')
})
