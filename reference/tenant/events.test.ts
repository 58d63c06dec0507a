import t from 'tap'
import type { LogLine } from '../log.js'
import { startReferenceServer } from '../server.js'
import type { Issued, Refused, Requested } from './events.js'

const ann = { userName: 'ann', password: 'Secret-1', userId: 'id-of-ann' }

function signIn(url: string, password = ann.password): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'ann', password })
  return fetch(`${url}/Token`, { method: 'POST', body })
}

t.test('a server tells what happens, once for each exchange', async (t) => {
  await using server = await startReferenceServer({ accounts: [ann], hashing: 'fast', tokenLifetime: 60 })
  server.clock.freeze(Date.UTC(2024, 0, 1))
  const seen: (Issued | Refused | Requested)[] = []
  server.on('request', (requested) => seen.push(requested))
  server.on('issued', (issued) => seen.push(issued))
  const onRefused = (refused: Refused): void => void seen.push(refused)
  server.on('refused', onRefused)
  const scope = server.scopes.create('w')
  const response = await signIn(server.url)
  const { access_token: token } = JSON.parse(await response.text())
  await signIn(scope.url, 'wrong')
  server.off('refused', onRefused)
  await signIn(server.url, 'wrong')
  t.match(seen, [
    { id: 1, status: 200, userName: 'ann' },
    { userName: 'ann', userId: 'id-of-ann', expiresAtMs: Date.UTC(2024, 0, 1) + 60_000 },
    { id: 1, status: 400, scope: 'w' },
    {
      refusal: 'wrong-password',
      reason: 'the password is not that of the account',
      userName: 'ann',
      scope: 'w',
    },
    { id: 2, status: 400 },
  ])
  t.equal(seen.length, 5)
  t.notMatch(JSON.stringify(seen), new RegExp(`${token}|${ann.password}`))
})

t.test('a listener that throws is its own business', async (t) => {
  const lines: LogLine[] = []
  await using server = await startReferenceServer({
    accounts: [ann],
    hashing: 'fast',
    log: (line) => lines.push(line),
  })
  const seen: string[] = []
  server.on('request', () => {
    throw new Error('Secret-1')
  })
  // Its type forbids none that is asynchronous.
  server.on('request', async () => {
    throw new TypeError('Secret-1')
  })
  server.once('request', () => seen.push('once'))
  server.on('request', () => seen.push('each time'))
  for (const _ of [1, 2]) t.equal((await signIn(server.url)).status, 200)
  t.strictSame(seen, ['once', 'each time', 'each time'])
  const failures = lines.filter(({ event }) => event === 'listener-failed')
  t.match(failures, [
    { level: 'error', name: 'Error' },
    { level: 'error', name: 'TypeError' },
    { level: 'error', name: 'Error' },
    { level: 'error', name: 'TypeError' },
  ])
  t.notMatch(JSON.stringify(lines), /Secret-1/)
})

t.test('an event that there is not is refused', async (t) => {
  await using server = await startReferenceServer({ hashing: 'fast' })
  const on: (event: string, listener: () => void) => unknown = server.on as never
  t.throws(() => on('isued', () => undefined), {
    code: 'bad-option',
    message: 'There is no event "isued": expected one of request, issued, refused.',
  })
})
