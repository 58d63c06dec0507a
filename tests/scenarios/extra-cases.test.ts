import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'

const PASSWORD = 'Correct-horse-1'
const server = await startReferenceServer({
  accounts: [{ userName: 'alice', password: PASSWORD }],
  hashing: 'fast',
})
t.teardown(() => server.close())

const FORM = { grant_type: 'password', username: '$account.userName', password: '$account.password' }
const SCOPE = { rule: 'contoso:checkout-scope', member: { name: 'scope', absent: true } }
const RULE = {
  id: 'contoso:checkout-scope',
  section: 'contoso:checkout',
  level: 'must',
  statement: 'A grant carries no scope.',
}
const GRANT = {
  id: 'contoso:checkout/grant',
  title: 'a grant carries no scope',
  send: { form: FORM },
  expect: [SCOPE],
}
const FILE = { section: 'contoso:checkout', requirements: [RULE], cases: [GRANT] }

/** A folder `mine` with these files, and a run of what is in them. */
async function runWith(t: Test, files: Readonly<Record<string, unknown>>, ...args: string[]) {
  const cwd = t.testdir({ mine: {} })
  for (const name of Object.keys(files)) await mkdir(dirname(join(cwd, 'mine', name)), { recursive: true })
  for (const [name, content] of Object.entries(files))
    await writeFile(join(cwd, 'mine', name), typeof content === 'string' ? content : JSON.stringify(content))
  const flags = ['--user-name', 'alice', '--cases', 'mine', '--quiet', ...args]
  const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
  return { cwd, ...(await callCommand(['run', server.url, ...flags], { cwd, env })) }
}

function ownResults(cwd: string) {
  return readReport(cwd).results.filter(({ case: id }) => id.startsWith('contoso:'))
}

t.test('cases of your own are judged beside ours, and their rules are in the report', async (t) => {
  const { cwd, exitCode, stderr } = await runWith(t, { 'checkout.json': FILE }, '--runs', '2')
  t.equal(exitCode, 0, stderr)
  const { rules, results } = readReport(cwd)
  t.match(rules.at(-1), { ...RULE, outcome: 'passed', results: ['default/contoso:checkout/grant'] })
  t.ok(results.some(({ id }) => id === 'default/4.1/password-grant'))
})

t.test('files in folders are read too, whatever the case of their ending', async (t) => {
  const { cwd, exitCode, stderr } = await runWith(
    t,
    {
      'rules/REQUIREMENTS.JSON': { requirements: [RULE] },
      'checkout/grant.YAML': JSON.stringify({ section: FILE.section, cases: [GRANT] }),
      ...{ 'node_modules/a/package.json': '{}', '.idea/workspace.json': '{}' },
    },
    ...['--only', 'contoso:*'],
  )
  t.equal(exitCode, 0, stderr)
  t.match(ownResults(cwd), [{ outcome: 'passed' }])
})

t.test('what no answer has is not compared, and holds of none', async (t) => {
  const across = {
    ...GRANT,
    invariant: 'token',
    expect: [{ rule: SCOPE.rule, acrossAccounts: { member: 'tenant', is: 'constant' } }],
  }
  const { cwd, exitCode, stderr } = await runWith(
    t,
    { 'checkout.json': { ...FILE, cases: [across] } },
    ...['--only', 'contoso:*'],
  )
  t.equal(exitCode, 3, stderr)
  t.match(ownResults(cwd), [
    { outcome: 'cantTell', judgements: [{ reason: 'no answer has a string `tenant`' }] },
  ])
})

t.test('a broken rule of your own gates, and its replay repeats it', async (t) => {
  const broken = { ...GRANT, expect: [{ ...SCOPE, member: { name: 'userName', absent: true } }] }
  const files = { 'checkout.json': { ...FILE, cases: [broken] } }
  const { cwd, exitCode, stdout } = await runWith(t, files, '--only', 'contoso:*')
  t.equal(exitCode, 1)
  t.match(stdout, 'contoso:checkout-scope')
  const replay =
    readReport(cwd)
      .results.at(-1)
      ?.judgements.find(({ outcome }) => outcome === 'failed')?.replay ?? ''
  t.equal((await runWith(t, files, '--replay', replay)).exitCode, 1, replay)
})

t.test('forall, steps, groups, our controls and our rules, in YAML, with the rules in a file', async (t) => {
  const yaml = `
section: contoso:checkout
cases:
  - id: contoso:checkout/unknown
    title: unknown grants are refused
    control: 4.1/password-grant
    forall: { grant: unsupported-grant-type }
    send: { form: { grant_type: $grant, username: $account.userName, password: $account.password } }
    expect: [{ rule: 4.1-R3, given: refusal, yieldsToken: false }]
  - id: contoso:checkout/twice
    title: two grants are two tokens
    steps:
      - { name: first, send: { form: { grant_type: password, username: $account.userName, password: $account.password } } }
      - send: { form: { grant_type: password, username: $account.userName, password: $account.password } }
        expect: [{ rule: contoso:checkout-scope, member: { name: access_token, differsFrom: first } }]
`
  const { cwd, exitCode, stderr } = await runWith(
    t,
    { 'a.yaml': yaml, 'requirements.json': { requirements: [RULE] } },
    '--only',
    'contoso:*',
    '--runs',
    '40',
  )
  t.equal(exitCode, 0, stderr)
  const ran = readReport(cwd).results.filter(({ outcome }) => outcome === 'passed')
  t.strictSame(
    ran.map(({ id, runs }) => [id, runs]),
    [
      ['default/contoso:checkout/unknown', 40],
      ['default/contoso:checkout/twice', undefined],
    ],
  )
})

t.test('what will not do is refused with its place, before anything is sent', async (t) => {
  const one = (changed: object) => JSON.stringify({ ...FILE, cases: [{ ...GRANT, ...changed }] }, null, 1)
  for (const [name, content, message] of [
    [
      'no namespace',
      { ...FILE, section: '4.1', cases: [{ ...GRANT, id: '4.1/grant' }] },
      'a namespace of your own',
    ],
    [
      'another section',
      one({ id: 'contoso:basket/grant' }),
      /a\.json:\d+:\d+: expected an id that begins with contoso:checkout\//,
    ],
    ['twice', { ...FILE, cases: [GRANT, GRANT] }, /expected each id once, found "contoso:checkout\/grant"/],
    [
      'unknown rule',
      one({ expect: [{ ...SCOPE, rule: 'contoso:checkout-skope' }] }),
      'did you mean "contoso:checkout-scope"?',
    ],
    ['unknown key', one({ sned: {} }), /a\.json:\d+:\d+: expected .*found "sned"/],
    ['unknown generator', one({ forall: { x: 'nothing-like-it' } }), /expected a generator/],
    ['unknown group', one({ expect: [{ all: 'no-such-group' }] }), /expected a group of expectations/],
    ['unknown variable', one({ send: { body: '$absent' } }), /expected one of \$account/],
    [
      'a refusal without a control',
      one({ expect: [{ ...SCOPE, yieldsToken: false }] }),
      /expected a control/,
    ],
    ['not JSON', '{ "section": }', 'a.json:1:14: expected JSON, found another character'],
    ['a member twice', '{ "section": "a:b", "section": "a:c" }', /a\.json:1:21: expected each key once/],
    ['too deep', `{"x":${'['.repeat(300)}${']'.repeat(300)}}`, 'expected at most 200 levels of nesting'],
    [
      'unjudged',
      { ...FILE, requirements: [RULE, { ...RULE, id: 'contoso:checkout-other' }] },
      /expected a case that judges contoso:checkout-other/,
    ],
  ] as const) {
    const { exitCode, stderr } = await runWith(t, { 'a.json': content })
    t.equal(exitCode, 2, name)
    t.match(stderr, message, name)
    t.notMatch(stderr, / at .*\.ts:/, `${name}: no stack`)
  }
})

t.test('a folder without case files, or none', async (t) => {
  t.match(await runWith(t, { 'README.md': '' }), { exitCode: 2, stderr: /expected files of cases/ })
  const cwd = t.testdir({})
  await mkdir(join(cwd, 'x'))
  const { exitCode, stderr } = await callCommand(['list', 'cases', '--cases', 'nowhere'], { cwd })
  t.equal(exitCode, 2)
  t.match(stderr, '--cases takes a folder of case files')
})

t.test('list shows them', async (t) => {
  const cwd = t.testdir({ mine: { 'a.json': JSON.stringify(FILE) } })
  const { stdout } = await callCommand(['list', 'rules', '--cases', 'mine'], { cwd })
  t.match(
    stdout,
    /contoso:checkout-scope +must +A grant carries no scope\. {2}\[contoso:checkout\/grant\]\n$/,
  )
})

t.test('a step takes a text from an answer for those behind it', async (t) => {
  const refreshing = await startReferenceServer({
    accounts: [{ userName: 'alice', password: PASSWORD }],
    hashing: 'fast',
    refreshTokens: true,
    protectedResource: true,
  })
  t.teardown(() => refreshing.close())
  const chain = (expected: object, pointer = '/refresh_token') => ({
    id: 'contoso:checkout/chain',
    title: 'a token that was refreshed is accepted',
    steps: [
      { name: 'login', send: { form: FORM }, capture: { refresh: pointer } },
      {
        name: 'refresh',
        send: { form: { grant_type: 'refresh_token', refresh_token: '$refresh' } },
        capture: { token: '/access_token' },
      },
      {
        send: { method: 'GET', path: '/me', headers: { Authorization: 'Bearer $token' } },
        expect: [expected],
      },
    ],
  })
  const rule = 'contoso:checkout-scope'
  const run = async (testCase: object) => {
    const cwd = t.testdir({ mine: { 'a.json': JSON.stringify({ ...FILE, cases: [testCase] }) } })
    const flags = ['--user-name', 'alice', '--cases', 'mine', '--only', 'contoso:*', '--quiet']
    const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
    const { exitCode, stderr } = await callCommand(['run', refreshing.url, ...flags], { cwd, env })
    return { exitCode, stderr, result: exitCode === 2 ? undefined : readReport(cwd).results.at(-1) }
  }
  const right = await run(chain({ rule, status: 200 }))
  t.equal(right.exitCode, 0, right.stderr)
  const wrong = await run(chain({ rule, status: 401 }))
  t.equal(wrong.exitCode, 1, wrong.stderr)
  const [judgement] = wrong.result?.judgements ?? []
  t.match(
    judgement?.reproduce,
    /ASSAY_refresh=.*refresh_token="\$ASSAY_refresh".*ASSAY_token=.*'Authorization: Bearer '"\$ASSAY_token"/,
  )
  t.match(wrong.result?.exchanges[1]?.request.body, { text: /refresh_token=‹refresh›$/ })
  const absent = await run(chain({ rule, status: 200 }, '/no/such'))
  t.equal(absent.exitCode, 3)
  t.match(absent.result?.judgements, [
    { outcome: 'cantTell', reason: 'the step was not sent: the answer to login has no text at /no/such' },
  ])
  const { steps } = chain({ rule, status: 200 })
  for (const [changed, message] of [
    [{ steps: steps.slice(0, 1).concat(steps.slice(2)) }, /expected one of \$account.*found "\$token"/],
    [
      { steps: [{ ...steps[0], capture: { refresh: '/a', other: '/b' } }, ...steps.slice(1)] },
      /expected a use of \$other/,
    ],
    [{ steps: [{ ...steps[0], capture: { account: '/a' } }] }, /expected another name, found "account"/],
    [{ forall: { refresh: 'unsupported-grant-type' }, steps }, /expected another name, found "refresh"/],
    [
      { steps: [{ ...steps[0], capture: { refresh: 'a' } }] },
      /expected a JSON pointer such as \/refresh_token/,
    ],
  ] as const) {
    const { exitCode, stderr } = await run({ ...chain({ rule, status: 200 }), ...changed })
    t.equal(exitCode, 2)
    t.match(stderr, message)
  }
})
