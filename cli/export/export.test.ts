import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { AssayError } from '../../spec/model/assay-error.js'
import { type Played, startStandIn } from '../../tests/fixtures/k6/stand-in.js'
import { command } from './export.js'

const ALICE = { userName: 'alice', password: 'Alice-and-1-password', userId: 'a1' }
const BOB = { userName: 'bob & söhne', password: 'Bob+100%-=&', userId: 'b2' }
const SECRETS = { ALICE_PASSWORD: ALICE.password, BOB_PASSWORD: BOB.password }

/** The target file's own spelling of a variable. */
const variable = (name: string): string => `\${${name}}`
const ACCOUNTS = [
  { ...ALICE, password: variable('ALICE_PASSWORD') },
  { ...BOB, password: variable('BOB_PASSWORD') },
]

const k6 = await startStandIn()
t.teardown(() => k6[Symbol.asyncDispose]())

/** What the command writes to standard output for a target file, or rejects with. */
async function written(t: Test, args: readonly string[], target?: object): Promise<string> {
  const file = target && join(t.testdir({ 'target.json': JSON.stringify(target) }), 'target.json')
  const output = t.capture(process.stdout, 'write', () => true)
  try {
    await command.execute([...args, ...(file === undefined ? [] : ['--target', file])])
  } finally {
    output.restore()
  }
  return output()
    .map(({ args: [text] }) => String(text))
    .join('')
}

async function play(t: Test, target: object, iterations?: number): Promise<Played> {
  return k6.play(await written(t, ['k6'], target), SECRETS, iterations)
}

t.test('a target is read from a pipe too, once', { skip: process.platform === 'win32' }, async (t) => {
  const target = JSON.stringify({ baseUrl: 'http://127.0.0.1:1', accounts: ACCOUNTS })
  const pipe = join(t.testdir({}), 'target.json')
  execFileSync('mkfifo', [pipe])
  const writer = spawn('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', target, pipe])
  t.teardown(() => writer.kill())
  t.match(await written(t, ['k6', '--target', pipe]), "ALICE_PASSWORD='...' ")
})

t.test('against the reference server every check holds', async (t) => {
  for (const includesUserId of [false, true]) {
    const baseUrl = k6.start({ start: { accounts: [ALICE, BOB], includesUserId } })
    const { exitCode, recorded, red, green } = await play(t, { baseUrl, accounts: ACCOUNTS, includesUserId })
    t.equal(exitCode, 0)
    t.strictSame(red, [])
    const rules = [
      '4.1/unknown-grant-type 4.1-grant_type',
      '4.1/other-media-type 7-token-error-body',
      '4.1/no-grant-type 4.1-R2',
      '4.1/content-type-spelling 4.1-content-type-spelling',
      '4.1/method-get 4.1-method',
      '2.1/issue-time-advances 2.1-issue-time',
      '2.1/token-of-each-account 2.1-access_token',
      `2.1/token-response 2.1-userId${includesUserId ? '' : '-absent'}`,
      '8/default-lifetime 8-R3',
      'answered',
    ]
    t.strictSame(
      rules.filter((name) => !green.includes(name)),
      [],
    )
    t.ok(
      recorded.some((one) => 'request' in one && one.request.method === 'PATCH'),
      'requests were sent',
    )
  }
})

t.test('a server that refuses everything is never green', async (t) => {
  const baseUrl = k6.start({ start: { accounts: [ALICE, BOB] } })
  const accounts = ACCOUNTS.map((account) => ({ ...account, userName: `${account.userName}x` }))
  const { exitCode, red, green } = await play(t, { baseUrl, accounts }, 1)
  t.equal(exitCode, 99)
  t.ok(red.includes('1/exchange 1-exchange'))
  t.ok(red.includes('8/default-lifetime can be judged'))
  t.ok(green.includes('answered'))
})

t.test('where no server listens there is no answer, and nothing is judged', async (t) => {
  const { exitCode, red, green } = await play(t, { baseUrl: 'http://127.0.0.1:1', accounts: ACCOUNTS }, 1)
  t.equal(exitCode, 99)
  t.strictSame(red, ['answered'])
  t.strictSame(green, [])
})

t.test('no secret is in a script, and a variable that is not set is asked for', async (t) => {
  const CANARY = 'Canary-in-a-mine-7'
  const target = {
    baseUrl: `http://127.0.0.1:${variable('PORT')}/auth/`,
    accounts: [
      { userName: variable('NAME'), password: CANARY, userId: `\u2028\\"$${variable('1')}` },
      { userName: 'bob', password: `${variable('BOB_PASSWORD')}-x` },
      { userName: 'carol', password: `${CANARY}${variable('BOB_PASSWORD')}` },
    ],
    headers: {
      Authorization: `Basic ${CANARY}`,
      'X-Api-Key': variable('API_KEY'),
      'X-Plain': 'yes',
      'X-Scheme': `Bearer ${variable('API_KEY')}`,
      'X-Mixed': `Bearer ${CANARY}.${variable('API_KEY')}`,
    },
    tokenRequest: { form: { client_secret: `${CANARY}${variable('API_KEY')}` } },
    maxRequestsPerSecond: 20,
    tls: { rejectUnauthorized: false },
  }
  const set = (port: string): void => {
    Object.assign(process.env, { PORT: port, NAME: CANARY })
  }
  t.teardown(() => {
    delete process.env.PORT
    delete process.env.NAME
  })
  set('5000')
  const stdout = await written(t, ['k6'], target)
  t.notMatch(stdout, CANARY)
  t.notMatch(stdout, /[^\t\n -~]/, 'plain ASCII')
  t.match(stdout, '"http://127.0.0.1:" + variable("PORT") + "/auth"')
  t.match(stdout, 'userName: variable("NAME"), password: variable("TOKEN_ASSAY_PASSWORD")')
  t.match(stdout, 'password: variable("BOB_PASSWORD") + "-x"')
  t.match(stdout, '"Authorization": variable("TOKEN_ASSAY_AUTHORIZATION")')
  t.match(stdout, '"X-Api-Key": variable("API_KEY")')
  t.match(stdout, '"X-Scheme": "Bearer " + variable("API_KEY")')
  t.match(stdout, '"X-Mixed": variable("TOKEN_ASSAY_X_MIXED")')
  t.match(stdout, '"client_secret": variable("TOKEN_ASSAY_CLIENT_SECRET")')
  t.match(stdout, '  rps: 20,\n  insecureSkipTLSVerify: true,\n')
  set('')
  await t.rejects(written(t, ['k6'], target), {
    message: /the environment variable PORT is empty/,
  })
})

t.test('every third answer of a case is judged, the others by their status', async (t) => {
  const baseUrl = k6.start({ start: { accounts: [ALICE, BOB] } })
  const target = { baseUrl, accounts: ACCOUNTS }
  const script = await written(t, ['k6', '--sample', '3', '--only', '4.1-R1'], target)
  const { exitCode, recorded } = k6.play(script, SECRETS, 9)
  t.equal(exitCode, 0)
  const count = (name: string): number => recorded.filter((one) => 'name' in one && one.name === name).length
  t.equal(count('4.1/json-and-empty-body 4.1-R1'), 3)
  t.equal(count('4.1/json-and-empty-body status'), 6)
  const mutant = { start: { accounts: [ALICE, BOB] }, mutant: 'json-and-empty-body-by-411' }
  t.match(k6.play(script, { ...SECRETS, TOKEN_ASSAY_BASE_URL: k6.start(mutant) }, 2).red, [
    '4.1/json-and-empty-body 4.1-R1',
    '4.1/no-grant-type status',
    '4.1/json-and-empty-body status',
  ])
})

t.test('a script is read without its variables, and asks for them before the first request', async (t) => {
  const script = await written(t, ['k6'], {
    baseUrl: k6.start({ start: { accounts: [ALICE] } }),
    accounts: ACCOUNTS,
  })
  t.throws(() => k6.play(script, {}, 0), {
    message: /expected the environment variable ALICE_PASSWORD to be set/,
  })
  t.match(script, /^export function setup\(\)/m)
})

t.test('misuse is refused in a sentence', async (t) => {
  const file = join(
    t.testdir({
      'two.json': JSON.stringify({
        baseUrl: 'http://127.0.0.1:1',
        accounts: ACCOUNTS,
        deployments: { a: {}, b: { includesUserId: true } },
      }),
    }),
    'two.json',
  )
  const BASE = 'http://127.0.0.1:1'
  const two = ['--target', file]
  const misuses: readonly (readonly [args: readonly string[], says: string])[] = [
    [[], 'export takes the tool to write for: token-assay export k6'],
    [['jmeter'], 'the tool to write for: token-assay export k6'],
    [['k6'], 'give a base URL with --user-name NAME, or --target FILE'],
    [['k6', BASE], 'an account is needed to sign in: give --user-name NAME'],
    [['k6', BASE, 'secret'], 'export k6 takes one base URL, found 2 arguments'],
    [['k6', BASE, '--user-name', 'a', ...two], 'export k6 takes a base URL or --target'],
    [['k6', '--user-name', 'a', ...two], '--user-name goes with a base URL'],
    [['k6', ...two], 'a script is for one deployment: --deployment NAME, one of a, b'],
    [['k6', ...two, '--deployment', 'c'], 'no deployment is named `c`; there are a, b'],
    [['k6', ...two, '--deployment', 'a', '--only', '9/*'], 'no case, rule or result matches `9/*`'],
    [
      ['k6', ...two, '--deployment', 'a', '--only', '8/too-short'],
      'no case is left for a script: how accounts',
    ],
    [['k6', '--target', 'none.json'], 'none.json: expected a target file'],
    [['k6', 'http://a:secret@b', '--user-name', 'a'], 'the base URL: expected'],
    [['k6', BASE, '--user-name', 'a', '--sample', '0'], '--sample takes a whole number from 1 to 1000000'],
  ]
  for (const [args, says] of misuses) {
    const error: unknown = await command.execute(args).catch((error: unknown) => error)
    t.type(error, AssayError, args.join(' '))
    t.match(error, { message: says })
    t.notMatch(String(error), /secret|\n +at /)
  }
})

t.test('--only and --skip with a rule concern that rule alone, as in a run', async (t) => {
  const rulesOf = async (...args: readonly string[]): Promise<readonly string[]> => {
    const script = await written(t, ['k6', 'http://127.0.0.1:5000', '--user-name', 'alice', ...args])
    return [...new Set(Array.from(script.matchAll(/"?rule"?: ?"([^"]+)"/g), ([, rule = '']) => rule))]
  }
  t.strictSame(await rulesOf('--only', '4.1-R1'), ['4.1-R1'])
  t.strictSame(await rulesOf('--only', '4.1/json-and-empty-body', '--skip', '7-token-error-*'), ['4.1-R1'])
})

t.test('what is added to token requests is read from the environment too', async (t) => {
  const tokenRequest = {
    path: `/${variable('TENANT')}/Token`,
    form: { client_id: 'web', client_secret: 'declared-as-it-is' },
    basic: { userName: 'web', password: 'a-secret-of-the-client' },
  }
  const target = { baseUrl: 'http://127.0.0.1:1', accounts: ACCOUNTS, tokenRequest }
  process.env.TENANT = 'contoso-tenant'
  t.teardown(() => delete process.env.TENANT)
  const script = await written(t, ['k6'], target)
  t.match(script, 'path: "/" + variable("TENANT") + "/Token"')
  t.match(script, '"client_id": "web"')
  t.match(script, '"client_secret": variable("TOKEN_ASSAY_CLIENT_SECRET")')
  t.match(script, '"Authorization": variable("TOKEN_ASSAY_AUTHORIZATION")')
  t.notMatch(script, /contoso-tenant|declared-as-it-is|a-secret-of-the-client/)
  const needs = script.slice(0, script.indexOf('k6 run'))
  for (const name of ['TENANT', 'TOKEN_ASSAY_CLIENT_SECRET', 'TOKEN_ASSAY_AUTHORIZATION'])
    t.match(needs, name)
})
