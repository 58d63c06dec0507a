import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { selfSigned } from '../../../reference/tls/self-signed.js'
import { listen } from '../../../tools/interop/listen.js'
import { alice } from '../../fixtures/service.js'
import { resolveTarget } from '../../target/target.js'
import { assessTarget } from '../assess-target.js'

const CODE = 'one-time-Code/7+9='

t.test(
  'a code that is signed in with is not shown, neither where it is given nor where it is repeated',
  async (t) => {
    await using service = await listen(async (request, response) => {
      const body = await text(request)
      if (request.url === '/code') return void response.end(JSON.stringify({ code: CODE }))
      response.setHeader(
        'Location',
        `/done?state=1&code=${encodeURIComponent('another-code')}&id_token=a.b.c`,
      )
      // Wrong as a token response: it is shown.
      response.end(JSON.stringify({ access_token: 'an-opaque-token', echo: [body, CODE] }))
    })
    for (const request of [
      { path: '/sign-in', json: { code: '$code' } },
      { path: '/sign-in', form: { code: '$code' } },
      { path: '/sign-in/$code' },
    ]) {
      const target = resolveTarget({
        baseUrl: service.url,
        accounts: [alice],
        externalLogin: {
          prepare: { request: { path: '/code' }, capture: { code: '/code' } },
          request,
          account: alice.userName,
        },
      })
      const report = JSON.stringify(
        await assessTarget(target, { only: ['4.2/external-login'], concurrency: 1 }),
      )
      t.match(report, '‹code›', 'the exchanges are shown')
      for (const spelled of [CODE, encodeURIComponent(CODE), 'another-code', 'a.b.c'])
        t.notOk(report.includes(spelled), spelled)
    }
  },
)

t.test('a sign-in without a callback that needs a code is prepared too', async (t) => {
  const codes: string[] = []
  await using service = await listen(async (request, response) => {
    const body = await text(request)
    if (request.url === '/code') return void response.end(JSON.stringify({ code: CODE }))
    if (request.url === '/no-callback') {
      codes.push(body)
      return void response.writeHead(401).end()
    }
    const issued = Math.floor(Date.now() / 1000) * 1000
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify({
        access_token: randomUUID(),
        token_type: 'bearer',
        expires_in: 1209599,
        userName: alice.userName,
        '.issued': new Date(issued).toUTCString(),
        '.expires': new Date(issued + 1_209_600_000).toUTCString(),
      }),
    )
  })
  const target = resolveTarget({
    baseUrl: service.url,
    accounts: [alice],
    externalLogin: {
      prepare: { request: { path: '/code' }, capture: { code: '/code' } },
      request: { path: '/sign-in', json: { code: '$code' } },
      account: alice.userName,
      withoutCallback: { path: '/no-callback', json: { code: '$code' } },
    },
  })
  await assessTarget(target, { only: ['7/no-callback'] })
  t.ok(codes.length > 0 && codes.every((body) => body === JSON.stringify({ code: CODE })), codes.join())
})

t.test(
  'a provider is trusted as the service is, and never shown the certificate of the client',
  async (t) => {
    const { cert, key } = await selfSigned('127.0.0.1')
    const folder = t.testdir({ 'ca.pem': cert, 'key.pem': key })
    const asked = new Set<string>()
    const answer: RequestListener = (request, response) => {
      const hasCertificate = Object.keys((request.socket as TLSSocket).getPeerCertificate()).length > 0
      asked.add(`${request.url} ${hasCertificate ? 'with' : 'without'} a certificate`)
      if (request.url === '/code') return void response.end(JSON.stringify({ code: CODE }))
      response.end(JSON.stringify({ access_token: 'an-opaque-token' }))
    }
    const options = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: false }
    await using service = await listen(createServer(options, answer))
    await using provider = await listen(createServer(options, answer))
    const own = service.url.replace('http:', 'https:')
    const other = provider.url.replace('http:', 'https:')
    const askedAt = async (url: string, tls: object) => {
      asked.clear()
      const target = resolveTarget({
        baseUrl: own,
        tls,
        accounts: [alice],
        externalLogin: {
          prepare: { request: { url: `${url}/code` }, capture: { code: '/code' } },
          request: { path: '/sign-in', json: { code: '$code' } },
          account: alice.userName,
        },
      })
      await assessTarget(target, { only: ['4.2/external-login'] })
      return [...asked].filter((line) => !line.startsWith('/Token')).toSorted()
    }
    const files = { cert: join(folder, 'ca.pem'), key: join(folder, 'key.pem') }
    t.strictSame(await askedAt(other, { ca: files.cert, ...files }), [
      '/code without a certificate',
      '/sign-in with a certificate',
    ])
    t.strictSame(await askedAt(other, { rejectUnauthorized: false, ...files }), [
      '/code without a certificate',
      '/sign-in with a certificate',
    ])
    t.strictSame(await askedAt(own, { ca: files.cert, ...files }), [
      '/code with a certificate',
      '/sign-in with a certificate',
    ])
  },
)
