/** Outputs that cannot be written: never a silent success. `/dev/full` answers every write as a full disk does. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { conforming, startMinimalServer } from '../../tests/fixtures/minimal-server.js'
import { callCommand } from '../fixtures/call-command.js'
import { CLEARED, COMMAND, readReport, runCommand, startCommand } from '../fixtures/command.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }
const env = { TOKEN_ASSAY_PASSWORD: ALICE.password }
const CAPITAL = {
  token: (name: string, now: number) => ({ ...conforming.token(name, now), token_type: 'Bearer' }),
}
const ONE = ['--user-name', 'alice', '--only', '2.1/token-response', '--runs', '3']

t.test('standard output on a full disk', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const cwd = t.testdir({})
  await callCommand(['run', server.url, ...ONE], { cwd, env })
  for (const args of [
    ['--help'],
    ['--version'],
    ['list'],
    ['report', 'token-assay-report/report.partial.json'],
  ]) {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, [...COMMAND, ...args], {
      cwd,
      env: { ...process.env, ...CLEARED },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    t.equal(status, 2, args.join(' '))
    t.equal(
      stderr,
      'token-assay: standard output cannot be written: ENOSPC: no space left on device, write\n',
    )
  }
})

for (const [what, behaviour, code] of [
  ['conforms', undefined, 3],
  ['breaks a rule', CAPITAL, 1],
] as const) {
  t.test(`a full disk after the run of a service that ${what}: ${code}`, async (t) => {
    await using server = await startMinimalServer(ALICE, behaviour)
    const cwd = t.testdir({})
    mkdirSync(join(cwd, 'token-assay-report'))
    symlinkSync('/dev/full', join(cwd, 'token-assay-report/report.partial.json'))
    const reporters = ['ndjson=/dev/full', 'json=kept.json', 'junit=/dev/full'].flatMap((name, index) => [
      '--reporter',
      index === 2 ? `junit=${join(cwd, 'token-assay-report/../full.xml')}` : name,
    ])
    for (const file of ['full.xml', 'trace.json']) symlinkSync('/dev/full', join(cwd, file))
    const flags = [...ONE, ...reporters, '--trace', 'trace.json', '--quiet']
    const ended = await runCommand(['run', server.url, ...flags], { cwd, env })
    t.equal(ended.exitCode, code)
    for (const file of ['report.partial.json', '/dev/full', 'full.xml', 'trace.json'])
      t.match(ended.stderr, new RegExp(`token-assay: \\S*${file} cannot be written: ENOSPC`))
    t.notMatch(ended.stderr, /nothing was sent|bug/)
    t.match(ended.stderr, new RegExp(`\ntoken-assay: not every report .*: exit code ${code}\n$`), 'said last')
    t.equal(readReport(cwd, 'kept.json').results.length > 0, true, 'what can be kept is kept')
    t.match(ended.stdout, code === 1 ? '✗ NOT CONFORMANT' : '✓ CONFORMANT')
    t.strictSame(readdirSync(join(cwd, 'token-assay-report')), ['index.partial.html', 'report.partial.json'])
  })
}

for (const record of ['shapes.jsonl', 'gone/x.har'])
  t.test(`a recording of \`proxy\` that cannot be written: ${record}`, async (t) => {
    await using server = await startMinimalServer(ALICE)
    const cwd = t.testdir({ gone: {} })
    symlinkSync('/dev/full', join(cwd, 'shapes.jsonl'))
    const args = ['--port', '0', '--target', server.url, '--user-name', 'alice', '--record', record]
    const proxy = startCommand(['proxy', ...args, '--fail-on', 'broken'], { cwd, env })
    const url = (await proxy.saying('stdout', '\n')).trim()
    rmSync(join(cwd, 'gone'), { recursive: true })
    const form = { grant_type: 'password', username: ALICE.userName, password: ALICE.password }
    t.ok((await fetch(`${url}/Token`, { method: 'POST', body: new URLSearchParams(form) })).ok)
    proxy.child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await proxy.ended
    t.match(stdout, /^✓ CONFORMANT/m)
    t.match(stderr, new RegExp(`token-assay: ${record} cannot be written: `))
    t.match(stderr, /\ntoken-assay: not every report .*: exit code 3\n$/, 'said last')
    t.equal(exitCode, 3)
  })

t.test('a recording that could not be written for a while is whole at the end', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const cwd = t.testdir({ gone: {} })
  const args = ['--port', '0', '--target', server.url, '--user-name', 'alice', '--record', 'gone/x.har']
  const proxy = startCommand(['proxy', ...args, '--fail-on', 'broken'], { cwd, env })
  const url = (await proxy.saying('stdout', '\n')).trim()
  rmSync(join(cwd, 'gone'), { recursive: true })
  const form = { grant_type: 'password', username: ALICE.userName, password: ALICE.password }
  await (await fetch(`${url}/Token`, { method: 'POST', body: new URLSearchParams(form) })).text()
  await proxy.saying('stderr', 'x.har cannot be written')
  mkdirSync(join(cwd, 'gone'))
  proxy.child.kill('SIGINT')
  t.equal((await proxy.ended).exitCode, 0)
  t.equal(JSON.parse(readFileSync(join(cwd, 'gone/x.har'), 'utf8')).log.entries.length, 1)
})

t.test('a report to /dev/stdout is printed, and the device is what it was', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const cwd = t.testdir({})
  const args = ['run', server.url, ...ONE, '--quiet', '--reporter', 'junit=/dev/stdout']
  const { exitCode, stdout } = await runCommand(args, { cwd, env })
  t.equal(exitCode, 0)
  t.match(stdout, /^<\?xml .*<\/testsuites>\n$/s, 'and nothing else is')
  t.strictSame(
    readdirSync('/dev').filter((name) => name.includes('tmp')),
    [],
  )
})
