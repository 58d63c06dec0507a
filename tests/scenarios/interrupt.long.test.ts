import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { reconcile } from '../../reports/model/reconcile.js'
import { differential as validDifferential, report as validReport } from '../../spec/generated/validators.js'
import type { Report } from '../../spec/model/report.js'
import { freePorts, listen } from '../../tools/interop/listen.js'
import { startAccountService } from '../fixtures/account-service.js'
import { isClosed } from '../fixtures/closed-port.js'
import {
  COMMAND,
  EITHER_SIGNAL,
  readReport,
  runCommand,
  sendTwoSignals,
  startCommand,
} from '../fixtures/command.js'
import { startReference } from '../fixtures/reference.js'

const env = { TOKEN_ASSAY_PASSWORD: 'Correct-7-horses' }

t.jobs = 2

/** Listens, and never answers. `requested` resolves at the first request. */
async function startSilence() {
  let tell: (request: IncomingMessage) => void = () => undefined
  const requested = new Promise<IncomingMessage>((resolve) => {
    tell = resolve
  })
  const server = await listen((request) => tell(request))
  return Object.assign(server, { requested })
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const) {
  t.test(`${signal} in the middle: a partial report, and ${code}`, async (t) => {
    await using server = await startSilence()
    const cwd = t.testdir()
    const { child, ended } = startCommand(['run', server.url, '--user-name', 'alice'], { cwd, env })
    await server.requested
    child.kill(signal)
    const { exitCode, stdout, stderr } = await ended
    t.equal(exitCode, code)
    t.match(stderr, /\ntoken-assay: stopping, then /)
    t.match(stdout, /\nPartial run \(.* not run\)/)
    t.match(stdout, /\n\? INCONCLUSIVE: /)
    partial(t, cwd)
  })
}

t.test('a terminal that is closed in the middle: a partial report', async (t) => {
  await using server = await startSilence()
  const cwd = t.testdir()
  const terminal = fileURLToPath(new URL('../fixtures/terminal.py', import.meta.url))
  const command = [process.execPath, ...COMMAND, 'run', server.url, '--user-name', 'alice']
  const child = spawn('python3', [terminal, ...command], { cwd, env: { PATH: process.env.PATH, ...env } })
  await server.requested
  child.stdin.end()
  await once(child, 'exit')
  partial(t, cwd)
})

t.test('--max-duration: a partial report, and 3', async (t) => {
  await using server = await startSilence()
  const cwd = t.testdir()
  const args = ['run', server.url, '--user-name', 'alice', '--max-duration', '1', '--quiet']
  const { exitCode, stderr } = await runCommand(args, { cwd, env })
  t.equal(exitCode, 3)
  t.equal(stderr, '')
  partial(t, cwd)
})

const BUSY = ['--import', import.meta.resolve('../fixtures/keep-busy.mjs')]

/** Starts a command whose event loop is kept busy for ever, as by a crafted answer. */
async function startBusy(t: Test, command: readonly string[], from: number) {
  const server = await startReference(t)
  const cwd = t.testdir()
  const options = { cwd, env: { TOKEN_ASSAY_PASSWORD: 'Secret-1', BUSY_FROM: String(from) }, nodeFlags: BUSY }
  const args = command.map((arg) => (arg === 'URL' ? server.url : arg))
  return { cwd, ...startCommand([...args, '--user-name', 'ann'], options) }
}

t.test('two signals to a busy event loop: what is known, and the code of one', async (t) => {
  const { cwd, child, ended, saying } = await startBusy(t, ['run', 'URL'], 100)
  await saying('stderr', 'busy for ever')
  sendTwoSignals(child)
  const { exitCode, stderr } = await ended
  t.match(String(exitCode), EITHER_SIGNAL)
  t.match(stderr, 'token-assay: ended at once, because a second signal came: what is known is in ')
  const report = knownReport(t, cwd)
  t.ok(report.counts.passed > 0, 'what was judged before')
  t.ok(report.counts.untested > 0)
})

t.test('--max-duration with a busy event loop: what is known, and 3', async (t) => {
  const { cwd, ended } = await startBusy(t, ['run', 'URL', '--max-duration', '3'], 2)
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 3)
  t.match(stderr, 'token-assay: ended at once, because --max-duration 3 is over: what is known is in ')
  const { limits, counts } = knownReport(t, cwd)
  t.match(limits, [{ deployment: 'default', setting: '--max-duration', declared: 3 }])
  t.equal(limits[0]?.notTried.length, counts.untested)
})

t.test('out of memory: what is known, 3, and nothing that was started is left', async (t) => {
  const cwd = t.testdir()
  const [port = 0] = await freePorts(1)
  const service = ['serve', '--port', String(port), '--user-name', 'ann', '--log-level', 'silent']
  const target = {
    baseUrl: `http://127.0.0.1:${port}`,
    accounts: [{ userName: 'ann', password: 'Secret-1' }],
    start: {
      command: [process.execPath, ...COMMAND, ...service],
      env: { TOKEN_ASSAY_PASSWORD: 'Secret-1', NODE_OPTIONS: '' },
    },
  }
  writeFileSync(`${cwd}/token-assay.yaml`, JSON.stringify(target))
  const env = { BUSY_FROM: '100', BUSY_KEEPS: '1' }
  const nodeFlags = [...BUSY, '--max-old-space-size=128']
  const { exitCode, stderr } = await runCommand(['run'], { cwd, env, nodeFlags })
  t.equal(exitCode, 3)
  t.match(stderr, /there is not enough memory: what is known is in .*report\.partial\.json\n/)
  t.notMatch(stderr, 'bug')
  const { counts, stops } = knownReport(t, cwd)
  t.ok(counts.passed > 0, 'what was judged before')
  t.match(stops, [{ cause: 'memory' }])
  await isClosed(t, port)
})

t.test('two signals to a busy `diff`: an inconclusive comparison', async (t) => {
  const command = ['diff', '--old', 'URL', '--new', 'URL', '--reporter', 'json=diff.json']
  const { cwd, child, ended, saying } = await startBusy(t, command, 20)
  await saying('stderr', 'busy for ever')
  sendTwoSignals(child)
  const { exitCode } = await ended
  t.match(String(exitCode), EITHER_SIGNAL)
  const differential = JSON.parse(readFileSync(`${cwd}/diff.json`, 'utf8'))
  t.ok(validDifferential(differential), 'valid by its schema', { errors: validDifferential.errors })
  t.match(differential, { verdict: 'inconclusive', inconclusive: ['the comparison was stopped'] })
})

/** Removals that are answered; of the others, the suite sends eight at a time to each side. */
const ANSWERED = 3
const LEFT = 'token-assay-report/accounts-left.json'

/** A service that answers a few removals and then none, until `answersAll`; `onHeld` is called once no other one can come. */
async function startSlowRemovals(t: Test, registration: object, sides = 1, onHeld = (): void => undefined) {
  const state = { answersAll: false }
  const service = await startAccountService(t, {
    removalStatus: (before) => {
      if (before === ANSWERED + 8 * sides - 1) onHeld()
      return state.answersAll || before < ANSWERED ? 204 : undefined
    },
  })
  const target = { ...service.target, registration: { ...service.target.registration, ...registration } }
  return { service, state, target }
}

const CLEAN_UP = { cleanUp: { method: 'DELETE', path: '/api/Account/$userName' } }

for (const [sides, command, output] of [
  [1, ['run', '--only', '8/*'], 'token-assay-report/report.partial.json'],
  [3, ['diff', '--old', 'URL', '--new', 'URL', '--runs', '20', '--reporter', 'json=diff.json'], 'diff.json'],
] as const)
  t.test(
    `signals during the removals of \`${command[0]}\`: what stays is named, for \`clean-up\``,
    async (t) => {
      const cwd = t.testdir()
      let onHeld = (): void => undefined
      const { service, state, target } = await startSlowRemovals(t, CLEAN_UP, sides, () => onHeld())
      writeFileSync(`${cwd}/token-assay.yaml`, JSON.stringify(target))
      const args = command.map((arg) => (arg === 'URL' ? String(target.baseUrl) : arg))
      const { child, ended } = startCommand([...args, '--target', 'token-assay.yaml'], { cwd })
      onHeld = () => {
        child.kill('SIGHUP')
        sendTwoSignals(child)
      }
      const { exitCode, stderr } = await ended
      t.match(String(exitCode), EITHER_SIGNAL)
      const answered = service.removed.slice(0, ANSWERED)
      const names = service.registered.filter((name) => !answered.includes(name))
      t.ok(names.length >= 8 * sides)
      t.match(
        stderr,
        new RegExp(
          `\\n.*ended at once.*\\n.*: ${names.length} accounts left at .*: token-assay clean-up ${LEFT}.*\\n$`,
        ),
      )
      const [row] = JSON.parse(readFileSync(`${cwd}/${LEFT}`, 'utf8'))
      t.strictSame(namesOf(row.accounts), names.toSorted())
      const [made] = readReport(cwd, output).accounts
      t.match(made, { made: service.registered.length, removed: ANSWERED, cleanUpFailed: names.length })
      t.strictSame(namesOf(made?.left ?? []), names.toSorted())
      state.answersAll = true
      const done = await runCommand(['clean-up', LEFT], { cwd })
      t.strictSame([done.exitCode, done.stderr], [0, ''])
      t.notOk(existsSync(`${cwd}/${LEFT}`))
      t.strictSame([...new Set(service.removed)].toSorted(), service.registered.toSorted())
    },
  )

function namesOf(accounts: readonly { readonly userName: string }[]): readonly string[] {
  return accounts.map(({ userName }) => userName).toSorted()
}

t.test('two signals to a busy event loop: accounts that no removal was sent for are named', async (t) => {
  const { target, service } = await startSlowRemovals(t, {})
  const cwd = t.testdir({ 'token-assay.yaml': JSON.stringify(target) })
  const options = { cwd, env: { BUSY_FROM: '100' }, nodeFlags: BUSY }
  const { child, ended, saying } = startCommand(['run'], options)
  await saying('stderr', 'busy for ever')
  sendTwoSignals(child)
  const { stderr } = await ended
  t.match(stderr, /accounts? left at the service: declare `cleanUp`, then token-assay clean-up .*\n$/)
  const report = knownReport(t, cwd)
  t.match(report.accounts, [{ removed: 0, cleanUpFailed: 0 }])
  const [row] = JSON.parse(readFileSync(`${cwd}/${LEFT}`, 'utf8'))
  t.ok(row.accounts.length > 0)
  t.strictSame(
    namesOf(row.accounts).filter((name) => !service.registered.includes(name)),
    [],
  )
})

t.test('two signals to a busy `proxy`: what went by, and the code of the first', async (t) => {
  const server = await startReference(t)
  const cwd = t.testdir()
  const args = ['proxy', '--target', server.url, '--port', '0']
  const options = { cwd, env: { BUSY_FROM: '1' }, nodeFlags: BUSY }
  const { child, ended, saying } = startCommand(args, options)
  const url = (await saying('stdout', '\n')).trim()
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  socket.write('GET /Token HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await saying('stderr', 'busy for ever')
  sendTwoSignals(child)
  t.match(String((await ended).exitCode), EITHER_SIGNAL)
  knownReport(t, cwd, 'token-assay-proxy-report')
})

const AT_START = ['--import', import.meta.resolve('../fixtures/signal-at-start.mjs')]
const EARLY: readonly (readonly [command: readonly string[], exitCode: number, file: string])[] = [
  [['run', 'URL', '--user-name', 'alice'], 130, 'token-assay-report/report.json'],
  [['run', '--embedded'], 130, 'token-assay-report/report.json'],
  [['client', '--', process.execPath, '-e', '0'], 130, 'token-assay-client-report/report.json'],
  [
    ['diff', '--old', 'URL', '--new', 'URL', '--user-name', 'alice', '--reporter', 'json=diff.json'],
    130,
    'diff.json',
  ],
  // What went by until then decides: nothing did.
  [['proxy', '--target', 'URL', '--port', '0'], 3, 'token-assay-proxy-report/report.json'],
]
for (const [command, code, file] of EARLY)
  t.test(
    `\`${command[0]} ${command[1]}\`: a signal at the start leaves a report of nothing executed`,
    async (t) => {
      let requests = 0
      await using server = await listen(() => {
        requests += 1
      })
      const cwd = t.testdir()
      const args = command.map((arg) => (arg === 'URL' ? server.url : arg))
      const { exitCode } = await runCommand(args, { cwd, env, nodeFlags: AT_START })
      t.equal(exitCode, code)
      t.equal(requests, 0)
      const report = readReport(cwd, file)
      t.equal(report.verdict, 'inconclusive')
      if (file === 'diff.json') return void t.ok(validDifferential(report))
      t.ok(validReport(report), 'valid by its schema', { errors: validReport.errors })
      t.strictSame(reconcile(report), [])
      t.strictSame([report.counts.passed, report.counts.failed, report.counts.cantTell], [0, 0, 0])
    },
  )

t.test('an interrupt of the embedded run ends its servers as well', async (t) => {
  const cwd = t.testdir()
  const { child, ended, saying } = startCommand(['run', '--embedded', '--reporter', 'json'], { cwd })
  await saying('stderr', 'planned')
  child.kill('SIGINT')
  const { exitCode, stdout } = await ended
  t.equal(exitCode, 130)
  t.equal(JSON.parse(stdout).schemaVersion, 2, 'standard output holds the report alone')
  partial(t, cwd)
})

t.test('a reader that goes away is no error', async (t) => {
  const cwd = t.testdir()
  const { child, ended } = startCommand(['list', 'rules'], { cwd })
  child.stdout.destroy()
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 0)
  t.equal(stderr, '')
})

t.test('a reader that goes away after the first line', async (t) => {
  const cwd = t.testdir()
  const args = ['run', 'http://127.0.0.1:1', '--user-name', 'alice', '--only', '1/exchange']
  const { child, ended } = startCommand(args, { cwd, env })
  child.stdout.pause()
  await once(child.stderr, 'data')
  child.stdout.destroy()
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 3, 'the verdict is what it is')
  t.notMatch(stderr, /EPIPE|bug/)
})

function knownReport(t: Test, cwd: string, folder = 'token-assay-report'): Report {
  const report = readReport(cwd, `${folder}/report.partial.json`)
  t.ok(validReport(report), 'valid by its schema', { errors: validReport.errors })
  t.strictSame(reconcile(report), [])
  t.equal(report.verdict, 'inconclusive')
  t.notMatch(JSON.stringify(report), 'Secret-1')
  return report
}

function partial(t: Test, cwd: string): void {
  const report = readReport(cwd)
  t.ok(validReport(report), 'valid by its schema', { errors: validReport.errors })
  t.strictSame(reconcile(report), [])
  t.equal(report.verdict, 'inconclusive')
  t.ok(report.results.some(({ outcome, reason }) => outcome === 'untested' && reason === 'stopped'))
  t.strictSame(readdirSync(`${cwd}/token-assay-report`), ['index.html', 'report.json'])
}
