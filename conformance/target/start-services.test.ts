import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freePorts } from '../../tools/interop/listen.js'
import { vocabularyOf } from '../evidence/describe.js'
import { Redactor } from '../evidence/redact.js'
import type { Deployment, StartCommand } from './deployment.js'
import { processTree, SYSTEM, type System } from './process-tree.js'
import { startServices } from './start-services.js'
import { resolveTarget } from './target.js'

/** A deployment whose service is that program of Node, in a file of its own. */
async function deploymentOf(
  folder: string,
  program: string,
  env: StartCommand['env'] = {},
): Promise<Deployment> {
  writeFileSync(join(folder, 'service.mjs'), program)
  const { deployments } = resolveTarget({
    baseUrl: `http://127.0.0.1:${await freePorts(1)}`,
    accounts: [{ userName: 'alice', password: 'unset' }],
    start: { command: [process.execPath, join(folder, 'service.mjs')], env, readyTimeoutMs: 20_000 },
  })
  return deployments[0]
}

const redactorOf = (...values: readonly string[]): Redactor =>
  new Redactor(
    values.map((value) => ({ value, label: 'a secret' })),
    vocabularyOf({ hash: '', requirements: [], cases: [], observations: [] }),
  )
const { signal } = new AbortController()

t.test('our variables are for a service that names it alone', async (t) => {
  t.intercept(process, 'env', {
    value: { ...process.env, TOKEN_ASSAY_PASSWORD: 'inherited', TOKEN_ASSAY_CONTROL_SECRET: 'inherited' },
  })
  const program =
    'const { TOKEN_ASSAY_PASSWORD: p, TOKEN_ASSAY_CONTROL_SECRET: s } = process.env; console.log("it has <" + p + s + ">"); process.exit(1)'
  const inherits = await deploymentOf(t.testdir(), program)
  await t.rejects(startServices([inherits], redactorOf(), signal), { message: /it has <undefinedundefined>/ })
  const names = await deploymentOf(t.testdir(), program, { TOKEN_ASSAY_PASSWORD: 'named' })
  await t.rejects(startServices([names], redactorOf(), signal), { message: /it has <namedundefined>/ })
})

t.test('what a failing service prints is shown without secrets, however short or usual', async (t) => {
  const program = 'console.log("no database for user a1 with secret, at port 80"); process.exit(3)'
  const deployment = await deploymentOf(t.testdir(), program)
  await t.rejects(startServices([deployment], redactorOf('a1', 'secret', '80', 'Quite-a-long-one'), signal), {
    message:
      /ended with exit code 3; it printed: no database for user ‹a secret› with ‹a secret›, at port ‹a secret›$/,
  })
})

t.test('a service that prints nothing is said to, and of much the last whole lines are shown', async (t) => {
  const silent = await deploymentOf(t.testdir(), 'process.exit(3)')
  await t.rejects(startServices([silent], redactorOf(), signal), {
    message: /ended with exit code 3; it printed nothing$/,
  })
  const program = 'for (let i = 1000; i < 2000; i++) console.log(`line ${i}`); process.exitCode = 3'
  const wordy = await deploymentOf(t.testdir(), program)
  await t.rejects(startServices([wordy], redactorOf(), signal), {
    message: /; it printed: line 1\d{3} \| .* \| line 1999$/,
  })
})

t.test('of a secret that was cut where much was printed, no half is shown', async (t) => {
  const secret = 'Quite-a-long-one'
  for (const end of ['\\n', '\\r\\n', '12\\n']) {
    const program = `console.log("${secret}" + "${end}".repeat(65536 / "${end}".length - 5)); process.exit(3)`
    const deployment = await deploymentOf(t.testdir(), program)
    await t.rejects(startServices([deployment], redactorOf(secret), signal), {
      message: /ended with exit code 3$/,
    })
  }
})

t.test('what cannot be started at all is one message', async (t) => {
  const cwd = t.testdir({ loop: t.fixture('symlink', 'loop') })
  const deployment = await deploymentOf(cwd, '')
  for (const [command, message] of [
    [[`${cwd}/loop`], /loop` could not be started: ELOOP/],
    [['x'.repeat(300)], /could not be started: ENAMETOOLONG/],
    [['node', 'Quite-a-long-one\0'], /^the service `node` could not be started: .* has a NUL character$/],
  ] as const) {
    const start = { ...deployment.start, command, env: {}, cwd, readyTimeoutMs: 1000 }
    await t.rejects(startServices([{ ...deployment, start }], redactorOf('Quite-a-long-one'), signal), {
      message,
    })
  }
})

t.test('what will not end is not waited for', async (t) => {
  const deployment = await deploymentOf(
    t.testdir(),
    `import { createServer } from 'node:http'
     const { port } = new URL(process.env.URL)
     createServer().listen(Number(port), '127.0.0.1')`,
  )
  const start = { ...deployment.start, env: { URL: deployment.baseUrl } } as StartCommand
  const pids: number[] = []
  const system: System = { ...SYSTEM, platform: 'linux', kill: (pid) => void pids.push(-pid) }
  const services = await startServices([{ ...deployment, start }], redactorOf(), signal, {
    system,
    graceMs: 50,
  })
  await services.stop()
  t.ok(pids.length >= 2, 'it was asked to end, and then killed')
  process.kill(pids[0] ?? 0, 'SIGKILL')
})

t.test('on Windows a service is ended with all that it started', (t) => {
  const calls: string[] = []
  const child = Object.assign(new EventEmitter(), {
    pid: 77,
    exitCode: null as number | null,
    signalCode: null,
    kill: () => calls.push('kill') > 0,
  })
  const system = (succeeds: boolean): System => ({
    platform: 'win32',
    kill: () => t.fail('there are no groups'),
    run: (command, args) => {
      calls.push([command, ...args].join(' '))
      return succeeds
    },
  })
  // What a process tree reads of a child process.
  const treeOf = (succeeds: boolean) => processTree(child as never, system(succeeds))
  t.equal(treeOf(true).signal(0), true)
  t.equal(treeOf(true).signal('SIGTERM'), true)
  t.equal(treeOf(false).signal('SIGKILL'), true)
  t.strictSame(calls, ['taskkill /pid 77 /t /f', 'taskkill /pid 77 /t /f', 'kill'])
  child.exitCode = 0
  t.equal(treeOf(true).signal('SIGTERM'), false)
  t.equal(treeOf(true).signal(0), false)
  t.equal(calls.length, 3, 'what has ended is left alone: its number may be another process by now')
  t.end()
})
