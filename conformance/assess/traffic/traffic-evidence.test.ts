import t from 'tap'
import type { Exchange } from '../../exchange/exchange.js'
import { SeenSecrets } from '../../judge/traffic/seen-secrets.js'
import { declaredAs } from './fixtures/start.js'
import { trafficEvidence } from './traffic-evidence.js'

const SECRETS = ['session-S3cret', 'key-S3cret', 'client-S3cret', 'own token-S3cret', 'json-S3cret & more']

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
  const declared = declaredAs('http://127.0.0.1')
  const exchange: Exchange = {
    request: { method: 'POST', path: '/Token', headers, body: Buffer.from(JSON.stringify({ password })) },
    response: { status: 400, headers: [], body: Buffer.from(JSON.stringify({ echo })), truncated: false },
    startedAt: 0,
    receivedAt: 0,
    durationMs: 0,
  }
  const shown = JSON.stringify(
    trafficEvidence(exchange, [], 'x', undefined, declared, new SeenSecrets(declared)),
  )
  for (const secret of SECRETS)
    for (const text of [secret, encodeURIComponent(secret), Buffer.from(`web:${secret}`).toString('base64')])
      t.notOk(shown.includes(text), text)
  t.match(shown, 'theme=1', 'what is short is no credential')
})
