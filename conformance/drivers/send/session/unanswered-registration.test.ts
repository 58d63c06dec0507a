import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { serve } from '../../../../tests/fixtures/serve.js'
import { assess } from '../../../assess/assess.js'

/** What becomes of a registration that is not answered, at the first request to remove its account, and at later ones. */
const REMOVALS = {
  'made before that': [204],
  'made after that': [404, 204],
  'never made': [404],
  'not removed': [500],
  'removed, by a request whose answer is lost': ['lost', 404],
} as const

type Fate = keyof typeof REMOVALS

/** A service that answers no registration, and whose accounts are removed as asked. */
async function startSilent(
  t: Test,
  fate: Fate,
  onRegistration: (request: IncomingMessage) => void = () => undefined,
) {
  const left = new Set<string>()
  const tries = new Map<string, number>()
  const url = await serve(
    t,
    createServer(async (request, response) => {
      const body = await text(request)
      const [, name = ''] = /^\/accounts\/(.+)$/.exec(request.url ?? '') ?? []
      if (request.method === 'DELETE') {
        const tried = tries.get(name) ?? 0
        const statuses = REMOVALS[fate]
        const status = statuses[Math.min(tried, statuses.length - 1)] ?? 500
        tries.set(name, tried + 1)
        if (status === 204 || status === 'lost') left.delete(name)
        if (status === 'lost') request.socket.destroy()
        else response.writeHead(status).end()
      } else if (request.url === '/accounts') {
        left.add(JSON.parse(body).userName)
        onRegistration(request)
      } else response.setHeader('Content-Type', 'application/json').end('{"access_token":"a-token-of-ann"}')
    }),
  )
  const target = {
    baseUrl: `http://${url}`,
    accounts: [{ userName: 'ann', password: 'Correct-7-horses' }],
    registration: {
      request: { path: '/accounts', json: { userName: '$userName', email: '$email', password: '$password' } },
      cleanUp: { method: 'DELETE', path: '/accounts/$userName' },
    },
  }
  return { target, left }
}

const OPTIONS = { seed: 1, runs: 1, only: ['8/accepted-account'], concurrency: 1 }

for (const [fate, made, removed] of [
  ['made before that', 1, 1],
  ['made after that', 1, 1],
  ['never made', 0, 0],
  ['not removed', 1, 0],
  ['removed, by a request whose answer is lost', 1, 1],
] as const) {
  t.test(`a registration that the run stops waiting for is cleaned up: ${fate}`, async (t) => {
    const stop = new AbortController()
    const { target, left } = await startSilent(t, fate, () => stop.abort())
    const { accounts } = await assess(target, { ...OPTIONS, signal: stop.signal })
    const names = [...left]
    t.match(accounts, [{ made, removed, cleanUpFailed: made - removed }])
    t.strictSame(
      accounts?.[0]?.left?.map(({ userName }) => userName),
      made === removed ? undefined : names,
    )
    if (fate !== 'never made') t.equal(left.size, made - removed)
  })

  t.test(`and so is one that takes too long: ${fate}`, async (t) => {
    const { target } = await startSilent(t, fate)
    const { accounts } = await assess({ ...target, timeoutMs: 100 }, OPTIONS)
    const count = accounts?.[0]?.made ?? 0
    t.equal(count > 0, made > 0)
    t.match(accounts, [{ removed: removed * count, cleanUpFailed: (made - removed) * count }])
  })

  t.test(`and so is one whose connection ends: ${fate}`, async (t) => {
    let registrations = 0
    const { target } = await startSilent(t, fate, ({ socket }) => {
      registrations++
      socket.destroy()
    })
    const { accounts } = await assess(target, OPTIONS)
    t.ok(registrations > 0)
    t.match(accounts, [
      {
        made: made * registrations,
        removed: removed * registrations,
        cleanUpFailed: (made - removed) * registrations,
      },
    ])
  })
}

t.test('without a way to remove them, they are named as accounts that stay', async (t) => {
  const stop = new AbortController()
  const { target, left } = await startSilent(t, 'made before that', () => stop.abort())
  const { registration, ...others } = target
  const { accounts } = await assess(
    { ...others, registration: { request: registration.request } },
    { ...OPTIONS, signal: stop.signal },
  )
  t.strictSame(
    accounts?.[0]?.left?.map(({ userName }) => userName),
    [...left],
  )
})
