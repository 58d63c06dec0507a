import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { alice } from '../../../fixtures/service.js'
import { resolveTarget } from '../../../target/target.js'
import { startCase } from './case-run.js'
import { createRunContext } from './run-context.js'
import { openSession } from './session.js'
import { type StepSent, signIn } from './sign-in.js'

const SIGN_INS = 30
const PREPARE = { prepare: { request: { path: '/code' }, capture: { code: '/code' } } }

interface Ending {
  readonly after: number
  readonly how: 'announced' | 'silent' | 'dropping'
}

/** Signs in again and again at a service whose connections end after so many answers. */
async function signInOften(t: Test, prepare: object, { after, how }: Ending) {
  const carried = new Map<Socket, string[]>()
  const codes: string[] = []
  let made = 0
  const address = await serve(t, (request, response) => {
    const { socket, url = '' } = request
    const on = carried.get(socket) ?? []
    carried.set(socket, on)
    on.push(url)
    if (on.length === after && how === 'announced') response.setHeader('Connection', 'close')
    if (on.length === after && how === 'silent') response.on('finish', () => socket.end())
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (url === '/sign-in') codes.push(body)
      if (on.length > after) response.destroy()
      else response.end(JSON.stringify({ code: `code-${++made}` }))
    })
  })
  const { sign } = openSignIns(t, address, prepare)
  const all: StepSent[] = []
  for (let count = 0; count < SIGN_INS; count++) all.push(await sign())
  return { carried, codes, all }
}

function openSignIns(t: Test, address: string, prepare: object) {
  const request = { path: '/sign-in', json: { code: 'prepare' in prepare ? '$code' : 'the only one' } }
  const target = resolveTarget({
    baseUrl: `http://${address}`,
    accounts: [alice],
    externalLogin: { ...prepare, request, account: alice.userName },
  })
  const context = createRunContext(target, { concurrency: 1 })
  const [deployment] = target.deployments
  const session = openSession(context, deployment, undefined, () => undefined)
  t.teardown(() => session.close())
  const testCase = context.cases.get('4.2/external-login')
  if (testCase === undefined) throw new TypeError('there is no such case')
  return { sign: (): Promise<StepSent> => signIn(startCase(session, testCase), 'registered', 'request') }
}

t.test('with one code, each sign-in has a connection of its own: nothing is sent twice', async (t) => {
  const { carried, codes } = await signInOften(t, {}, { after: 2, how: 'dropping' })
  t.equal(codes.length, SIGN_INS)
  for (const on of carried.values()) t.strictSame(on, ['/sign-in'])
})

t.test('with a new code for each, sign-ins share a connection', async (t) => {
  const { carried, codes } = await signInOften(t, PREPARE, { after: 1000, how: 'silent' })
  t.equal(codes.length, SIGN_INS)
  t.equal(carried.size, Math.ceil((2 * SIGN_INS) / 32), 'no connection carries more than 32 exchanges')
})

for (const how of ['announced', 'silent', 'dropping'] as const) {
  for (const after of [1, 10, 100]) {
    t.test(`connections end after ${after} answers, ${how}: no code reaches the service twice`, async (t) => {
      const { codes, all } = await signInOften(t, PREPARE, { after, how })
      t.ok(codes.length >= SIGN_INS)
      t.equal(new Set(codes).size, codes.length)
      t.ok(
        all.every(({ judged }) => judged.exchange.response?.status === 200),
        'each is answered in the end',
      )
      const lost = all.filter(({ shown }) => shown[0]?.exchange.resent?.why.includes('another code'))
      t.ok(lost.length <= 1, 'after the first that is lost no connection is used again')
      if (how !== 'silent') t.equal(lost.length, how === 'dropping' && after < 2 * SIGN_INS ? 1 : 0)
    })
  }
}

for (const [status, busy] of [
  [503, 1],
  [429, 3],
  [503, Number.POSITIVE_INFINITY],
] as const)
  t.test(`${status}, ${busy} times: each further sign-in has a new code`, async (t) => {
    const codes: string[] = []
    const address = await serve(t, (request, response) => {
      if (request.url === '/code') return void response.end(JSON.stringify({ code: `code-${codes.length}` }))
      request.setEncoding('utf8').once('data', (body: string) => {
        codes.push(body)
        if (codes.length <= busy) response.writeHead(status, { 'Retry-After': '0.01' })
        response.end('{}')
      })
    })
    const { sign } = openSignIns(t, address, PREPARE)
    const { judged, shown } = await sign()
    t.equal(new Set(codes).size, codes.length)
    t.equal(codes.length, Math.min(busy, 5) + 1)
    if (busy === Number.POSITIVE_INFINITY)
      return void t.match(judged.response, { reason: /^The service asked to wait again after 5/ })
    t.equal(judged.exchange.response?.status, 200)
    t.equal(shown[0]?.exchange.resent?.why, `the answer to a sign-in was ${status}: another code`)
  })

t.test('a code that had to wait for a busy service, and expired, is no refusal', async (t) => {
  const madeAt = new Map<string, number>()
  let signIns = 0
  const address = await serve(t, (request, response) => {
    if (request.url === '/code') {
      const code = `code-${madeAt.size}`
      madeAt.set(code, Date.now())
      return void response.end(JSON.stringify({ code }))
    }
    request.setEncoding('utf8').once('data', (body: string) => {
      if (++signIns === 1) response.writeHead(429, { 'Retry-After': '2' })
      else if (Date.now() - (madeAt.get(JSON.parse(body).code) ?? 0) > 1000) response.writeHead(401)
      response.end('{}')
    })
  })
  const { sign } = openSignIns(t, address, PREPARE)
  const both = await Promise.all([sign(), sign()])
  t.strictSame(
    both.map(({ judged }) => judged.exchange.response?.status),
    [200, 200],
  )
  t.ok(madeAt.size >= 4, 'each of them has another code')
})

t.test('a service that refuses each sign-in after a wait refuses them', async (t) => {
  let signIns = 0
  const address = await serve(t, (request, response) => {
    if (request.url === '/code') return void response.end('{"code":"x"}')
    response.writeHead(401)
    // Others wait for a connection meanwhile.
    setTimeout(() => response.end('{}'), ++signIns > 2 ? 0 : 1100)
  })
  const { sign } = openSignIns(t, address, PREPARE)
  const all = await Promise.all([sign(), sign()])
  for (const { judged } of all) t.match(judged.response, { status: 401 })
  t.ok(signIns > 2, 'it is made anew')
})
