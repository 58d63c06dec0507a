import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ACCOUNTS } from '../../conformance/assess/differential/fixtures/pair.js'
import { replayOf } from '../../conformance/assess/differential/report/replay.js'
import { PLAIN, PLAIN_FORM, probeOf } from '../../conformance/drivers/pair/probe.js'
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

  await now.close()
  const down = await diff(now.url)
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
    [['x'], /diff takes only flags/],
  ]
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await call(...args)
    t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' }, says.source)
    t.match(stderr, says)
  }
})

const LEFT = 'token-assay-report/accounts-left.json'

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
    /Noise: the old service differs from itself \(1\)\n {2}`\/token_type` 1×: "bearer" \| "Bearer"/,
  )
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
      /Accounts for the comparison \(2\)\n {2}Accounts at http:\S+: 2 made, 0 removed: no `cleanUp`/,
    )
    const report = JSON.parse(readFileSync(join(cwd, 'd.json'), 'utf8'))
    t.ok(isDifferential(report), JSON.stringify(isDifferential.errors?.[0]))
    t.match(
      made.stderr,
      /accounts left at the service: token-assay clean-up token-assay-report\/accounts-left\.json --target registers\.yaml\n/,
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
      t.match(stderr, `left at ${url}: token-assay clean-up ${LEFT} ${url} --target one.yaml\n`)
    t.equal(
      (await diff('--target', 'registers.yaml', '--replay', plain, '--quiet')).stderr.match(/compares/),
      null,
    )
  },
)
