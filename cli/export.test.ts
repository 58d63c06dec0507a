import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { listen } from '../interop/listen.js'
import { MUTANTS } from '../reference/mutants/index.js'
import { type ReferenceServerOptions, startReferenceServer } from '../reference/server.js'
import { type Ended, runCommand } from './fixtures/command.js'

const K6 = fileURLToPath(new URL('fixtures/k6', import.meta.url))
const ALICE = { userName: 'alice', password: 'Alice-and-1-password', userId: 'a1' }
const BOB = { userName: 'bob & söhne', password: 'Bob+100%-=&', userId: 'b2' }
const SECRETS = { ALICE_PASSWORD: ALICE.password, BOB_PASSWORD: BOB.password }

/** The target file's own spelling of a variable. */
const variable = (name: string): string => `\${${name}}`
const ACCOUNTS = [
  { ...ALICE, password: variable('ALICE_PASSWORD') },
  { ...BOB, password: variable('BOB_PASSWORD') },
]

interface Played extends Ended {
  readonly red: readonly string[]
  readonly green: readonly string[]
}

/** Exports a script for the target, and runs it as k6 would. */
async function play(t: Test, target: object, clock: { advance(seconds: number): void }, iterations?: number) {
  const cwd = t.testdir({
    'target.json': JSON.stringify(target),
    node_modules: { k6: t.fixture('symlink', relative(join(t.testdirName, 'node_modules'), K6)) },
  })
  const exported = await runCommand(['export', 'k6', '--target', 'target.json', '--out', 'script.mjs'], {
    cwd,
  })
  t.equal(exported.exitCode, 0, exported.stderr)
  await using sleeper = await listen((request, response) => {
    clock.advance(Number(request.headers.seconds))
    response.end()
  })
  const args = ['--preserve-symlinks', join(K6, 'run.js'), join(cwd, 'script.mjs')]
  const env = { ...process.env, ...SECRETS, K6_SLEEP_URL: sleeper.url }
  return await new Promise<Played>((resolve) => {
    const counted = iterations === undefined ? [] : ['1', String(iterations)]
    execFile(process.execPath, [...args, ...counted], { env }, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === 'number' ? error.code : 0
      const counts: Readonly<Record<string, { fails: number }>> =
        stdout === '' ? {} : JSON.parse(stdout).counts
      const names = (failed: boolean) =>
        Object.entries(counts).flatMap(([name, { fails }]) => (fails > 0 === failed ? [name] : []))
      resolve({ exitCode, stdout, stderr, red: names(true), green: names(false) })
    })
  })
}

const reference = (options: ReferenceServerOptions = {}) =>
  startReferenceServer({ accounts: [ALICE, BOB], hashing: 'fast', ...options })

t.test('against the reference server every check holds', async (t) => {
  for (const includesUserId of [false, true]) {
    await using server = await reference({ includesUserId })
    const target = { baseUrl: server.url, accounts: ACCOUNTS, includesUserId }
    const { exitCode, stderr, red, green } = await play(t, target, server.clock)
    t.equal(exitCode, 0, stderr)
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
      server.journal.entries().some(({ method }) => method === 'PATCH'),
      'requests were sent',
    )
  }
})

/** One for each kind of check that the script has; those that only some inputs show are sent every input. */
const OF_INPUTS = ['media-type-suffix', 'grant-type-trimmed-at-end']
const CAUGHT = [
  'capital-bearer',
  'success-by-400',
  'underscore-for-dot',
  'token-of-the-second',
  'expires-in-with-exponent',
  'weekday-of-tomorrow',
  'expires-a-second-late',
  'issued-cut-to-the-minute',
  'one-user-id-for-all',
  'user-id-before-expires',
  'put-allowed',
  'charset-refused',
  'no-grant-type-by-422',
  'error-with-description',
  'error-without-charset',
  ...OF_INPUTS,
]

t.jobs = 2

for (const id of CAUGHT) {
  t.test(`the mutant ${id} turns its checks red, and no others`, async (t) => {
    const mutant = MUTANTS.find((one) => one.id === id)
    if (mutant === undefined) throw new Error(`there is no mutant ${id}`)
    const includesUserId = mutant.needs === 'with-user-id'
    await using server = await reference({ includesUserId, behaviour: mutant.behaviour() })
    const target = { baseUrl: server.url, accounts: ACCOUNTS, includesUserId }
    const { exitCode, red } = await play(t, target, server.clock, OF_INPUTS.includes(id) ? undefined : 2)
    t.equal(exitCode, 99, 'what k6 exits with where a threshold is crossed')
    const rules = [...new Set(red.map((name) => name.split(' ')[1] ?? name))]
    t.ok(
      mutant.violates.some((rule) => rules.includes(rule)),
      `${rules.join(' ')} for ${mutant.violates.join(' ')}`,
    )
    const claimed = [...mutant.violates, ...mutant.collateral, 'can']
    t.strictSame(
      rules.filter((rule) => !claimed.includes(rule)),
      [],
    )
  })
}

t.test('a server that refuses everything is never green', async (t) => {
  await using server = await reference()
  const accounts = ACCOUNTS.map((account) => ({ ...account, userName: `${account.userName}x` }))
  const { exitCode, red, green } = await play(t, { baseUrl: server.url, accounts }, server.clock, 1)
  t.equal(exitCode, 99)
  t.ok(red.includes('1/exchange 1-exchange'))
  t.ok(red.includes('8/default-lifetime can be judged'))
  t.ok(green.includes('answered'))
})

t.test('nobody there: no answer, and nothing is judged', async (t) => {
  const target = { baseUrl: 'http://127.0.0.1:1', accounts: ACCOUNTS }
  const { exitCode, red, green } = await play(t, target, { advance: () => undefined }, 1)
  t.equal(exitCode, 99)
  t.strictSame(red, ['answered'])
  t.strictSame(green, [])
})

t.test('no secret stands in a script, and a variable that is not set is asked for', async (t) => {
  const CANARY = 'Canary-in-a-mine-7'
  const target = {
    baseUrl: `http://127.0.0.1:${variable('PORT')}/auth/`,
    accounts: [
      { userName: variable('NAME'), password: CANARY, userId: `\u2028\\"$${variable('1')}` },
      { userName: 'bob', password: `${variable('BOB_PASSWORD')}-x` },
    ],
    headers: { Authorization: `Basic ${CANARY}`, 'X-Api-Key': variable('API_KEY'), 'X-Plain': 'yes' },
    maxRequestsPerSecond: 20,
    tls: { rejectUnauthorized: false },
  }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const env = { PORT: '5000', NAME: CANARY, API_KEY: undefined }
  const args = ['export', 'k6', '--target', 'token-assay.json']
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd, env })
  t.equal(exitCode, 0, stderr)
  t.notMatch(stdout, CANARY)
  t.notMatch(stdout, /[^\n -~]/, 'plain ASCII')
  t.match(stdout, '"http://127.0.0.1:" + variable("PORT") + "/auth"')
  t.match(stdout, 'userName: variable("NAME"), password: variable("TOKEN_ASSAY_PASSWORD")')
  t.match(stdout, 'password: variable("BOB_PASSWORD") + "-x"')
  t.match(stdout, '"Authorization": variable("TOKEN_ASSAY_AUTHORIZATION")')
  t.match(stdout, '"X-Api-Key": variable("API_KEY")')
  t.match(stdout, '  rps: 20,\n  insecureSkipTLSVerify: true,\n')
  const { exitCode: unset, stderr: says } = await runCommand(args, { cwd, env: { ...env, PORT: '' } })
  t.equal(unset, 2)
  t.match(says, 'expected the environment variable PORT to be set')
})

t.test('misuse is refused in a sentence', async (t) => {
  const cwd = t.testdir({
    'two.json': JSON.stringify({
      baseUrl: 'http://127.0.0.1:1',
      accounts: ACCOUNTS,
      deployments: { a: {}, b: { includesUserId: true } },
    }),
  })
  const BASE = 'http://127.0.0.1:1'
  const two = ['--target', 'two.json']
  const misuses: readonly (readonly [args: readonly string[], says: string])[] = [
    [[], 'export takes the tool to write for, and there is one: token-assay export k6'],
    [['jmeter'], 'there is one: token-assay export k6'],
    [['k6'], 'a service is needed: a base URL with --user-name NAME, or a target file'],
    [['k6', BASE], 'an account is needed to be granted a token: --user-name NAME'],
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
  ]
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await runCommand(['export', ...args], { cwd })
    t.equal(exitCode, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, says)
    t.notMatch(stderr, /secret|\n +at /)
  }
})
