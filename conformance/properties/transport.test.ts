import https from 'node:https'
import t, { type Test } from 'tap'
import { selfSigned } from '../../reference/tls/self-signed.js'
import { serve } from '../../tests/fixtures/serve.js'
import type { CaseRun } from '../drivers/send/session/case-run.js'
import type { Deployment, Tls } from '../target/deployment.js'
import { resolveTarget } from '../target/target.js'
import { inspectTransport } from './transport.js'

const certificate = await selfSigned('127.0.0.1')

/** What is found of a rule, the base URL being that. */
async function judge(rule: string, baseUrl: string, tls?: Tls) {
  const [deployment] = resolveTarget({ baseUrl, accounts: [{ userName: 'a', password: 'b' }] }).deployments
  const own: Deployment = { ...deployment, ...(tls === undefined ? {} : { tls }) }
  // The property reads nothing else of a run.
  const run = {
    session: { deployment: own },
    testCase: { steps: [{ expect: [{ rule }] }] },
  } as unknown as CaseRun
  const { judgements } = await inspectTransport(run)
  return judgements[0]
}

async function start(t: Test, options: https.ServerOptions = {}): Promise<string> {
  const host = await serve(
    t,
    https.createServer({ ...certificate, ...options }, (_, answer) => answer.end()),
  )
  return `https://${host}`
}

t.test('plain http is a failure where it leaves the machine', async (t) => {
  for (const rule of ['rfc6749:token-tls', 'security:transport-tls']) {
    t.match(await judge(rule, 'https://service.example'), { outcome: 'passed' })
    t.match(await judge(rule, 'http://127.0.0.1:8080'), { outcome: 'inapplicable' })
    t.match(await judge(rule, 'http://service.example'), {
      outcome: 'failed',
      expected: 'https',
      actual: 'http://service.example',
    })
  }
})

t.test('a version of TLS before 1.2 is a failure', async (t) => {
  const rule = 'security:transport-version'
  t.match(await judge(rule, await start(t)), { outcome: 'passed' })
  const old = await start(t, { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' })
  t.match(await judge(rule, old), { outcome: 'failed', actual: 'TLSv1.1' })
  t.match(await judge(rule, 'http://127.0.0.1:8080'), { outcome: 'inapplicable' })
  t.match(await judge(rule, 'https://127.0.0.1:1'), { outcome: 'cantTell' }, 'no one listens')
})

t.test('a certificate that no trusted authority has signed is a failure', async (t) => {
  const rule = 'security:transport-certificate'
  const url = await start(t)
  t.match(await judge(rule, url), { outcome: 'failed', actual: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const insecure = { rejectUnauthorized: false }
  t.match(await judge(rule, url, insecure), { outcome: 'failed' }, 'though the run trusts anyone')
  const trusting = { ca: certificate.cert, rejectUnauthorized: true }
  t.match(await judge(rule, url, trusting), { outcome: 'passed' })
  t.match(await judge(rule, url.replace('127.0.0.1', 'localhost'), trusting), { outcome: 'passed' })
})
