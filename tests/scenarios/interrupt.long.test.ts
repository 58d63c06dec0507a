import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { reconcile } from '../../reports/model/reconcile.js'
import { report as validReport } from '../../spec/generated/validators.js'
import { listen } from '../../tools/interop/listen.js'
import { readReport, runCommand, startCommand } from '../fixtures/command.js'

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

t.test('--max-duration: a partial report, and 3', async (t) => {
  await using server = await startSilence()
  const cwd = t.testdir()
  const args = ['run', server.url, '--user-name', 'alice', '--max-duration', '1', '--quiet']
  const { exitCode, stderr } = await runCommand(args, { cwd, env })
  t.equal(exitCode, 3)
  t.equal(stderr, '')
  partial(t, cwd)
})

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

function partial(t: Test, cwd: string): void {
  const report = readReport(cwd)
  t.ok(validReport(report), 'valid by its schema', { errors: validReport.errors })
  t.strictSame(reconcile(report), [])
  t.equal(report.verdict, 'inconclusive')
  t.ok(report.results.some(({ outcome, reason }) => outcome === 'untested' && reason === 'stopped'))
  t.strictSame(readdirSync(`${cwd}/token-assay-report`), ['index.html', 'report.json'])
}
