import t, { type Test } from 'tap'
import { request } from 'undici'
import { createHttpServer } from '../connection/http-server.js'
import { createExternalLogins } from '../external-login/external-logins.js'
import { completeOptions } from '../options/options.js'
import { createPasswordHasher, type Hashing, type PasswordHasher } from '../store/password-hash.js'
import { createWorkQueue } from '../store/work-queue.js'
import { createEvents } from '../tenant/events.js'
import { createTenant, type Tenant } from '../tenant/tenant.js'

/** What a computation was for, and the parameters of the hash that it was compared with. */
type Computation = 'hash' | `verify ${string}`

/** A hasher that writes down every computation, with the real one behind it. */
async function counted(hashing: Hashing, computations: Computation[]): Promise<PasswordHasher> {
  const { hash, verify, unknownUser } = await createPasswordHasher(hashing)
  return {
    unknownUser,
    hash: (password) => {
      computations.push('hash')
      return hash(password)
    },
    verify: (stored, password) => {
      // Of argon2id: all but salt and digest. A hash of other parameters takes another time.
      computations.push(`verify ${stored.split('$').slice(0, -2).join('$')}`)
      return verify(stored, password)
    },
  }
}

/** A server with one account, whose every hash computation is counted. */
async function start(t: Test, hashing: Hashing) {
  const computations: Computation[] = []
  const hasher = await counted(hashing, computations)
  const options = completeOptions({ hashing, protectedResource: true })
  const externalLogins = createExternalLogins(options.providerTimeoutMs)
  const seed = [{ userName: 'ann', userId: '1', passwordHash: await hasher.hash('Secret-1') }]
  const shared = {
    ...{ options, hasher, externalLogins, log: options.log, events: createEvents(options.log) },
    start: () => ({ settings: options, seed }),
    hashing: createWorkQueue(4, 64),
    providers: new Map(),
    signingIn: createWorkQueue(1, 0),
    isClosing: () => false,
  }
  let url = ''
  const tenant: Tenant = createTenant(shared, () => url, options.clock)
  const http = createHttpServer(tenant.dispatch, { ...options, connections: 10 })
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`
  t.teardown(() => http.close())

  /** The status of a request, and what was computed for it. */
  const cost = async (path: string, contentType: string, body: string) => {
    computations.length = 0
    const headers = { 'content-type': contentType }
    const answer = await request(`${url}${path}`, { method: 'POST', headers, body })
    await answer.body.dump()
    return [answer.statusCode, ...computations]
  }
  return {
    store: tenant.store,
    computations,
    /** The same of a request with a token. */
    me: async (token: string) => {
      computations.length = 0
      const answer = await request(`${url}/me`, { headers: { authorization: `Bearer ${token}` } })
      await answer.body.dump()
      return [answer.statusCode, ...computations]
    },
    register: (account: Readonly<Record<string, string>>) =>
      cost('/accounts', 'application/json', JSON.stringify(account)),
    logIn: (form: Readonly<Record<string, string>>) =>
      cost('/Token', 'application/x-www-form-urlencoded', new URLSearchParams(form).toString()),
  }
}

const grant = { grant_type: 'password' }

for (const [hashing, parameters] of [
  ['argon2id', '$argon2id$v=19$m=19456,t=2,p=1'],
  ['fast', ''],
] as const) {
  t.test(`with ${hashing}, whom a name belongs to changes nothing in what is computed`, async (t) => {
    const { store, register, logIn } = await start(t, hashing)
    const one = `verify ${parameters}`

    t.strictSame(await logIn({ ...grant, username: 'ann', password: 'Secret-1' }), [200, one])
    for (const password of ['Secret-2', '', 'x'.repeat(10_000)]) {
      for (const username of ['ann', 'bob', '', '__proto__', 'x'.repeat(10_000)])
        t.strictSame(await logIn({ ...grant, username, password }), [400, one], `${username.slice(0, 9)}`)
    }

    const cay = { userName: 'cay', email: 'cay@example.com', password: 'Secret-3' }
    t.strictSame(await register(cay), [201, 'hash'])
    t.strictSame(await logIn({ ...grant, username: 'cay', password: 'Secret-3' }), [200, one])
    t.strictSame(await logIn({ ...grant, username: 'cay', password: 'Secret-1' }), [400, one])
    store.accounts.remove('cay')
    t.strictSame(await logIn({ ...grant, username: 'cay', password: 'Secret-3' }), [400, one], 'once removed')

    const external = {
      userName: 'dan',
      password: 'Secret-4',
      externalLogins: [{ provider: 'p', subject: 's' }],
    }
    await store.accounts.add(external)
    t.strictSame(await logIn({ ...grant, username: 'dan', password: 'Secret-1' }), [400, one])
  })

  t.test(`with ${hashing}, what is no attempt computes nothing`, async (t) => {
    const { register, logIn } = await start(t, hashing)
    for (const username of ['ann', 'bob']) {
      t.strictSame(await logIn({ ...grant, username }), [400])
      t.strictSame(await logIn({ username, password: 'Secret-1' }), [400])
    }
    t.strictSame(await logIn({ ...grant, password: 'Secret-1' }), [400])
    for (const userName of ['ann', 'bob'])
      t.strictSame(await register({ userName, email: 'x@example.com', password: 'weak' }), [400])
  })

  t.test(
    `with ${hashing}, tokens compute nothing, and hooks change nothing in what a login costs`,
    async (t) => {
      const { store, computations, me, logIn } = await start(t, hashing)
      computations.length = 0
      const { access_token: token } = store.issueToken({ userName: 'ann', value: 'chosen' })
      t.throws(() => store.issueToken({ userName: 'bob' }), { code: 'not-found' })
      for (const asked of [token, 'made-up']) {
        store.introspect(asked)
        store.bearerOf(asked)
      }
      t.strictSame(computations, [], 'by the control methods')
      t.strictSame(await me(token), [200])
      store.revokeToken(token)
      for (const asked of [token, 'made-up', 'x'.repeat(4000)]) t.strictSame(await me(asked), [401])

      const one = `verify ${parameters}`
      store.respond({ path: '/Token' }, { status: 418 })
      for (const username of ['ann', 'bob'])
        for (const password of ['Secret-1', 'Secret-2'])
          t.strictSame(await logIn({ ...grant, username, password }), [418, one], `${username}, ${password}`)
    },
  )
}
