/** Any sequence of what tests do with tokens over HTTP comes out as a plain model of two stores says. */
import fc from 'fast-check'
import t from 'tap'
import { effort } from '../../tests/fixtures/effort.js'
import { startReferenceServer } from '../server.js'

const SECRET = 'a-secret-of-the-tests'
const START_MS = 1_709_208_000_000
const LIFETIME = 100
const USERS = ['ann', 'bob', 'no one'] as const
const VALUES = ['t-1', 't-2', 't-3'] as const

/** What a store has to remember of a token, by its value. */
type Model = Map<string, { readonly userName: string; readonly fromMs: number; readonly untilMs: number }>

const inStore = { scope: fc.constantFrom('', '/scopes/w') }
const commands = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('issue' as const),
      ...inStore,
      userName: fc.constantFrom(...USERS),
      value: fc.constantFrom(...VALUES),
      lifetime: fc.constantFrom(1, 60, 1000),
      agoSeconds: fc.constantFrom(0, 30, 60),
    }),
    fc.record({ do: fc.constant('revoke' as const), ...inStore, value: fc.constantFrom(...VALUES) }),
    fc.record({ do: fc.constant('advance' as const), ...inStore, seconds: fc.constantFrom(1, 40, 500) }),
    fc.record({ do: fc.constant('reset' as const), ...inStore }),
    fc.record({ do: fc.constant('hook' as const), ...inStore }),
  ),
  { minLength: 1, maxLength: 12 },
)

t.test('tokens of two stores, by any sequence of commands', async (t) => {
  await using server = await startReferenceServer({
    accounts: [
      { userName: 'ann', password: 'Secret-1' },
      { userName: 'bob', password: 'Secret-2' },
    ],
    ...{ hashing: 'fast', tokenLifetime: LIFETIME, protectedResource: true, control: { secret: SECRET } },
  })
  const control = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(server.controlUrl + path, { method: 'POST', headers, ...sent })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }
  const me = async (scope: string, token: string) => {
    const response = await fetch(`${server.url}${scope}/me`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return { status: response.status, isHooked: response.headers.has('x-hooked') }
  }
  await control('/scopes', { name: 'w' })
  const seen = new Set<string>()

  const property = fc.asyncProperty(commands, async (sequence) => {
    const stores = new Map<string, { tokens: Model; nowMs: number; hooks: number }>()
    const restart = async (scope: string): Promise<void> => {
      await control(`${scope}/reset`)
      await control(`${scope}/clock/freeze`, { atMs: START_MS })
      stores.set(scope, { tokens: new Map(), nowMs: START_MS, hooks: 0 })
    }
    for (const scope of ['', '/scopes/w']) await restart(scope)
    for (const command of sequence) {
      const { scope } = command
      const store = stores.get(scope)
      if (store === undefined) throw new Error('there are two stores')
      const isGood = (value: string): boolean => (store.tokens.get(value)?.untilMs ?? 0) > store.nowMs
      if (command.do === 'issue') {
        const { userName, value, lifetime } = command
        const issuedAt = store.nowMs - command.agoSeconds * 1000
        const { status } = await control(`${scope}/tokens`, { userName, value, lifetime, issuedAt })
        // A value is its first account's, whatever became of it.
        const isTaken = (store.tokens.get(value)?.userName ?? userName) !== userName
        equal(status, userName === 'no one' ? 404 : isTaken ? 409 : 201, 'issue')
        if (status === 201)
          store.tokens.set(value, { userName, fromMs: issuedAt, untilMs: issuedAt + lifetime * 1000 })
      } else if (command.do === 'revoke') {
        const { json } = await control(`${scope}/tokens/revoke`, { token: command.value })
        equal(json.revoked, isGood(command.value), 'revoke')
        const token = store.tokens.get(command.value)
        if (token !== undefined) store.tokens.set(command.value, { ...token, untilMs: 0 })
      } else if (command.do === 'advance') {
        await control(`${scope}/clock/advance`, { seconds: command.seconds })
        store.nowMs += command.seconds * 1000
      } else if (command.do === 'hook') {
        const asked = { match: { path: '*/me' }, times: 1, change: { headers: { 'X-Hooked': 'yes' } } }
        equal((await control(`${scope}/hooks`, asked)).status, 201, 'hook')
        store.hooks += 1
      } else await restart(scope)

      for (const [scope, store] of stores)
        for (const value of VALUES) {
          const token = store.tokens.get(value)
          const good = token !== undefined && token.untilMs > store.nowMs
          const { json } = await control(`${scope}/tokens/introspect`, { token: value })
          equal(json.active, good, `introspect ${scope}`)
          if (good) {
            const { username, iat, exp } = json
            equal(
              JSON.stringify({ username, iat, exp }),
              JSON.stringify({
                username: token.userName,
                iat: token.fromMs / 1000,
                exp: token.untilMs / 1000,
              }),
              'claims',
            )
          }
          const answer = await me(scope, value)
          equal(answer.status, good ? 200 : 401, `me ${scope}`)
          equal(answer.isHooked, store.hooks > 0, `hook ${scope}`)
          store.hooks = Math.max(0, store.hooks - 1)
          seen.add(`${scope} ${good}`)
        }
    }
  })
  const run = await fc.check(property, { seed: 1, numRuns: effort(60) })
  t.notOk(run.failed, String(run.errorInstance), { counterexample: run.counterexample })
  t.equal(seen.size, 4, 'in both stores there were good ones and others')
})

function equal(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) throw new Error(`${what}: expected ${expected}, found ${found}`)
}
