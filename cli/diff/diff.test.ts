import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { ACCOUNTS } from '../../conformance/assess/differential/fixtures/pair.js'
import { replayOf } from '../../conformance/assess/differential/report/replay.js'
import { PLAIN, PLAIN_FORM, probeOf } from '../../conformance/drivers/pair/probe.js'
import type { Answer, Delivery } from '../../reference/http/answer.js'
import type { Finding } from '../../spec/generated/types/differential.js'
import { differential as isDifferential } from '../../spec/generated/validators/differential.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { startReference } from '../../tests/fixtures/reference.js'

/** One request instead of hundreds. All of them: `differential.long.test.ts`. */
const LOGIN = replayOf(probeOf('', [{ send: PLAIN }]))

t.test('diff: exit codes, formats, accepted differences, replay, misuse', async (t) => {
  const cwd = t.testdir({})
  const [ann] = ACCOUNTS
  const env = { TOKEN_ASSAY_PASSWORD: ann?.password }
  const [old, now] = [
    await startReference(t, { accounts: ACCOUNTS }),
    await startReference(t, { accounts: ACCOUNTS, behaviour: { tokenType: () => 'Bearer' } }),
  ]
  const call = (...args: string[]) => callCommand(['diff', ...args], { cwd, env })
  const diff = (newUrl: string, ...args: string[]) =>
    call('--old', old.url, '--new', newUrl, '--user-name', 'ann', '--replay', LOGIN, ...args)

  const same = await diff(old.url)
  t.match(same.stdout, /✓ No difference in 1 request\./)
  t.equal(same.exitCode, 0)

  const formats = ['html=d.html', 'markdown=d.md', 'json=d.json', 'junit=d.xml', 'github=d.txt']
  const different = await diff(now.url, ...formats.flatMap((format) => ['--reporter', format]))
  t.equal(different.exitCode, 1)
  t.match(different.stdout, /`\/token_type`: new "Bearer", old "bearer"/)
  t.match(different.stdout, /new breaks the contract: 2\.1-token_type/)
  t.match(different.stdout, /curl .*"\$TOKEN_ASSAY_PASSWORD"/)
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8')
  const report = JSON.parse(read('d.json'))
  t.ok(isDifferential(report), JSON.stringify(isDifferential.errors?.[0]))
  t.match(read('d.html'), /^<!doctype html>/)
  t.match(read('d.md'), /^# Old against new/)
  t.match(read('d.xml'), /<failure type="2\.1-token_type"/)
  t.match(read('d.txt'), /^::error title=breaks 2\.1-token_type::/)
  for (const file of ['d.html', 'd.md', 'd.json', 'd.xml', 'd.txt']) {
    t.match(read(file), /token_type/, file)
    t.notMatch(read(file), ann?.password ?? '', file)
  }

  const [{ id, replay }] = report.findings
  t.equal(replay, LOGIN, 'the smallest request')

  const entry = (difference: string, until: string) =>
    `accepted:\n  - { difference: ${difference}, reason: clients ignore it, owner: ann, until: ${until} }\n`
  const accept = async (text: string) => {
    t.testdir({ 'accepted.yaml': text })
    return diff(now.url, '--accepted', 'accepted.yaml')
  }
  const accepted = await accept(entry(id, '2099-01-31'))
  t.match(accepted.stdout, /No other difference in 1 request\. 1 difference is accepted\./)
  t.equal(accepted.exitCode, 0)
  const expired = await accept(entry(id, '2020-01-31'))
  t.match(expired.stdout, /the entry ended on 2020-01-31/)
  t.equal(expired.exitCode, 1)
  const stale = await accept(entry(id, '2099-01-31') + entry('0123456789abcdef', '2099-01-31').split('\n')[1])
  t.match(stale.stdout, /accepted\.yaml:3:5: 0123456789abcdef: this no longer occurs: remove the entry/)
  t.equal(stale.exitCode, 1)

  const down = await diff('http://127.0.0.1:1')
  t.equal(down.exitCode, 3)
  t.match(down.stdout, /the new service: cannot reach/)

  const misuses: readonly (readonly [readonly string[], RegExp])[] = [
    [['--old', old.url, '--user-name', 'ann'], /diff needs both services: --old URL --new URL/],
    [['--old', old.url, '--new', old.url], /diff needs an account that exists on both services/],
    [['--old', 'a', '--new', 'b', '--user-name', 'ann'], /--old takes a base URL or, with --target FILE/],
    [
      ['--old', old.url, '--new', old.url, '--user-name', 'ann', '--replay', 'x'],
      /--replay takes what a finding shows/,
    ],
    [['--reporter', 'tap'], /unknown reporter `tap` for a differential/],
    [['--accepted', 'none.yaml'], /none\.yaml: expected a list of accepted differences/],
    [['x'], /diff takes flags only/],
  ]
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await call(...args)
    t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' }, says.source)
    t.match(stderr, says)
  }
})

/** The words of the command after `again`, as a shell reads them. */
function againWords(stdout: string): readonly string[] {
  const [, words = ''] = /^ +again +token-assay (.*)$/m.exec(stdout) ?? []
  return execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

t.test('diff: the command that compares one request again can be pasted', async (t) => {
  const [ann] = ACCOUNTS
  const [old, now] = [
    await startReference(t, { accounts: ACCOUNTS }),
    await startReference(t, { accounts: ACCOUNTS, behaviour: { tokenType: () => 'Bearer' } }),
  ]
  const cwd = t.testdir({
    "ann's target.yaml": TARGET(old.url, now.url),
    'one.yaml': TARGET(old.url, now.url).replace(/deployments:.*/s, `baseUrl: ${old.url}\n`),
  })
  const env = { TOKEN_ASSAY_PASSWORD: ann?.password, ANN_PASSWORD: ann?.password, API_KEY: 'a key' }
  const urls = ['--old', old.url, '--new', now.url]
  const given = [
    [...urls, '--user-name', 'ann', '--token-lifetime', '1209600'],
    [...urls, '--target', 'one.yaml'],
    ['--old', 'production', '--new', 'canary', '--target', "ann's target.yaml"],
  ]
  for (const flags of given) {
    const whole = await callCommand(['diff', ...flags, '--replay', LOGIN], { cwd, env })
    const again = againWords(whole.stdout)
    t.strictSame(again, ['diff', ...flags, '--replay', LOGIN])
    const { exitCode, stdout } = await callCommand(again, { cwd, env })
    t.equal(exitCode, 1)
    t.match(stdout, /`\/token_type`: new "Bearer"/)
  }
})

const LEFT = 'token-assay-report/accounts-left.json'

/** Each difference would be noise. */
const SAME_AS_NEW = /--old-again names the new service/

const TARGET = (old: string, now: string): string => `
accounts:
  - { userName: ann, password: "\${ANN_PASSWORD}" }
maxFailedLogins: 6
headers: { X-Api-Key: "\${API_KEY}" }
deployments:
  production: { baseUrl: "${old}" }
  canary: { baseUrl: "${now}" }
`

t.test('diff: deployments of a target file, and no secret in any output', async (t) => {
  const [ann] = ACCOUNTS
  const env = { ANN_PASSWORD: ann?.password, API_KEY: 'key-from-the-environment' }
  const [old, now] = [
    await startReference(t, { accounts: ACCOUNTS }),
    // It answers with what it was sent, and with what a page or a terminal may take for its own.
    await startReference(t, {
      accounts: ACCOUNTS,
      behaviour: {
        tokenType: () =>
          `\u001b[2J<script>alert(1)</script>\n::error::${ann?.password} key-from-the-environment`,
      },
    }),
  ]
  const cwd = t.testdir({ 'token-assay.yaml': TARGET(old.url, now.url) })
  const diff = (...args: string[]) =>
    callCommand(['diff', '--target', 'token-assay.yaml', '--replay', LOGIN, ...args], { cwd, env })
  const formats = ['html=d.html', 'markdown=d.md', 'json=d.json', 'junit=d.xml', 'github=d.txt']
  const named = ['--old', 'production', '--new', 'canary']
  const { exitCode, stdout } = await diff(...named, ...formats.flatMap((format) => ['--reporter', format]))
  t.equal(exitCode, 1)
  t.match(stdout, /`\/token_type`: new /)
  const outputs = [
    stdout,
    ...formats.map((format) => readFileSync(join(cwd, format.split('=')[1] ?? ''), 'utf8')),
  ]
  for (const [index, text] of outputs.entries()) {
    const where = ['console', ...formats][index] ?? ''
    t.notMatch(text, ann?.password ?? '', where)
    t.notMatch(text, 'key-from-the-environment', where)
    t.notMatch(text, '\u001b', where)
    t.notMatch(text, /^::error::/m, where)
    if (where === 'html=d.html') t.notMatch(text, '<script>alert')
  }
  const unknown = await diff('--old', 'production', '--new', 'cannary')
  t.equal(unknown.exitCode, 2)
  t.match(unknown.stderr, /--new: no deployment is named `cannary`; there are production, canary/)
  for (const other of ['canary', now.url]) {
    const same = await diff(...named, '--old-again', other)
    t.equal(same.exitCode, 2)
    t.match(same.stderr, SAME_AS_NEW)
  }
  const { url } = await startReference(t, { accounts: ACCOUNTS })
  const again = await diff(...named, '--old-again', url)
  t.equal(again.exitCode, 1, again.stderr)
  t.match(again.stdout, /`\/token_type`: new /)
})

t.test('diff: where two instances of the old service differ, there is noise', async (t) => {
  const [ann] = ACCOUNTS
  const capital = { tokenType: () => 'Bearer' }
  const [old, again, now] = [
    await startReference(t, { accounts: ACCOUNTS }),
    await startReference(t, { accounts: ACCOUNTS, behaviour: capital }),
    await startReference(t, { accounts: ACCOUNTS, behaviour: capital }),
  ]
  const cwd = t.testdir({})
  const sides = ['--old', old.url, '--new', now.url, '--user-name', 'ann', '--replay', LOGIN]
  const diff = (...args: string[]) =>
    callCommand(['diff', ...sides, ...args], { cwd, env: { TOKEN_ASSAY_PASSWORD: ann?.password } })
  t.equal((await diff()).exitCode, 1, 'one instance says that they differ')
  const { exitCode, stdout } = await diff('--old-again', again.url)
  t.equal(exitCode, 0)
  t.match(
    stdout,
    /Not compared: varies between two answers of the old service \(1\)\n {2}`\/token_type` 1×: "bearer" or "Bearer"/,
  )
  const same = await diff('--old-again', `${now.url}/`)
  t.equal(same.exitCode, 2)
  t.match(same.stderr, SAME_AS_NEW)
})

t.test('diff: a new service that alternates between two answers is inconclusive', async (t) => {
  const [ann] = ACCOUNTS
  let count = 0
  const [old, now] = [
    await startReference(t, { accounts: ACCOUNTS }),
    await startReference(t, {
      accounts: ACCOUNTS,
      behaviour: { tokenType: () => (++count % 2 === 0 ? 'Bearer' : 'bearer') },
    }),
  ]
  const diff = () =>
    callCommand(['diff', '--old', old.url, '--new', now.url, '--user-name', 'ann', '--replay', LOGIN], {
      cwd: t.testdirName,
      env: { TOKEN_ASSAY_PASSWORD: ann?.password },
    })
  t.testdir({})
  const { exitCode, stdout } = await diff()
  t.equal(exitCode, 3)
  t.match(stdout, /Flaky: the new service alternates between two answers \(1\)/)
  t.match(stdout, /\? Inconclusive, for 1 reason\./)
})

t.test(
  'diff: says at the start what it sends and what is missing, and names the accounts that stay',
  async (t) => {
    const [ann] = ACCOUNTS
    const [old, now] = [
      await startReference(t, { accounts: ACCOUNTS }),
      await startReference(t, { accounts: ACCOUNTS }),
    ]
    const registration = `registration:
  request: { path: /accounts, json: { userName: $userName, email: $email, password: $password } }
`
    const cwd = t.testdir({
      'token-assay.yaml': TARGET(old.url, now.url).replace('maxFailedLogins: 6', 'maxFailedLogins: 1'),
      'registers.yaml': TARGET(old.url, now.url).replace('deployments:', `${registration}deployments:`),
    })
    const env = { ANN_PASSWORD: ann?.password, API_KEY: 'key-from-the-environment' }
    const diff = (...args: string[]) =>
      callCommand(['diff', '--old', 'production', '--new', 'canary', ...args], { cwd, env })
    const wrong = replayOf(probeOf('', [{ send: { form: [...PLAIN_FORM.slice(0, 2), ['password', 'x']] } }]))
    const few = await diff('--target', 'token-assay.yaml', '--replay', wrong)
    t.match(
      few.stderr,
      `compares 1 request: each goes twice to ${old.url} and once to ${now.url}, more often where they differ\n`,
    )
    t.match(
      few.stderr,
      'only 1 login may fail, and 1 request may be failed logins: to compare them all, declare `registration` in a target file',
    )
    t.notOk(existsSync(join(cwd, 'token-assay-report')))

    const plain = replayOf(probeOf('', [{ register: {} }]))
    const made = await diff(
      '--target',
      'registers.yaml',
      '--replay',
      plain,
      '--reporter',
      'console',
      '--reporter',
      'json=d.json',
    )
    t.match(made.stderr, '; registers accounts at both: no `cleanUp` is declared, so they stay\n')
    t.notMatch(made.stderr, 'may fail')
    t.match(
      made.stdout,
      /Accounts left \(2 services\)\n {2}Accounts at http:\S+: 2 made, 0 removed: no `cleanUp`/,
    )
    const report = JSON.parse(readFileSync(join(cwd, 'd.json'), 'utf8'))
    t.ok(isDifferential(report), JSON.stringify(isDifferential.errors?.[0]))
    t.match(
      made.stderr,
      /accounts left at the service: declare `cleanUp`, then token-assay clean-up token-assay-report\/accounts-left\.json --target registers\.yaml\n/,
    )
    const left = JSON.parse(readFileSync(join(cwd, LEFT), 'utf8'))
    t.match(left, [
      { deployment: 'production', baseUrl: old.url },
      { deployment: 'canary', baseUrl: now.url },
    ])
    const names = left.flatMap(({ accounts }: { accounts: { userName: string }[] }) =>
      accounts.map(({ userName }) => userName),
    )
    t.equal(new Set(names).size, names.length)
    const byUrl = ['--old', old.url, '--new', now.url, '--target', 'one.yaml', '--replay', plain]
    writeFileSync(
      join(cwd, 'one.yaml'),
      readFileSync(join(cwd, 'registers.yaml'), 'utf8').replace(/deployments:.*/s, `baseUrl: ${old.url}\n`),
    )
    const { stderr } = await callCommand(['diff', ...byUrl], { cwd, env })
    for (const { url } of [old, now])
      t.match(
        stderr,
        `left at ${url}: declare \`cleanUp\`, then token-assay clean-up ${LEFT} ${url} --target one.yaml\n`,
      )
    t.equal(
      (await diff('--replay', LOGIN)).exitCode,
      0,
      '`token-assay.yaml` is read where nothing else is given',
    )
    t.equal(
      (await diff('--target', 'registers.yaml', '--replay', plain, '--quiet')).stderr.match(/compares/),
      null,
    )
  },
)

t.test(
  'diff: tells which clients a difference breaks, and fails for these alone where asked to',
  async (t) => {
    const [ann] = ACCOUNTS
    const [old, now] = [
      await startReference(t, { accounts: ACCOUNTS }),
      await startReference(t, {
        accounts: ACCOUNTS,
        behaviour: { tokenType: () => 'Bearer', successMediaType: () => 'application/json' },
      }),
    ]
    const particular = fileURLToPath(new URL('../../tests/fixtures/clients/particular.mjs', import.meta.url))
    const client = (about: string) => ['--client', '--', process.execPath, particular, about]
    const spying = 'printenv > seen; exec "$@"'
    const entry = (name: string, about: string) => ({
      name,
      version: '2.1',
      command: [process.execPath, particular, about],
    })
    const declared = [{ command: ['sh', '-c', spying, 'sh', process.execPath, particular, 'nothing'] }]
    const cwd = t.testdir({
      'clients.json': JSON.stringify({ clients: [entry('web', 'type'), entry('app', 'nothing')] }),
      'lenient.json': JSON.stringify({ clients: [entry('app', 'nothing')] }),
      'wrong.json': JSON.stringify({ clients: [{ name: 'web', command: [] }] }),
      'target.json': JSON.stringify({
        clients: declared,
        accounts: [{ userName: 'ann', password: '${ANN_PASSWORD}' }],
        deployments: { production: { baseUrl: old.url }, canary: { baseUrl: now.url } },
      }),
    })
    const env = { TOKEN_ASSAY_PASSWORD: ann?.password, ANN_PASSWORD: ann?.password }
    const call = (...args: string[]) => callCommand(['diff', '--replay', LOGIN, ...args], { cwd, env })
    const diff = (...args: string[]) =>
      call('--old', old.url, '--new', now.url, '--user-name', 'ann', ...args)
    const formats = ['html=d.html', 'markdown=d.md', 'json=d.json', 'junit=d.xml', 'github=d.txt']
    const broken = await diff(
      ...['--clients', 'clients.json', '--fail-on', 'broken-client'],
      ...formats.flatMap((format) => ['--reporter', format]),
      ...client('media type'),
      ...client('status'),
    )
    t.equal(broken.exitCode, 1)
    const lines = broken.stdout.split('\n').filter((line) => /^ {2}breaks /.test(line))
    t.equal(lines.length, 2, lines.join())
    t.match(broken.stdout, /2 changes break 2 of 4 clients\./)
    const report = JSON.parse(readFileSync(join(cwd, 'd.json'), 'utf8'))
    t.ok(isDifferential(report), JSON.stringify(isDifferential.errors?.[0]))
    t.match(report.clients, [{ name: 'web', version: '2.1' }, { name: 'app' }, {}, {}])
    const breaking = (at: string) =>
      report.findings.find(({ differences }: Finding) => differences.some((one) => one.at === at)).clients
        .breaks
    t.match(breaking('/token_type'), [{ client: 'web', how: 'does not sign in', ended: /^exit code 1/ }])
    t.match(breaking('media type'), [{ how: 'does not sign in' }])
    for (const file of ['d.html', 'd.md', 'd.xml', 'd.txt'])
      t.match(readFileSync(join(cwd, file), 'utf8'), /breaks 1 of 4: .*web.* 2\.1 does not sign in/, file)

    const lenient = await diff(
      '--clients',
      'lenient.json',
      '--fail-on',
      'broken-client',
      '--reporter',
      'junit=d.xml',
    )
    t.equal(lenient.exitCode, 0)
    t.match(lenient.stdout, /breaks no client; not noticed by 1/)
    t.match(lenient.stdout, /None breaks one of 1 client\./)
    t.match(readFileSync(join(cwd, 'd.xml'), 'utf8'), /failures="0"/)
    t.equal((await diff('--clients', 'lenient.json')).exitCode, 1, 'a difference')

    const unable = await diff('--fail-on', 'broken-client', '--client', '--', 'true')
    t.equal(unable.exitCode, 3)
    t.match(unable.stdout, /`true`: the client sent no request \(exit code 0\)/)
    t.match(unable.stdout, /clients not tried: no client could be tried/)
    t.notMatch(unable.stdout, /breaks no client/)

    await call('--target', 'target.json', '--old', 'production', '--new', 'canary')
    const seen = readFileSync(join(cwd, 'seen'), 'utf8')
    t.match(seen, /^TOKEN_ASSAY_USER_NAME=ann$/m)
    t.match(seen, /^TOKEN_ASSAY_PASSWORD=[A-Z][a-z]{5}-[1-9]-[A-Z][a-z]{5}$/m)
    t.notMatch(seen.replace(/^ANN_PASSWORD=.*$/m, ''), ann?.password ?? '', 'only a stand-in of it')

    for (const [args, says] of [
      [['--client', 'node x.js'], /--client takes a command, at the end: --client -- node sign-in\.js/],
      [['--client', '--'], /--client takes a command: /],
      [['--fail-on', 'broken-client'], /--fail-on broken-client needs clients/],
      [['--fail-on', 'x', ...client('nothing')], /--fail-on takes difference or broken-client, not `x`/],
      [['--clients', 'wrong.json'], /wrong\.json:1:\d+: /],
    ] as const) {
      const { exitCode, stderr } = await diff(...args)
      t.equal(exitCode, 2, says.source)
      t.match(stderr, says)
    }
  },
)

/** Each ends every sign-in, and none can be given to a client as it came. */
const UNSERVED: Readonly<Record<string, (answer: Answer, password: string) => Delivery>> = {
  'a secret in another spelling': (answer, password) => ({
    kind: 'answer',
    answer: { ...answer, status: 500, body: Buffer.from(password).toString('base64') },
  }),
  'not HTTP': () => ({ kind: 'raw', bytes: Buffer.from('no status line\r\n\r\n') }),
  'cut off': (answer) => ({ kind: 'answer', answer, cutAfterBytes: 20 }),
  undecodable: (answer) => ({
    kind: 'answer',
    answer: { ...answer, headers: [...answer.headers, ['Content-Encoding', 'gzip']] },
  }),
}

t.test('diff: an answer that no client could be given is not green', async (t) => {
  const [ann] = ACCOUNTS
  const password = ann?.password ?? ''
  const cwd = t.testdir({})
  const old = await startReference(t, { accounts: ACCOUNTS })
  const particular = fileURLToPath(new URL('../../tests/fixtures/clients/particular.mjs', import.meta.url))
  for (const [name, wrong] of Object.entries(UNSERVED)) {
    const now = await startReference(t, {
      accounts: ACCOUNTS,
      behaviour: {
        deliver: (answer) => (answer.status === 200 ? wrong(answer, password) : { kind: 'answer', answer }),
      },
    })
    const { exitCode, stdout } = await callCommand(
      [
        ...['diff', '--old', old.url, '--new', now.url, '--user-name', 'ann', '--replay', LOGIN],
        ...['--fail-on', 'broken-client', '--reporter', 'console', '--reporter', 'junit=d.xml'],
        ...['--client', '--', process.execPath, particular, 'nothing'],
      ],
      { cwd, env: { TOKEN_ASSAY_PASSWORD: password } },
    )
    t.equal(exitCode, 3, name)
    t.match(stdout, /breaks no client; inconclusive for 1: /, name)
    t.match(stdout, /None is known to break one of 1 client\./, name)
    t.match(readFileSync(join(cwd, 'd.xml'), 'utf8'), /errors="1"/, name)
  }
})

const CLAIMS = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"ann@example.com"}').toString('base64url')}`

t.test('diff: no part of a token that a client prints is in an output', async (t) => {
  const [ann] = ACCOUNTS
  const signed = { newAccessToken: () => `${CLAIMS}.${randomBytes(32).toString('base64url')}` }
  const old = await startReference(t, { accounts: ACCOUNTS, behaviour: signed })
  const now = await startReference(t, {
    accounts: ACCOUNTS,
    behaviour: { ...signed, tokenType: () => 'Bearer' },
  })
  const cwd = t.testdir({
    'prints.mjs': `
const { TOKEN_ASSAY_URL: url, TOKEN_ASSAY_USER_NAME: username, TOKEN_ASSAY_PASSWORD: password } = process.env
const body = new URLSearchParams({ grant_type: 'password', username, password })
const answer = await fetch(url + '/Token', { method: 'POST', body })
if (!answer.ok) process.exit(1)
const { token_type, access_token } = await answer.json()
if (token_type !== 'bearer') {
  console.error('unknown type of ' + access_token)
  process.exit(1)
}
console.log(JSON.stringify({ userName: username }))
`,
  })
  const formats = ['console', 'html=d.html', 'json=d.json']
  const { exitCode, stdout } = await callCommand(
    [
      ...['diff', '--old', old.url, '--new', now.url, '--user-name', 'ann', '--replay', LOGIN],
      ...formats.flatMap((format) => ['--reporter', format]),
      ...['--client', '--', process.execPath, 'prints.mjs'],
    ],
    { cwd, env: { TOKEN_ASSAY_PASSWORD: ann?.password } },
  )
  t.equal(exitCode, 1)
  t.match(stdout, /unknown type of ‹access token›/)
  for (const text of [
    stdout,
    readFileSync(join(cwd, 'd.html'), 'utf8'),
    readFileSync(join(cwd, 'd.json'), 'utf8'),
  ])
    t.notOk(text.includes(CLAIMS.split('.')[1] ?? ''))
})
