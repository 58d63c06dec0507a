import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { freePorts, listen } from '../../tools/interop/listen.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport, startCommand } from '../fixtures/command.js'
import { openLifeLine } from '../fixtures/life-line.js'

const SERVICE = fileURLToPath(new URL('../fixtures/service.mjs', import.meta.url))
const SECRET = 'Canary-in-a-mine-7'

t.jobs = 2

/** Runs against a service that the target file starts. */
async function start(t: Test, tell: number, command: readonly string[], port = freePorts(1)) {
  const target = {
    baseUrl: `http://127.0.0.1:${await port}`,
    accounts: [{ userName: 'alice', password: '${SECRET}' }],
    start: { command, env: { PORT: String(await port), TELL: String(tell) } },
  }
  const cwd = t.testdir({ 'target.json': JSON.stringify(target) })
  return { cwd, ...startCommand(['run', '--target', 'target.json'], { cwd, env: { SECRET } }) }
}

t.test('a service is started, waited for, and stopped when it fails', async (t) => {
  await using life = await openLifeLine()
  const { cwd, ended } = await start(t, life.port, [process.execPath, SERVICE])
  t.equal((await ended).exitCode, 1)
  await life.gone
  const { results } = readReport(cwd)
  t.ok(results.some(({ exchanges }) => exchanges.some(({ response }) => response?.status === 404)))
})

t.test('what a shell started is stopped with it, and an interrupt stops both', async (t) => {
  await using life = await openLifeLine()
  const shell = ['sh', '-c', `"${process.execPath}" "${SERVICE}" silent & wait`]
  const { child, ended } = await start(t, life.port, shell)
  await life.alive
  child.kill('SIGINT')
  t.equal((await ended).exitCode, 130)
  await life.gone
})

t.test('a second interrupt ends at once, and kills what will not stop', async (t) => {
  await using life = await openLifeLine()
  const { cwd, child, ended, saying } = await start(t, life.port, [process.execPath, SERVICE, 'stubborn'])
  await life.alive
  child.kill('SIGINT')
  await saying('stderr', 'stopping')
  child.kill('SIGINT')
  t.equal((await ended).exitCode, 130)
  t.notOk(existsSync(join(cwd, 'token-assay-report/report.json')), 'no report is waited for')
  await life.gone
})

for (const [manner, cause, how] of [
  ['dies', 'notStarted', 'The service did not start: the service'],
  ['fails', 'stoppedAnswering', 'During the run the service'],
] as const)
  t.test(
    `a service that ${manner}: 3, and a report in every format with what it printed, no secrets`,
    async (t) => {
      const { cwd, ended } = await start(t, 0, [process.execPath, SERVICE, manner])
      const { exitCode, stdout, stderr } = await ended
      t.equal(exitCode, 3, stderr)
      const report = readReport(cwd)
      t.equal(report.verdict, 'inconclusive')
      t.match(report.stops, [{ cause }])
      const printed = ['json', 'junit', 'markdown', 'tap', 'github', 'html', 'ctrf'].map(async (name) => {
        const saved = join(cwd, 'token-assay-report/report.json')
        const { stdout: text } = await callCommand(['report', saved, '--reporter', name], { cwd })
        return text
      })
      for (const text of [stdout, ...(await Promise.all(printed))]) {
        const oneLine = text.replaceAll(/\s+/g, ' ')
        t.match(oneLine, new RegExp(`${how} .*node.* ended with exit code 7`))
        t.match(oneLine, /no database for ‹password of alice›/)
        t.notMatch(text, /\u001b|^::(?!error|warning|notice)|\n +at .*:\d/m)
        t.notMatch(text, SECRET)
      }
      t.equal(stdout.replaceAll(/\s+/g, ' ').split('no database').length, 2, `once: ${stdout}`)
    },
  )

t.test('a command that there is not: 3, and the report of yesterday is gone', async (t) => {
  const { cwd, ended } = await start(t, 0, ['./no-such-program'])
  const { exitCode, stdout } = await ended
  t.equal(exitCode, 3)
  t.match(
    stdout.replaceAll(/\s+/g, ' '),
    /The service did not start: .*no-such-program` was not found: there is no such file/,
  )
  t.equal(readReport(cwd).counts.passed, 0)
})

t.test('somebody else at its base URL is not taken for it: 3', async (t) => {
  let requests = 0
  await using other = await listen((_, response) => {
    requests += 1
    response.end()
  })
  const { ended } = await start(
    t,
    0,
    [process.execPath, SERVICE],
    Promise.resolve([Number(new URL(other.url).port)]),
  )
  const { exitCode, stdout } = await ended
  t.equal(exitCode, 3)
  t.match(
    stdout.replaceAll(/\s+/g, ' '),
    /another service already listens at http:\/\/127\.0\.0\.1:\d+: stop it/,
  )
  t.equal(requests, 0)
})
