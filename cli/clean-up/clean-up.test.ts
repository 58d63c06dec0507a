import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { selfSigned } from '../../reference/tls/self-signed.js'
import { startAccountService } from '../../tests/fixtures/account-service.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { readReport } from '../../tests/fixtures/command.js'

const LEFT = 'token-assay-report/accounts-left.json'

/** A run of one case, at a service that answers the removal of an account as given. */
async function runOnce(t: Test, removalStatus: (before: number) => number, emailDomain = '') {
  const service = await startAccountService(t, { removalStatus })
  const { registration } = service.target
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const target = {
    ...service.target,
    registration: { ...registration, cleanUp, ...(emailDomain && { emailDomain }) },
  }
  const cwd = t.testdir({ 'token-assay.json': JSON.stringify(target) })
  const env = { DOMAIN: 'accounts.example.org' }
  const call = (...args: string[]) => callCommand(args, { cwd, env })
  const ran = await call('run', '--only', '8/email-at-once', '--seed', '1', '--no-color')
  return { service, cwd, call, ran, target }
}

t.test('what fails at first is tried again after a pause', async (t) => {
  const { cwd, ran, service } = await runOnce(t, (before) => (before < 5 ? 500 : 204))
  const made = new Set(service.removed).size
  t.ok(made > 5)
  t.equal(service.removed.length, made + 5)
  const [accounts] = readReport(cwd, 'token-assay-report/report.partial.json').accounts
  t.strictSame(accounts, { deployment: 'default', made, removed: made, cleanUpFailed: 0 })
  t.notOk(existsSync(join(cwd, LEFT)))
  t.notMatch(ran.stderr, 'left at the service')
})

t.test('names that stay are in the report and in a file that clean-up works off', async (t) => {
  let status = 403
  const { cwd, call, ran, service } = await runOnce(t, () => status, '${DOMAIN}')
  const names = [...new Set(service.removed)].toSorted()
  t.match(ran.stderr, `${names.length} accounts left at the service: token-assay clean-up ${LEFT}\n`)
  t.match(ran.stdout.replaceAll(/\s+/g, ' '), /`cleanUp` failed for \d+ accounts .*: \w+, \w+/)
  const [row] = JSON.parse(readFileSync(join(cwd, LEFT), 'utf8'))
  t.strictSame(row.accounts.map(({ userName }: { userName: string }) => userName).toSorted(), names)
  t.notMatch(readFileSync(join(cwd, LEFT), 'utf8'), 'accounts.example.org', 'what the environment holds')
  service.removed.length = 0

  // For all of them, as where the path is wrong.
  status = 404
  const refused = await call('clean-up', LEFT)
  t.equal(refused.exitCode, 1, refused.stderr)
  t.match(refused.stdout, /: 0 accounts removed; \d+ accounts left \(first DELETE .*: answered 404\)\n/)
  status = 204
  const done = await call('clean-up', LEFT)
  t.strictSame([done.exitCode, done.stderr], [0, ''])
  t.match(done.stdout, `: ${names.length} accounts removed\n`)
  t.strictSame([...new Set(service.removed)].toSorted(), names)
  t.notOk(existsSync(join(cwd, LEFT)))
})

t.test('what the run trusted is trusted by the command that it prints', async (t) => {
  const tls = await selfSigned('127.0.0.1')
  let status = 403
  const { target } = await startAccountService(t, { tls, removalStatus: () => status })
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const registration = { ...target.registration, cleanUp }
  const cwd = t.testdir({ 't.json': JSON.stringify({ ...target, registration }), 'the ca.pem': tls.cert })
  for (const trust of [['--ca', 'the ca.pem'], ['--insecure']]) {
    status = 403
    const run = ['run', '--target', 't.json', ...trust, '--only', '8/email-at-once', '--seed', '1']
    const { stderr } = await callCommand(run, { cwd })
    t.match(
      stderr,
      `: token-assay clean-up ${LEFT} --target t.json ${trust.join(' ').replace('the ca.pem', "'the ca.pem'")}\n`,
    )
    status = 204
    const done = await callCommand(['clean-up', LEFT, '--target', 't.json', ...trust], { cwd })
    t.match(done, { exitCode: 0, stdout: /: \d+ accounts removed\n$/ })
    t.equal(done.stderr.includes('certificates are not checked'), trust.includes('--insecure'))
  }
  const both = ['clean-up', LEFT, '--insecure', '--ca', 'the ca.pem', '--target', 't.json']
  writeFileSync(join(cwd, LEFT), '[]')
  t.match(await callCommand(both, { cwd }), { exitCode: 2, stderr: /give only one of them/ })
})

t.test('without `cleanUp` the names are kept, run after run, until the target file says how', async (t) => {
  const { cwd, call, target } = await runOnce(t, () => 204)
  const { cleanUp: _, ...registration } = target.registration
  const file = join(cwd, 'token-assay.json')
  writeFileSync(file, JSON.stringify({ ...target, registration }))
  for (const seed of ['1', '2']) await call('run', '--only', '8/email-at-once', '--seed', seed)
  t.equal(JSON.parse(readFileSync(join(cwd, LEFT), 'utf8')).length, 2)
  t.match(await call('clean-up', LEFT), { exitCode: 2, stderr: /declares no `registration.cleanUp`/ })
  writeFileSync(file, JSON.stringify(target))
  t.match(await call('clean-up', LEFT, 'http://127.0.0.1:1'), {
    exitCode: 2,
    stderr: /accounts of "default" at "http\S+" not removed, .*: the target file has no such service: give /,
  })
  // As after a comparison of two base URLs: one after the other.
  const rows = JSON.parse(readFileSync(join(cwd, LEFT), 'utf8'))
  const other = { deployment: 'default', baseUrl: 'http://127.0.0.1:1', accounts: rows[0].accounts }
  writeFileSync(join(cwd, LEFT), JSON.stringify([...rows, other]))
  const one = await call('clean-up', LEFT, rows[0].baseUrl)
  t.equal(one.exitCode, 1, 'some stay elsewhere')
  t.match(one.stdout, / accounts removed\n/)
  t.strictSame(JSON.parse(readFileSync(join(cwd, LEFT), 'utf8')), [other])
  writeFileSync(join(cwd, LEFT), JSON.stringify(rows))
  t.equal((await call('clean-up', LEFT)).exitCode, 0)
})

t.test('of a list of several targets, the accounts of the target that is given are removed', async (t) => {
  const [one, other] = [await startAccountService(t, {}), await startAccountService(t, {})]
  const cwd = t.testdir({})
  const call = (command: string, { target }: typeof one, deployments: object, cleanUp?: object) => {
    const registration = { ...target.registration, ...(cleanUp && { cleanUp }) }
    writeFileSync(join(cwd, 'token-assay.json'), JSON.stringify({ ...target, registration, deployments }))
    return callCommand(command.split(' '), { cwd })
  }
  const run = 'run --only 8/email-at-once --seed 1'
  await call(run, one, { first: {}, second: {} })
  await call(run, other, { staging: {} })
  const rows: Record<string, string>[] = JSON.parse(readFileSync(join(cwd, LEFT), 'utf8'))
  t.strictSame(
    rows.map(({ deployment }) => deployment),
    ['first', 'second', 'staging'],
  )
  const [first, , staging] = rows.map(({ accounts }) =>
    [...(accounts as never as { userName: string }[])].map(({ userName }) => userName).toSorted(),
  )
  const cleanUp = { method: 'DELETE', path: '/api/Account/$userName' }
  const command = `clean-up ${LEFT}`

  const renamed = await call(command, one, { third: {} }, cleanUp)
  t.match(renamed, { exitCode: 2, stderr: /of "first" at .*, "second" at .*, "staging" at .*: the target/ })
  t.strictSame([one.removed, other.removed], [[], []], 'nothing was sent')

  const off = { registration: { cleanUp: null } }
  const some = await call(command, one, { first: {}, second: off }, cleanUp)
  t.equal(some.exitCode, 1)
  t.equal(some.stdout, `${rows[0]?.baseUrl}: ${first?.length} accounts removed\n`)
  const lines = some.stderr.split('\n')
  t.match(
    lines[0],
    /^token-assay: \d+ accounts of "second" at "http\S+" not removed, .*: .* `registration.cleanUp`/,
  )
  t.match(
    lines[1],
    /^token-assay: \d+ accounts of "staging" at "http\S+" not removed, but kept in token-assay-/,
  )
  t.equal(lines.length, 3)
  t.strictSame([one.removed.toSorted(), other.removed], [first, []])
  t.strictSame(JSON.parse(readFileSync(join(cwd, LEFT), 'utf8')), rows.slice(1))

  t.equal((await call(command, one, { first: {}, second: {} }, cleanUp)).exitCode, 1)
  t.match(await call(command, other, { staging: {} }, cleanUp), { exitCode: 0, stderr: '' })
  t.strictSame(other.removed.toSorted(), staging)
  t.notOk(existsSync(join(cwd, LEFT)))
})

t.test('a list from anyone removes no account that no run made up', async (t) => {
  const { cwd, call, service } = await runOnce(t, () => 403)
  const file = join(cwd, LEFT)
  const [row] = JSON.parse(readFileSync(file, 'utf8'))
  const [own, other] = row.accounts
  const bare = { ...other, email: '' }
  const real = { userName: 'alice', email: 'alice@example.com' }
  const hostile = [
    real,
    { ...real, userName: '..' },
    { ...own, userName: `${own.userName}/..` },
    { ...own, userName: '../Role/admin' },
    { ...own, email: real.email },
    { ...own, userName: `${own.userName.slice(0, 6)}${own.userName.slice(7)}` },
    { ...own, userName: '\u001b[31mroot' },
  ]
  writeFileSync(file, JSON.stringify([{ ...row, accounts: [...hostile, own, bare] }]))
  service.removed.length = 0
  const { exitCode, stdout, stderr } = await call('clean-up', LEFT)
  t.equal(exitCode, 1)
  t.strictSame([...new Set(service.removed)].toSorted(), [own.userName, bare.userName].toSorted())
  t.match(stdout, /: 0 accounts removed; 2 accounts left /)
  t.match(
    stderr,
    '7 accounts not removed, because no run makes such names up: "alice", "alice@example.com"\n',
  )
  t.strictSame(JSON.parse(readFileSync(file, 'utf8'))[0].accounts, [...hostile, own, bare])
})

t.test('what is gone by now leaves the list, if others with plain names are removed', async (t) => {
  let answerTo: (name: string) => number = () => 403
  let asked: readonly string[] = []
  const { cwd, call, service } = await runOnce(t, () => answerTo(asked.at(-1) ?? ''))
  asked = service.removed
  const file = join(cwd, LEFT)
  const [row] = JSON.parse(readFileSync(file, 'utf8'))
  const [gone] = row.accounts
  // Such a path may lead elsewhere, and be answered 404 for that.
  const odd = { ...gone, userName: `at.${gone.userName}.` }
  writeFileSync(file, JSON.stringify([{ ...row, accounts: [odd, ...row.accounts] }]))
  answerTo = (name) => (name === gone.userName || name === odd.userName ? 404 : 204)
  const { exitCode, stdout, stderr } = await call('clean-up', LEFT)
  t.equal(exitCode, 1)
  t.match(stdout, `: ${row.accounts.length} accounts removed; 1 account left `)
  t.equal(
    stderr,
    `token-assay: the service knows nothing of what is left: if it is gone, take it out of ${LEFT}\n`,
  )
  t.strictSame(JSON.parse(readFileSync(file, 'utf8')), [{ ...row, accounts: [odd] }])
})

t.test('what others write to the list meanwhile stays in it', async (t) => {
  let onRemoval = (): void => undefined
  let status = 403
  const { cwd, call } = await runOnce(t, () => {
    onRemoval()
    return status
  })
  const file = join(cwd, LEFT)
  const [row] = JSON.parse(readFileSync(file, 'utf8'))
  const later = { ...row, accounts: [{ userName: 'later', email: 'later@example.com' }] }
  const elsewhere = { ...later, deployment: 'elsewhere' }
  onRemoval = () => writeFileSync(file, JSON.stringify([row, later, elsewhere]))
  status = 204
  const { exitCode, stderr } = await call('clean-up', LEFT)
  t.strictSame([exitCode, stderr], [0, ''])
  t.strictSame(JSON.parse(readFileSync(file, 'utf8')), [later, elsewhere])

  writeFileSync(file, JSON.stringify([row]))
  onRemoval = () => rmSync(file, { force: true })
  t.equal((await call('clean-up', LEFT)).exitCode, 0, 'another call was as fast')
  t.notOk(existsSync(file))
})

t.test('a damaged list is put aside, not written over', async (t) => {
  const { cwd, call } = await runOnce(t, () => 403)
  const folder = join(cwd, 'token-assay-report')
  const names = readFileSync(join(cwd, LEFT), 'utf8').slice(0, -20)
  writeFileSync(join(cwd, LEFT), names)
  const { stderr } = await call('run', '--only', '8/email-at-once', '--seed', '2', '--no-color')
  const aside = readdirSync(folder).find((name) => name.includes('unread')) ?? ''
  t.match(
    stderr,
    `is not JSON: expected the accounts-left.json of a run: it is kept as token-assay-report/${aside}\n`,
  )
  t.equal(readFileSync(join(folder, aside), 'utf8'), names)
  t.ok(JSON.parse(readFileSync(join(cwd, LEFT), 'utf8'))[0].accounts.length > 0)
})

t.test('a file that is no list of accounts is refused', async (t) => {
  const cwd = t.testdir({ 'a.json': '{', 'b.json': '[{"deployment":"default"}]' })
  for (const [args, says] of [
    [[], /clean-up takes the accounts-left.json of a run/],
    [['none.json'], /none\.json/],
    [['a.json'], /a\.json is not JSON/],
    [['b.json'], /b\.json does not list accounts by deployment/],
  ] as const) {
    const { exitCode, stderr } = await callCommand(['clean-up', ...args], { cwd })
    t.equal(exitCode, 2)
    t.match(stderr, says)
  }
})
