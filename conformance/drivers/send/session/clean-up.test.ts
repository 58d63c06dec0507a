import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startAccountService } from '../../../../tests/fixtures/account-service.js'
import { serve } from '../../../../tests/fixtures/serve.js'
import { plain } from '../../../exchange/redactable-text.js'
import { resolveTarget } from '../../../target/target.js'
import { removeAccounts } from './clean-up.js'

t.test('no request is sent that may mean every account', async (t) => {
  const { target, removed } = await startAccountService(t, {})
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const { registration } = target
  const { deployments } = resolveTarget({ ...target, registration: { ...registration, cleanUp } } as never)
  const accounts = ['', ' ', '.', '..', 'carol'].map((name) => ({
    userName: plain(name),
    email: plain('x@example.com'),
    password: plain('x'),
  }))
  const { left, firstFailure } = await removeAccounts(
    deployments[0],
    accounts,
    new AbortController().signal,
    { pausesMs: [] },
  )
  t.strictSame(removed, ['carol'])
  t.strictSame(left, accounts.slice(0, -1))
  t.match(firstFailure, /^not sent: /)
})

t.test('where the time runs out, that is the reason', async (t) => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close().closeAllConnections())
  const { target } = await startAccountService(t, {})
  const { port } = silent.address() as AddressInfo
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const { registration } = target
  const { deployments } = resolveTarget({
    ...target,
    baseUrl: `http://127.0.0.1:${port}`,
    registration: { ...registration, cleanUp },
  } as never)
  const account = { userName: plain('carol'), email: plain('x@example.com'), password: plain('x') }
  const { left, firstFailure } = await removeAccounts(deployments[0], [account], AbortSignal.abort(), {
    pausesMs: [],
  })
  t.strictSame(left, [account])
  t.match(firstFailure, /^DELETE \/api\/Account\/carol: not done in the 3 s after a stop$/)
})

t.test('with a limit of idle time, it goes on for as long as accounts are removed or gone', async (t) => {
  const { target, removed } = await startAccountService(t, {
    removalStatus: (before) => (before % 2 === 0 ? 204 : 404),
  })
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const { deployments } = resolveTarget({
    ...target,
    maxRequestsPerSecond: 5,
    registration: { ...target.registration, cleanUp },
  } as never)
  const accounts = Array.from({ length: 9 }, (_, at) => ({
    userName: plain(`carol${at}`),
    email: plain('x@example.com'),
    password: plain('x'),
  }))
  const options = { pausesMs: [], idleMs: 1000 }
  const { left, unknown } = await removeAccounts(
    deployments[0],
    accounts,
    new AbortController().signal,
    options,
  )
  t.equal(removed.length, 9)
  t.strictSame([left.length, unknown], [4, left])

  const silent = startAccountService(t, { removalStatus: () => undefined })
  const elsewhere = { ...deployments[0], baseUrl: String((await silent).target.baseUrl) }
  const none = await removeAccounts(elsewhere, accounts, new AbortController().signal, options)
  t.match(none.firstFailure, /: not done: no account was removed for 1 s$/)

  const few = await startAccountService(t, {
    removalStatus: (before) => (before > 12 || before % 2 === 0 ? 204 : 503),
  })
  const slow = { ...deployments[0], baseUrl: String(few.target.baseUrl), maxRequestsPerSecond: 1000 }
  const { signal } = new AbortController()
  const all = await removeAccounts(slow, accounts, signal, { pausesMs: [1], idleMs: 10_000 })
  t.strictSame(all.left, [], 'a few at a time')
})

t.test('what a service knows nothing of at a further try was removed by the first one', async (t) => {
  const account = { userName: plain('carol'), email: plain('x@example.com'), password: plain('x') }
  for (const [first, left] of [
    [500, []],
    [404, [account]],
  ] as const) {
    const { target } = await startAccountService(t, {
      removalStatus: (before) => (before === 0 ? first : 404),
    })
    const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
    const { deployments } = resolveTarget({
      ...target,
      registration: { ...target.registration, cleanUp },
    } as never)
    const removal = await removeAccounts(deployments[0], [account], new AbortController().signal, {
      pausesMs: [1],
    })
    t.strictSame(removal.left, left, `first ${first}`)
    t.equal(removal.firstFailure === undefined, left.length === 0)
  }
})

t.test(
  'a removal whose answer is lost with a connection that was used before is none that failed',
  async (t) => {
    const removed = new Set<string>()
    const url = await serve(t, ({ url: path = '', socket }, response) => {
      const isGone = removed.has(path)
      removed.add(path)
      // The first of each connection are answered.
      if (!isGone && removed.size > 8 && removed.size % 2 === 0) socket.destroy()
      else response.writeHead(isGone ? 404 : 204).end()
    })
    const { target } = await startAccountService(t, {})
    const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
    const { deployments } = resolveTarget({
      ...target,
      baseUrl: `http://${url}`,
      registration: { ...target.registration, cleanUp },
    } as never)
    const accounts = Array.from({ length: 60 }, (_, at) => ({
      userName: plain(`carol${at}`),
      email: plain('x@example.com'),
      password: plain('x'),
    }))
    const { left } = await removeAccounts(deployments[0], accounts, new AbortController().signal, {
      pausesMs: [1],
    })
    t.strictSame([removed.size, left], [60, []])
  },
)
