import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import type { Rehearsal } from '../../spec/generated/types/rehearsal.js'
import { COMMAND, startCommand } from '../../tests/fixtures/command.js'
import { serve } from '../../tests/fixtures/serve.js'
import { freePorts } from '../../tools/interop/listen.js'

const PASSWORD = 'Secret-1'
const KEY = 'the-key-of-the-old-service-1234567'
const ACCOUNT = { userName: 'ann', password: '$' + '{PASSWORD}', userId: 'id-of-ann' }

const redIds = (cwd: string): readonly string[] => {
  const text = readFileSync(join(cwd, 'token-assay-report/rehearsal.json'), 'utf8')
  const { cells, facts }: Rehearsal = JSON.parse(text)
  return [...cells, ...facts].flatMap(({ id, differs }) => (differs ? [id] : []))
}

/** A service that the target file starts. */
async function started(name: string, config: object) {
  const port = await freePorts(1)
  const command = [process.execPath, ...COMMAND, 'serve', '--config', `${name}.json`, '--port', String(port)]
  return {
    file: JSON.stringify({
      accounts: [ACCOUNT],
      hashing: 'fast',
      protectedResource: true,
      tokenLifetime: 8,
      ...config,
    }),
    deployment: { baseUrl: `http://127.0.0.1:${port}`, start: { command } },
  }
}

t.test(
  'services that the target file starts are restarted, and the end of a life is waited for',
  async (t) => {
    const [old, now] = [
      await started('old', { tokens: { kind: 'signed', keys: [KEY] } }),
      await started('new', { tokens: { kind: 'signed' } }),
    ]
    const target = {
      accounts: [ACCOUNT],
      resource: { path: '/me' },
      clockSkew: 0,
      deployments: { old: old.deployment, new: now.deployment },
    }
    const cwd = t.testdir({ 't.json': JSON.stringify(target), 'old.json': old.file, 'new.json': now.file })
    const { ended } = startCommand(['rehearse', '--target', 't.json', '--max-wait', '20'], {
      cwd,
      env: { PASSWORD },
    })
    const { exitCode, stdout, stderr } = await ended
    t.equal(exitCode, 1, stderr)
    t.match(stdout, /old → old +✓ accepted +✓ accepted +✓ accepted +(✓ accepted|– not tried) +✗ refused/)
    t.strictSame(redIds(cwd), [
      'new→new, issuer-restarted, password',
      'new→new, acceptor-restarted, password',
    ])
  },
)

/** A service whose restart is a request to another server, which a command sends. */
async function restartable(t: Test) {
  const [port = 0] = await freePorts(1)
  const start = () =>
    startReferenceServer({
      ...{ accounts: [{ ...ACCOUNT, password: PASSWORD }], hashing: 'fast', protectedResource: true, port },
    })
  let server = await start()
  t.teardown(() => server.close(0))
  const { url } = server
  const supervisor = createServer((_, response) => {
    void server
      .close(0)
      .then(() => start())
      .then((next) => {
        server = next
        response.end()
      })
  })
  const address = await serve(t, supervisor)
  return { baseUrl: url, restart: { command: [process.execPath, '-e', `fetch('http://${address}')`] } }
}

t.test('a command restarts a service; one that fails is no difference', async (t) => {
  const sides = { old: await restartable(t), new: await restartable(t) }
  const rehearse = async (deployments: object) => {
    const target = { accounts: [ACCOUNT], resource: { path: '/me' }, deployments }
    const cwd = t.testdir({ 't.json': JSON.stringify(target) })
    const { ended } = startCommand(['rehearse', '--target', 't.json'], { cwd, env: { PASSWORD } })
    return { cwd, ...(await ended) }
  }
  const both = await rehearse(sides)
  t.equal(both.exitCode, 0, both.stderr)
  t.match(both.stdout, /new → new +✓ accepted +✗ refused +✗ refused/)
  const fails = { ...sides.new, restart: { command: [process.execPath, '-e', 'process.exit(4)'] } }
  const failed = await rehearse({ ...sides, new: fails })
  t.equal(failed.exitCode, 3)
  t.match(failed.stdout, /the restart command `.*` ended with\s+exit code 4/)
})

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  t.test(`${signal} ends it with a report of what was tried`, async (t) => {
    const accounts = [{ ...ACCOUNT, password: PASSWORD }]
    const server = await startReferenceServer({ accounts, hashing: 'fast', protectedResource: true })
    t.teardown(() => server.close(0))
    const baseUrl = server.url
    const target = { accounts: [ACCOUNT], resource: { path: '/me' }, tokenLifetime: 1_209_600 }
    const cwd = t.testdir({
      't.json': JSON.stringify({ ...target, deployments: { old: { baseUrl }, new: { baseUrl } } }),
    })
    const { child, ended } = startCommand(
      ['rehearse', '--target', 't.json', '--max-wait', '86400', '--reporter', 'json=r.json'],
      { cwd, env: { PASSWORD } },
    )
    await server.journal.waitFor({ path: '/me' }, { timeoutMs: 60_000 })
    child.kill(signal)
    t.equal((await ended).exitCode, exitCode)
    const report: Rehearsal = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))
    t.equal(report.verdict, 'inconclusive')
    t.match(report.inconclusive, ['the rehearsal was stopped'])
    t.strictSame(JSON.parse(readFileSync(join(cwd, 'token-assay-report/rehearsal.json'), 'utf8')), report)
  })
