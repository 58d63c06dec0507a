import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ACCOUNTS } from '../../differential/fixtures/pair.js'
import { replayOf } from '../../differential/groups.js'
import { PLAIN, probeOf } from '../../differential/probe.js'
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
  t.match(same.stdout, /✓ No difference on 1 request\./)
  t.equal(same.exitCode, 0)

  const formats = ['html=d.html', 'markdown=d.md', 'json=d.json', 'junit=d.xml', 'github=d.txt']
  const different = await diff(now.url, ...formats.flatMap((format) => ['--reporter', format]))
  t.equal(different.exitCode, 1)
  t.match(different.stdout, /`\/token_type` of new is "Bearer", of old "bearer"/)
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
  t.match(accepted.stdout, /No other difference on 1 request\. 1 difference is accepted\./)
  t.equal(accepted.exitCode, 0)
  const expired = await accept(entry(id, '2020-01-31'))
  t.match(expired.stdout, /accepted until 2020-01-31/)
  t.equal(expired.exitCode, 1)
  const stale = await accept(entry(id, '2099-01-31') + entry('0123456789abcdef', '2099-01-31').split('\n')[1])
  t.match(stale.stdout, /accepted\.yaml:3:5: 0123456789abcdef does not differ any more: remove the entry/)
  t.equal(stale.exitCode, 1)

  await now.close()
  const down = await diff(now.url)
  t.equal(down.exitCode, 3)
  t.match(down.stdout, /the new service: cannot reach/)

  const misuses: readonly (readonly [readonly string[], RegExp])[] = [
    [['--old', old.url, '--user-name', 'ann'], /diff needs both services: --old URL --new URL/],
    [['--old', old.url, '--new', old.url], /an account is needed that both services have/],
    [['--old', 'a', '--new', 'b', '--user-name', 'ann'], /--old takes a base URL, or, with --target FILE/],
    [
      ['--old', old.url, '--new', old.url, '--user-name', 'ann', '--replay', 'x'],
      /--replay takes what a finding shows/,
    ],
    [['--reporter', 'tap'], /unknown reporter `tap` for a differential/],
    [['--accepted', 'none.yaml'], /none\.yaml: expected a list of accepted differences/],
    [['x'], /diff takes no arguments but flags/],
  ]
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await call(...args)
    t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' }, says.source)
    t.match(stderr, says)
  }
})
