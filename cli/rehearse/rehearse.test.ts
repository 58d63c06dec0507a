import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rehearsal as isRehearsal } from '../../spec/generated/validators/rehearsal.js'
import type { Json } from '../../spec/model/json.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { startReference } from '../../tests/fixtures/reference.js'

const PASSWORD = 'Secret-1'

t.test('rehearse: exit codes, formats, misuse', async (t) => {
  const cwd = t.testdir({})
  const me = { protectedResource: true }
  const [old, now, second] = [
    await startReference(t, me),
    await startReference(t, me),
    await startReference(t, me),
  ]
  const target = (deployments: Json, more: Readonly<Record<string, Json>> = {}) => ({
    accounts: [{ userName: 'ann', password: '$' + '{PASSWORD}' }],
    resource: { path: '/me' },
    deployments,
    ...more,
  })
  const rehearse = (file: Json, ...args: string[]) => {
    t.testdir({ 't.json': JSON.stringify(file) })
    return callCommand(['rehearse', '--target', 't.json', ...args], { cwd, env: { PASSWORD } })
  }
  const sides = { old: { baseUrl: old.url }, new: { baseUrl: now.url } }

  const same = await rehearse(target(sides))
  t.equal(same.exitCode, 0, same.stderr)
  t.match(same.stdout, /new → new +✓ accepted/)
  t.match(same.stdout, /nothing is expected of old→new: none is accepted/)
  t.match(same.stdout, /✓ As expected: 4 cells tried, 1 of them judged; of the others, 2 refused the token\./)

  const instances = { ...sides, new: { baseUrl: now.url, instances: [second.url] } }
  const formats = ['html=r.html', 'markdown=r.md', 'json=r.json', 'junit=r.xml']
  const different = await rehearse(target(instances), ...formats.flatMap((format) => ['--reporter', format]))
  t.equal(different.exitCode, 1, different.stderr)
  t.match(different.stdout, /new#1 → new#2 +▶✗ refused/)
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8')
  t.match(read('r.html'), /<td><a class="cell failed" href="#difference-1">.*refused/)
  t.match(read('r.md'), /\| new\\#1 → new\\#2 \| \*\*✗ refused\*\*, not as expected \|/)
  t.match(read('r.xml'), /<testsuite .* failures="2" errors="0" .*<testcase classname="rehearse\.cell"/s)
  t.equal(read('token-assay-report/rehearsal.html'), read('r.html'))
  for (const file of ['r.html', 'r.md', 'r.json', 'r.xml']) t.notMatch(read(file), PASSWORD, file)
  const report = JSON.parse(read('r.json'))
  t.ok(isRehearsal(report), JSON.stringify(isRehearsal.errors?.[0]))
  t.strictSame(JSON.parse(readFileSync(join(cwd, 'token-assay-report/rehearsal.json'), 'utf8')), report)
  t.strictSame(
    report.cells.filter(({ differs }: { differs: boolean }) => differs).map(({ id }: { id: string }) => id),
    ['new#1→new#2, at-once, password', 'new#2→new#1, at-once, password'],
  )
  const crossed = report.cells.find(({ differs }: { differs: boolean }) => differs)
  t.match(crossed.evidence, {
    sentence:
      /^new#2 refuses \(401\) a token that new#1 issued .* expected: accepted, as the old service does/,
    exchanges: [{ label: 'sign-in' }, { label: 'resource', response: { status: 401 } }],
    reproduce: /"\$PASSWORD".*"\$ASSAY_token"/,
  })
  t.notMatch(JSON.stringify(report), PASSWORD)

  const survive = await rehearse(target(sides, { expect: { 'old->new': 'accepted' } }))
  t.equal(survive.exitCode, 1)
  t.match(
    survive.stdout,
    /new refuses \(401\) a token that old issued .* as\s+`expect`\s+says\s+\(old->new\)/s,
  )

  const misuses: readonly (readonly [Json, RegExp])[] = [
    [target({ old: sides.old }), /declare a deployment named `new`, or one with `role: new`/],
    [{ ...target(sides), resource: {} }, /expected at least one entry, found an empty map/],
    [target(sides, { expect: { 'old→nwe': 'accepted' } }), /`old→nwe`: .*found `nwe`; did you mean `new`\?/],
    [target(sides, { expect: { 'old→new, later': 'refused' } }), /expected one of at-once, .*found `later`/],
    [target(sides, { resource: { path: 'me' } }), /expected a path that begins with \//],
    [
      target(sides, { cohort: { file: 'nowhere.csv', password: 'Secret-1' } }),
      /nowhere\.csv: expected a cohort, found no file that can be read/,
    ],
  ]
  for (const [file, message] of misuses) {
    const { exitCode, stderr } = await rehearse(file)
    t.equal(exitCode, 2, stderr)
    t.match(stderr, message)
  }

  const down = await rehearse(target({ ...sides, new: { baseUrl: 'http://127.0.0.1:1' } }))
  t.equal(down.exitCode, 3, 'a service that cannot be reached')
  t.match(down.stdout, /new→new, at-once, password: no token was issued: .*\? Inconclusive/s)
})

t.test('rehearse: a cohort that is stopped goes on, and names only those that are asked for', async (t) => {
  const accounts = Array.from({ length: 20 }, (_, index) => ({
    userName: `user-${index}`,
    password: PASSWORD,
  }))
  const [old, now] = [
    await startReference(t, { accounts, protectedResource: true }),
    await startReference(t, { accounts: accounts.slice(0, 12), protectedResource: true }),
  ]
  const cohort = {
    accounts: [{ userName: 'user-0', password: '$' + '{PASSWORD}' }],
    resource: { path: '/me' },
    cohort: { file: 'accounts.json', password: '$' + '{PASSWORD}', perSecond: 1000, maxFailedLogins: 4 },
  }
  const cwd = t.testdir({
    'accounts.json': JSON.stringify(accounts.map(({ userName }) => ({ userName, hash: '$2b$10$x' }))),
    't.json': JSON.stringify({
      ...cohort,
      deployments: { old: { baseUrl: old.url }, new: { baseUrl: now.url } },
    }),
    'other.json': JSON.stringify({
      ...cohort,
      deployments: { old: { baseUrl: old.url }, new: { baseUrl: old.url } },
    }),
    'none.json': '[]',
    'empty.json': JSON.stringify({
      ...cohort,
      cohort: { ...cohort.cohort, file: 'none.json' },
      deployments: { old: { baseUrl: old.url }, new: { baseUrl: now.url } },
    }),
  })
  const rehearseBy = (file: string, ...args: string[]) =>
    callCommand(['rehearse', '--target', file, ...args], { cwd, env: { PASSWORD } })
  const rehearse = (...args: string[]) => rehearseBy('t.json', ...args)

  const none = await rehearse('--resume')
  t.equal(none.exitCode, 2)
  t.match(none.stderr, /cohort\.json: expected what `rehearse` keeps of a cohort that was stopped/)
  const stopped = await rehearse()
  t.equal(stopped.exitCode, 1)
  t.match(stopped.stdout, /16 accounts: 12 log in at both, 4 at old only/)
  t.match(stopped.stdout, /4 logins failed at new: declare a larger/)
  t.notMatch(stopped.stdout + readFileSync(join(cwd, 'token-assay-report/cohort.json'), 'utf8'), /user-1\d/)
  const elsewhere = await rehearseBy('other.json', '--resume')
  t.match(elsewhere, { exitCode: 2, stderr: /the roles `old` and `new` name has changed since/ })
  const resumed = await rehearse('--resume', '--show-names')
  t.equal(resumed.exitCode, 1)
  t.match(resumed.stdout, /20 accounts: 12 log in at both, 8 at old only/)
  t.match(resumed.stdout, /user-16, user-17/)

  const state = join(cwd, 'token-assay-report/cohort.json')
  t.ok(existsSync(state), 'more logins failed than are allowed')
  t.equal((await rehearseBy('empty.json')).exitCode, 3)
  t.notOk(existsSync(state), 'what another rehearsal has left is gone')
})
