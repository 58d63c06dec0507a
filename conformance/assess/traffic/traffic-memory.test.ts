import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { Exchange } from '../../exchange/exchange.js'
import { alice } from '../../fixtures/service.js'
import { declaredAs } from './fixtures/start.js'
import { TrafficAssay } from './traffic-assay.js'

const TOKENS = 2000
const TOKEN_BYTES = 1500
const METHODS = ['PUT', 'PATCH', 'DELETE', 'GET'] as const
const FORMS = [
  '',
  'username=alice',
  'grant_type=other',
  'grant_type=password',
  'grant_type=password&username=alice',
]

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapUsed(): number {
  for (let time = 0; time < 3; time++) collect()
  return process.memoryUsage().heapUsed
}

function exchange(method: string, form: string, answer: string): Exchange {
  return {
    request: {
      method,
      path: '/Token',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: Buffer.from(form),
    },
    response: { status: 200, headers: [], body: Buffer.from(answer), truncated: false },
    startedAt: 0,
    receivedAt: 0,
    durationMs: 0,
  }
}

t.test('a failure is kept as it is shown, without the secrets that were looked for in it', async (t) => {
  const assay = new TrafficAssay({ declared: declaredAs('http://127.0.0.1:8080') })
  const grant = `grant_type=password&username=${alice.userName}&password=${encodeURIComponent(alice.password)}`
  for (let count = 0; count < TOKENS; count++) {
    const token = `${count}`.padStart(TOKEN_BYTES, 'token-')
    assay.add(exchange('POST', grant, JSON.stringify({ access_token: token })))
  }
  const before = heapUsed()
  for (const method of METHODS) assay.add(exchange(method, 'grant_type=password', '{}'))
  for (const form of FORMS) assay.add(exchange('POST', form, '{}'))
  const kept = heapUsed() - before
  t.ok(
    kept < TOKENS * TOKEN_BYTES,
    `${Math.round(kept / 1024)} KiB for ${METHODS.length + FORMS.length} failures`,
  )
  const { results } = assay.report()
  const failed = results.filter(({ outcome }) => outcome === 'failed').map((result) => result.case)
  t.ok(failed.length >= METHODS.length, failed.join(', '))
})
