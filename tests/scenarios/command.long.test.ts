import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Parser } from 'tap-parser'
import { reconcile } from '../../reports/model/reconcile.js'
import { report as validReport } from '../../spec/generated/validators.js'
import type { Report } from '../../spec/model/report.js'
import { conforming, startMinimalServer } from '../../tests/fixtures/minimal-server.js'
import { callCommand } from '../fixtures/call-command.js'
import { type CommandOptions, readReport, runCommand } from '../fixtures/command.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }
const env = { TOKEN_ASSAY_PASSWORD: ALICE.password }
/** The port of TCPMUX: no one listens there. */
const UNUSED = 'http://127.0.0.1:1'
const CAPITAL = {
  token: (name: string, now: number) => ({ ...conforming.token(name, now), token_type: 'Bearer' }),
}
const NO_CHARSET = { errorType: 'application/json' }
const EXTRA = { token: (name: string, now: number) => ({ ...conforming.token(name, now), scope: 'all' }) }

t.test('a conforming service: 0, and the same counts in every format', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const cwd = t.testdir({ 'token-assay.yaml': 'not: read' })
  const reporters = ['junit=j.xml', 'tap=out/t.tap', 'json=r.json'].flatMap((name) => ['--reporter', name])
  const args = ['run', server.url, '--user-name', 'alice', '--runs', '10', ...reporters]
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd, env })
  t.equal(exitCode, 0)
  t.match(stdout, /\n✓ CONFORMANT: /)
  t.match(stderr, /^token-assay: token-assay\.yaml is ignored because a base URL was given/)
  t.match(stderr, /\n\d+ cases planned\n/)
  const report = readReport(cwd)
  sound(t, report)
  t.strictSame(readReport(cwd, 'r.json'), report)
  const { passed, failed, cantTell, inapplicable, untested } = report.counts
  const xml = readFileSync(join(cwd, 'j.xml'), 'utf8')
  t.match(xml, `tests="${report.plan.planned}" failures="${failed}" errors="${cantTell}"`)
  t.equal(xml.match(/<skipped/g)?.length, inapplicable + untested)
  const page = readFileSync(join(cwd, 'token-assay-report/index.html'), 'utf8')
  t.match(page, '<h1>✓ CONFORMANT</h1>')
  t.match(page, `<b>${passed}</b>`)
  const points = Parser.parse(readFileSync(join(cwd, 'out/t.tap'), 'utf8')).filter(
    ([event]) => event === 'assert',
  )
  t.equal(points.length, report.plan.planned)
  t.equal(points.filter(([, point]) => point.ok && !point.skip).length, passed)
})

t.test('a narrowed run does not write the report of a whole one', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const cwd = t.testdir()
  const run = (...args: string[]) =>
    callCommand(['run', server.url, '--user-name', 'alice', '--runs', '1', '--quiet', ...args], { cwd, env })
  const files = () => readdirSync(join(cwd, 'token-assay-report'))
  const read = () => readReport(cwd)
  await run('--only', '2.1/*')
  t.strictSame(files(), ['index.partial.html', 'report.partial.json'], 'not even where there is none')
  await run('--only', '4.1/*')
  t.strictSame([files().length, read().selection?.only], [2, ['4.1/*']], 'and may be replaced')
  await run()
  const whole = read()
  t.equal(whole.selection, undefined)
  for (const narrow of [
    ['--only', '2.1/*'],
    ['--skip', '4.1/*'],
    ['--deployment', 'default'],
  ]) {
    await run(...narrow)
    t.strictSame(files(), ['index.html', 'index.partial.html', 'report.json', 'report.partial.json'])
    t.strictSame(read(), whole, narrow.join(' '))
    t.ok(readReport(cwd, 'token-assay-report/report.partial.json').selection)
  }
})

t.test('one deployment is not divided, and its empty shard is no failure', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const cwd = t.testdir()
  const args = ['run', server.url, '--user-name', 'alice', '--seed', '1', '--shard', '2/2', '--quiet']
  const { exitCode, stdout } = await callCommand(args, { cwd, env })
  t.equal(exitCode, 0)
  t.match(stdout, /\? NOTHING TO DO in shard 2\/2: .* only one:\s+sharding has no effect\.\n/)
  t.notMatch(stdout, 'INCONCLUSIVE')
})

t.test('--only with a rule judges that rule alone', async (t) => {
  const wrong = {
    token: (name: string, now: number) => ({
      ...conforming.token(name, now),
      token_type: 'Bearer',
      userName: 'x',
    }),
    errorType: 'application/json',
  }
  await using server = await startMinimalServer(ALICE, wrong)
  const cwd = t.testdir()
  const run = async (only: string) => {
    const args = ['run', server.url, '--user-name', 'alice', '--runs', '2', '--quiet', '--only', only]
    const { exitCode } = await callCommand(args, { cwd, env })
    const judged = readReport(cwd).results.filter(({ reason }) => reason !== 'filtered')
    return {
      exitCode,
      rules: [...new Set(judged.flatMap(({ judgements }) => judgements.map(({ rule }) => rule)))],
    }
  }
  t.strictSame(await run('2.1-token_type'), { exitCode: 1, rules: ['2.1-token_type'] })
  t.strictSame(await run('2.1-expires_in'), { exitCode: 0, rules: ['2.1-expires_in'] })
  t.strictSame(await run('7-token-error-status'), { exitCode: 0, rules: ['7-token-error-status'] })
  t.strictSame(await run('7-token-error-media-type'), { exitCode: 1, rules: ['7-token-error-media-type'] })
  t.ok((await run('7/*')).rules.length > 2, 'a case judges all of its rules')
})

t.test('a service that breaks a rule: 1, and TAP alone on standard output', async (t) => {
  await using server = await startMinimalServer(ALICE, CAPITAL)
  const cwd = t.testdir()
  const only = ['--only', '2.1/token-response', '--reporter', 'tap']
  const ended = await callCommand(['run', server.url, '--user-name', 'alice', ...only], { cwd, env })
  t.equal(ended.exitCode, 1)
  const { ok, failures } = tapOf(ended.stdout)
  t.notOk(ok)
  t.match(failures, [/^default\/2\.1\/token-response /])
  t.match(ended.stderr, /\nfailed: default\/2\.1\/token-response, 2\.1-token_type: /)
  const report = readReport(cwd)
  sound(t, report)
  t.equal(report.verdict, 'nonconformant')
  t.ok(report.counts.untested > 0)
})

t.test('no service there: 3, and the last line says so', async (t) => {
  const cwd = t.testdir()
  const ended = await runCommand(['run', UNUSED, '--user-name', 'alice', '--quiet'], { cwd, env })
  t.strictSame(ended, {
    exitCode: 3,
    stdout:
      '? INCONCLUSIVE: no request was answered. The connection was refused: nothing listens at that address. Check that the\n  service is running, and that its base URL is right.\n',
    stderr: '',
  })
  sound(t, readReport(cwd))
})

t.test('--strict makes advice gate', async (t) => {
  await using server = await startMinimalServer(ALICE, EXTRA)
  const args = ['run', server.url, '--user-name', 'alice', '--only', '2.1/token-response', '--quiet']
  t.equal((await callCommand(args, { cwd: t.testdir(), env })).exitCode, 0)
  t.equal((await callCommand([...args, '--strict'], { cwd: t.testdir(), env })).exitCode, 1)
})

t.test('--bail stops at the first failure', async (t) => {
  await using server = await startMinimalServer(ALICE, NO_CHARSET)
  const cwd = t.testdir()
  const bail = ['--bail', '--concurrency', '1', '--runs', '5']
  const { exitCode } = await callCommand(['run', server.url, '--user-name', 'alice', ...bail], { cwd, env })
  t.equal(exitCode, 1)
  const report = readReport(cwd)
  sound(t, report)
  t.equal(report.counts.failed, 1)
  t.ok(report.results.some(({ outcome, reason }) => outcome === 'untested' && reason === 'bail'))
})

t.test('the implicit target file, one deployment of it, and a password from standard input', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const file = `baseUrl: ${server.url}\naccounts: [{ userName: absent, password: none }]\ndeployments: { a: {}, b: {} }\n`
  const cwd = t.testdir({ 'token-assay.yaml': file })
  const args = [
    'run',
    '--deployment',
    'b',
    '--only',
    '*/password-grant',
    '--user-name',
    'alice',
    '--password-stdin',
  ]
  // No more than the first line is the password, whatever its line end.
  const { exitCode, stderr } = await runCommand(args, { cwd, stdin: `${ALICE.password}\r\nmore\n` })
  t.equal(exitCode, 0, stderr)
  const report = readReport(cwd)
  sound(t, report)
  t.strictSame(new Set(ran(report).map(({ deployment }) => deployment)), new Set(['b']))
})

t.test('--target with a base URL takes both', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const file = JSON.stringify({ baseUrl: UNUSED, accounts: [ALICE] })
  const cwd = t.testdir({ 'target.json': file })
  const args = ['run', server.url, '--target', 'target.json', '--only', '*/password-grant', '--quiet']
  const { exitCode, stdout, stderr } = await callCommand(args, { cwd })
  t.equal(exitCode, 0)
  t.equal(stderr, '', 'quiet')
  t.match(stdout, /^Partial run .*\n✓ CONFORMANT in the part that ran: .*\n$/)
})

t.test('colours', async (t) => {
  const cwd = t.testdir()
  const colored = async (extra: NodeJS.ProcessEnv, ...flags: readonly string[]): Promise<boolean> => {
    const args = ['run', UNUSED, '--user-name', 'alice', '--only', '1/exchange', '--quiet', ...flags]
    const options: CommandOptions = { cwd, env: { ...env, ...extra } }
    return (await runCommand(args, options)).stdout.includes('\u001b[')
  }
  t.equal(await colored({}), false, 'not in a pipe')
  t.equal(await colored({ FORCE_COLOR: '1' }), true)
  t.equal(await colored({ FORCE_COLOR: '1' }, '--no-color'), false)
  t.equal(await colored({ FORCE_COLOR: '1', NO_COLOR: '1' }), false)
})

t.test('--verbose shows every exchange', async (t) => {
  await using server = await startMinimalServer(ALICE, NO_CHARSET)
  const only = ['--only', '7-token-error-media-type', '--runs', '1']
  const args = ['run', server.url, '--user-name', 'alice', ...only]
  const brief = await callCommand(args, { cwd: t.testdir(), env })
  const full = await callCommand([...args, '--verbose'], { cwd: t.testdir(), env })
  const sent = (text: string): number => text.match(/^ +sent +(?:[a-z -]+: )?POST /gm)?.length ?? 0
  t.ok(sent(brief.stdout) > 0)
  t.ok(sent(full.stdout) > sent(brief.stdout))
})

/** Valid, in itself and by its schema. */
function sound(t: Test, report: Report): void {
  t.ok(validReport(report), 'valid by its schema', { errors: validReport.errors })
  t.strictSame(reconcile(report), [])
}

function ran({ results }: Report): Report['results'] {
  return results.filter(({ outcome }) => outcome !== 'untested' && outcome !== 'inapplicable')
}

function tapOf(text: string): { readonly ok: boolean; readonly failures: readonly string[] } {
  const parser = new Parser()
  const failures: string[] = []
  parser.on('assert', ({ ok, name }) => void (ok || failures.push(name)))
  parser.end(text)
  return { ok: parser.ok, failures }
}
