import t from 'tap'
import { startReference } from '../../tests/fixtures/reference.js'
import { connectControl } from '../control/client.js'
import type { LogLine } from '../log.js'
import type { ReferenceServerOptions } from '../server.js'

const secret = 'a-secret-of-the-tests'
const ann = { userName: 'ann', password: 'Secret-1' }
const bob = { userName: 'bob', password: 'Secret-2', userId: 'id-of-bob' }
const control = { secret }

async function signIn(url: string, { userName, password } = ann) {
  const body = new URLSearchParams({ grant_type: 'password', username: userName, password })
  const response = await fetch(`${url}/Token`, { method: 'POST', body })
  return { status: response.status, json: JSON.parse(await response.text()) }
}

for (const where of ['in the process', 'from outside'])
  t.test(`a configuration is read again, ${where}`, async (t) => {
    const lines: LogLine[] = []
    let next: ReferenceServerOptions = {}
    const first = { accounts: [ann], hashing: 'fast', control } as const
    const server = await startReference(t, {
      ...first,
      log: (line) => lines.push(line),
      reload: async () => next,
    })
    const tested =
      where === 'in the process' ? server : await connectControl({ url: server.controlUrl ?? '', secret })
    const scope = await tested.scopes.create('w')
    await tested.accounts.add({ userName: 'carl', password: 'x' })
    const { access_token: token } = (await signIn(server.url)).json
    const [{ userId = '' } = {}] = await tested.accounts.list()

    next = {
      ...first,
      accounts: [bob, ann],
      tokenLifetime: 60,
      includesUserId: true,
      policy: { minimumLength: 9 },
    }
    t.strictSame(await tested.reload(), {
      changed: ['accounts', 'tokenLifetime', 'includesUserId', 'policy'],
      needRestart: [],
    })
    t.match(await signIn(server.url, bob), { status: 200, json: { expires_in: 59, userId: 'id-of-bob' } })
    t.match(await signIn(server.url), { status: 200, json: { userId } }, 'it keeps its identifier')
    t.match((await tested.settings.get()).policy, { minimumLength: 9 })
    t.match(await tested.bearerOf(token), { userName: 'ann' }, 'tokens stay')
    t.strictSame((await tested.accounts.list()).map(({ userName }) => userName).toSorted(), [
      'ann',
      'bob',
      'carl',
    ])
    t.match(await signIn(scope.url, bob), { status: 400 }, 'a scope is as it was')
    await scope.reset()
    t.match(await signIn(scope.url, bob), { status: 200, json: { expires_in: 59 } })

    next = { ...first, accounts: [{ ...ann, password: 'Secret-9' }], limits: { journal: 5 }, port: 1 }
    t.strictSame(await tested.reload(), {
      changed: ['accounts', 'tokenLifetime', 'includesUserId', 'policy'],
      needRestart: ['port', 'limits'],
    })
    t.match(await signIn(server.url), { status: 400 }, 'the password of before')
    t.match(await signIn(server.url, { ...ann, password: 'Secret-9' }), {
      status: 200,
      json: { expires_in: 1_209_599 },
    })
    t.match(await signIn(server.url, bob), { status: 400 }, 'it is gone')
    await tested.reset()
    t.strictSame(await tested.accounts.list(), [{ userName: 'ann', userId }])

    next = { ...first, accounts: [bob, bob] }
    await t.rejects(tested.reload(), {
      code: 'bad-request',
      message: /accounts\[1\]\.userName: expected each user name once/,
    })
    t.strictSame(await tested.accounts.list(), [{ userName: 'ann', userId }], 'nothing has changed')
    t.match(
      lines.filter(({ event }) => /^reload/.test(event)),
      [
        { level: 'info', event: 'reloaded' },
        { level: 'warn', event: 'reloaded', needRestart: ['port', 'limits'] },
        { level: 'error', event: 'reload-failed', message: /each user name once/ },
      ],
    )
    t.notMatch(JSON.stringify(lines), /Secret-\d|a-secret/)
  })

t.test('without anything to read again', async (t) => {
  const server = await startReference(t)
  await t.rejects(server.reload(), { code: 'not-found', message: /started without a file/ })
})
