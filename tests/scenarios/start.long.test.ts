import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { freePorts, listen } from '../../tools/interop/listen.js'
import { readReport, startCommand } from '../fixtures/command.js'
import { openLifeLine } from '../fixtures/life-line.js'

const SERVICE = fileURLToPath(new URL('../fixtures/service.mjs', import.meta.url))
const SECRET = 'Canary-in-a-mine-7'

t.jobs = 2

/** Runs against a service that the target file starts. */
async function start(t: Test, tell: number, command: readonly string[], port = freePorts(1)) {
  const target = {
    baseUrl: `http://127.0.0.1:${await port}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the target file's own spelling of a variable
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

t.test('a service that dies: 2, and what it printed, without secrets', async (t) => {
  const { ended } = await start(t, 0, [process.execPath, SERVICE, 'dies'])
  const { exitCode, stdout, stderr } = await ended
  t.equal(exitCode, 2)
  t.equal(stdout, '')
  t.match(stderr, /\ntoken-assay: the service `.*node` ended with exit code 7\nIt printed:\n/)
  t.match(stderr, 'no database for ‹password of alice›')
  t.notMatch(stderr, /\u001b|^::|\n +at /m)
  t.notMatch(stderr, SECRET)
})

t.test('a command that there is not: 2', async (t) => {
  const { ended } = await start(t, 0, ['./no-such-program'])
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 2)
  t.match(stderr, /\ntoken-assay: the service `\.\/no-such-program` could not be started: .*ENOENT\n$/)
})

t.test('somebody else at its base URL is not taken for it: 2', async (t) => {
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
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 2)
  t.match(stderr, /\ntoken-assay: another service already listens at http:\/\/127\.0\.0\.1:\d+: stop it/)
  t.equal(requests, 0)
})
