import t from 'tap'
import { declaredAs } from '../../assess/traffic/fixtures/start.js'
import type { Exchange } from '../../exchange/exchange.js'
import { alice, bob } from '../../fixtures/service.js'
import { SeenSecrets } from '../traffic/seen-secrets.js'
import { findExposures } from './exposed-secrets.js'

function request(path: string, headers: Exchange['request']['headers']): Exchange {
  return { request: { method: 'GET', path, headers }, startedAt: 0, receivedAt: 0, durationMs: 0 }
}

t.test('the spellings of a declared password are worked out once, not for each header', async (t) => {
  const password = 'Sésame & street 7'
  const secrets = new SeenSecrets(declaredAs('http://127.0.0.1', { accounts: [{ ...alice, password }, bob] }))
  const calls = t.capture(globalThis, 'encodeURIComponent', encodeURIComponent)
  const harmless = request('/me?page=1', [
    ['Accept', 'application/json, text/html'],
    ['X-Request-Id', '0b6f1d6e-6a1c-4b53-9a52'],
  ])
  t.strictSame(findExposures(harmless, secrets), [])
  const shown = request(`/me?x=0${new URLSearchParams([['', password]]).toString().slice(1)}0`, [])
  t.strictSame(findExposures(shown, secrets), [{ what: 'password', where: 'url' }])
  t.equal(calls().length, 0)
})
