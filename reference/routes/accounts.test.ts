import { EventEmitter, once } from 'node:events'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import { LISTED_POLICY } from '../../spec/model/policy.js'
import { startReference } from '../../tests/fixtures/reference.js'
import { allowsUserName, ruleMessage, violatedRules } from '../policy.js'
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../server.js'
import { createAccountStore } from '../store/accounts.js'

const length = 'Passwords must be at least 6 characters.'
const symbol = 'Passwords must have at least one non letter or digit character.'
const digit = "Passwords must have at least one digit ('0'-'9')."
const lowercase = "Passwords must have at least one lowercase ('a'-'z')."
const uppercase = "Passwords must have at least one uppercase ('A'-'Z')."

const agent = new Agent()
t.teardown(() => agent.close())

const start = (t: Test, options: ReferenceServerOptions = {}): Promise<ReferenceServer> =>
  startReference(t, { accounts: [], ...options })

async function post(url: string, contentType: string, body: string) {
  const headers = { 'content-type': contentType }
  const response = await request(url, { method: 'POST', dispatcher: agent, headers, body })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

async function register(server: ReferenceServer, account: unknown) {
  const { status, headers, text } = await post(
    `${server.url}/accounts`,
    'application/json',
    JSON.stringify(account),
  )
  return { status, headers, json: JSON.parse(text) }
}

async function logIn(server: ReferenceServer, userName: string, password: string): Promise<number> {
  const form = new URLSearchParams({ grant_type: 'password', username: userName, password })
  return (await post(`${server.url}/Token`, 'application/x-www-form-urlencoded', form.toString())).status
}

const account = (userName: string, password = 'Abc-12', email = `${userName}@example.com`) => ({
  userName,
  email,
  password,
})

t.test('8: every rule that a password violates is listed, in one order', async (t) => {
  const violated = (password: string, change: Partial<typeof LISTED_POLICY> = {}): readonly string[] => {
    const policy = { ...LISTED_POLICY, ...change }
    return violatedRules(password, policy).map((rule) => ruleMessage(rule, policy))
  }
  t.strictSame(violated('Abc-12'), [])
  t.strictSame(violated(''), [length, symbol, digit, lowercase, uppercase])
  t.strictSame(violated('Ab-12'), [length], 'one character less')
  t.strictSame(violated('Abc012'), [symbol])
  t.strictSame(violated('Abc-xy'), [digit])
  t.strictSame(violated('ABC-12'), [lowercase])
  t.strictSame(violated('abc-12'), [uppercase])
  for (const satisfying of ['Aa0aaa', 'Az9zzz', 'Zz0zzz']) {
    for (const punctuation of ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\n\0äÄ٣') {
      t.strictSame(violated(`${satisfying}${punctuation}`), [], JSON.stringify(punctuation))
    }
  }
  t.strictSame(violated('ÄÖ٣äöü-'), [digit, lowercase, uppercase], 'letters and digits are those of ASCII')
  t.strictSame(violated('Aa-0😀'), [], 'length is in UTF-16 units')
  t.strictSame(violated('', { requireDigit: false, requireUppercase: false }), [length, symbol, lowercase])
  t.strictSame(violated('', { requireNonLetterOrDigit: false, requireLowercase: false }), [
    length,
    digit,
    uppercase,
  ])
  t.strictSame(violated('Abc-12', { minimumLength: 10 }), ['Passwords must be at least 10 characters.'])
})

t.test('8-alphanumeric-user-names: off, anything goes; on, letters and digits', async (t) => {
  const on = { ...LISTED_POLICY, alphanumericUserNamesOnly: true }
  for (const userName of ['azAZ09', 'x', '0']) t.equal(allowsUserName(userName, on), true, userName)
  for (const userName of ['a@b', 'a.b', 'a_b', 'a-b', 'a b', 'a\n', 'ä', 'a\0']) {
    t.equal(allowsUserName(userName, on), false, JSON.stringify(userName))
    t.equal(allowsUserName(userName, LISTED_POLICY), true, JSON.stringify(userName))
  }
})

t.test('8-R1: an accepted account can log in, a refused one is not stored', async (t) => {
  const server = await start(t, { includesUserId: true })
  const accepted = await register(server, account('ann'))
  t.match(accepted, {
    status: 201,
    headers: { 'content-type': 'application/json;charset=UTF-8', 'cache-control': 'no-store' },
    json: { userName: 'ann', userId: /^[0-9a-f-]{36}$/ },
  })
  t.strictSame(Object.keys(accepted.json), ['userName', 'userId'])
  t.equal(await logIn(server, 'ann', 'Abc-12'), 200)
  t.equal(await logIn(server, 'ann', 'Abc-13'), 400)

  const refused = await register(server, account('bob', 'abc'))
  t.match(refused.status, 400)
  t.strictSame(refused.json, { errors: [length, symbol, digit, uppercase] })
  t.equal(await logIn(server, 'bob', 'abc'), 400)
  t.match(await register(server, account('bob')), { status: 201 }, 'name and address are still free')
  server.reset()
  t.equal(await logIn(server, 'ann', 'Abc-12'), 400, 'a reset forgets')
})

t.test('names and addresses are given once', async (t) => {
  const seed = { userName: 'seed', password: 'x', email: 'seed@example.com' }
  const server = await start(t, { accounts: [seed] })
  const errors = async (asked: unknown) => (await register(server, asked)).json.errors
  t.strictSame(await errors(account('seed', 'Abc-12', 'other@x')), ['Name seed is already taken.'])
  t.strictSame(await errors(account('b', 'Abc-12', 'seed@example.com')), [
    "Email 'seed@example.com' is already taken.",
  ])
  t.strictSame(await errors(account('seed', 'Abc-1', 'seed@example.com')), [
    length,
    'Name seed is already taken.',
    "Email 'seed@example.com' is already taken.",
  ])
  t.equal(await errors(account('Seed')), undefined, 'names are compared exactly')
  t.strictSame(await errors(account('c', 'Abc-12', 'no address')), ["Email 'no address' is invalid."])
  t.strictSame(await errors({ userName: 'c', password: 'Abc-12' }), ['Email cannot be null or empty.'])
  t.strictSame(await errors(account('', 'Abc-12', 'c@x')), ['Name cannot be null or empty.'])
  t.strictSame(await errors(account('c'.repeat(257), 'Abc-12', 'c@x')), ['The user name is too long.'])
  t.strictSame(await errors(account('c', 'Abc-12', `${'c'.repeat(320)}@x`)), [
    'The e-mail address is too long.',
  ])

  const free = await start(t, { policy: { uniqueEmail: false, alphanumericUserNamesOnly: true } })
  t.match(await register(free, account('a', 'Abc-12', 'same@x')), { status: 201 })
  t.match(await register(free, account('b', 'Abc-12', 'same@x')), { status: 201 })
  t.match(await register(free, { userName: 'c', password: 'Abc-12' }), { status: 201 })
  t.match(await register(free, account('d@e')), {
    status: 400,
    json: { errors: ['User name d@e is invalid, can only contain letters or digits.'] },
  })
})

t.test('of many that race for one name or one address, one wins', async (t) => {
  const server = await start(t, { hashing: 'argon2id' })
  const race = async (accounts: readonly unknown[]): Promise<number> => {
    const answers = await Promise.all(accounts.map((asked) => register(server, asked)))
    return answers.filter(({ status }) => status === 201).length
  }
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  t.equal(await race(numbers.map((index) => account('ann', 'Abc-12', `ann${index}@x`))), 1)
  t.equal(await race(numbers.map((index) => account(`bob${index}`, 'Abc-12', 'bob@x'))), 1)
})

t.test('a store that takes its time is raced where it reserves nothing', async (t) => {
  const race = async (behaviour: ReferenceServerOptions['behaviour']): Promise<readonly number[]> => {
    const store = new EventEmitter()
    const beforeStoring = async (): Promise<void> => {
      store.emit('reached')
      await once(store, 'stores')
    }
    const server = await start(t, { behaviour: { beforeStoring, ...behaviour } })
    const first = register(server, account('ann', 'Abc-12', 'same@x'))
    await once(store, 'reached')
    const second = register(server, account('ben', 'Abc-12', 'same@x'))
    await Promise.race([second, once(store, 'reached')])
    store.emit('stores')
    return [(await first).status, (await second).status]
  }
  t.strictSame(await race({}), [201, 400])
  t.strictSame(await race({ reserves: (what) => what !== 'email' }), [201, 201])
})

t.test('a registration that fails keeps neither name nor address', async (t) => {
  const failing = (password: string): string => {
    if (password === 'Fails-1') throw new RangeError('as the test asks')
    return password
  }
  const server = await start(t, { behaviour: { passwordAsHashed: failing } })
  t.match(await register(server, account('ann', 'Fails-1')), { status: 500 })
  t.match(await register(server, account('ann')), { status: 201 })
})

t.test('what is no registration is refused', async (t) => {
  const server = await start(t)
  const url = `${server.url}/accounts`
  const good = JSON.stringify(account('ann'))
  const json = 'application/json; charset=utf-8'
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '{"userName":"a"}',
    '{"userName":1,"password":"x"}',
    good.replace('"ann"', '"\\ud800"'),
  ]) {
    const answer = await post(url, json, body)
    t.match(answer, { status: 400, text: /^\{"errors":\["[^"]+"\]\}$/ }, body)
  }
  t.match(await post(url, 'text/json', good), { status: 415 })
  t.match(await post(url, json, ' '.repeat(70_000)), { status: 413 })
  for (const path of ['/Accounts', '/accounts/', '/accounts/ann']) {
    t.match(await post(`${server.url}${path}`, json, good), { status: 404 }, path)
  }
  const deleted = await request(url, { method: 'DELETE', dispatcher: agent })
  await deleted.body.dump()
  t.match({ status: deleted.statusCode, allow: deleted.headers.allow }, { status: 405, allow: 'POST' })
  t.match(await post(url, json, good), { status: 201 })
  t.match(server.journal.entries()[0], { status: 400, reason: /^the new account is not allowed: / })
  await t.rejects(startReferenceServer({ policy: { minimumLength: 0 } }), { message: /minimumLength/ })
})

t.test('of registered accounts the oldest are forgotten, and those of the start stay', async (t) => {
  const same = { userName: (userName: string) => userName, email: (email: string) => email }
  const made = (userName: string) => ({
    userName,
    userId: userName,
    email: `${userName}@x`,
    passwordHash: '',
  })
  const store = createAccountStore([made('seed')], same, 2)
  for (const userName of ['a', 'b', 'c']) store.add(made(userName))
  t.strictSame(
    ['seed', 'a', 'b', 'c'].map((userName) => [
      store.find(userName)?.userId,
      store.has({ userName }),
      store.has({ email: `${userName}@x` }),
    ]),
    [
      ['seed', true, true],
      [undefined, false, false],
      ['b', true, true],
      ['c', true, true],
    ],
  )
  const release = store.reserve({ userName: 'd', email: 'b@x' })
  t.equal(store.has({ userName: 'd' }), true)
  t.equal(store.find('d'), undefined)
  release()
  t.equal(store.has({ userName: 'd' }), false)
  t.equal(store.has({ email: 'b@x' }), true)
})
