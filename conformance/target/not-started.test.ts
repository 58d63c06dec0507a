import { spawnSync } from 'node:child_process'
import t from 'tap'
import { readPasswords } from '../assess/rehearsal/cohort/read-passwords.js'
import { commandClient } from '../drivers/host/run-command.js'
import type { CohortSettings } from './deployment.js'
import { explainNotStarted } from './not-started.js'
import { restartByCommand } from './restart-command.js'

const { signal } = new AbortController()
const redactor = { output: (text: string) => text }

t.test('a program that is not started is named, with what to do', async (t) => {
  const folder = t.testdir({ 'plain.txt': 'text', 'no-interpreter': '#!/no/such/program\n' })
  spawnSync('chmod', ['+x', `${folder}/no-interpreter`])
  const cases: readonly (readonly [program: string, why: RegExp, folder?: string])[] = [
    ['no-such-command', /was not found in PATH: install it, or write its path$/],
    ['./no-such-command', /was not found: there is no such file, as seen from \//],
    ['./plain.txt', /may not be executed: make it executable, or name the program that runs it/],
    ['./no-interpreter', /could not be started: the program that its first line names was not found$/],
    ['node', /could not be started: its folder .*\/gone does not exist$/, `${folder}/gone`],
    ['x'.repeat(300), /could not be started: ENAMETOOLONG$/],
    ['a\0b', /could not be started: its name, an argument or a variable has a NUL character$/],
    ['', /could not be started: its name is empty$/],
  ]
  for (const [program, why, cwd = folder] of cases) {
    const command = [program] as const
    const start = { command, env: {}, cwd, readyTimeoutMs: 10_000 }
    const passwords = { passwords: { command, cwd, env: {} } } as unknown as CohortSettings
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      restart: () => restartByCommand(start, [], redactor, signal),
      passwords: () => readPasswords(passwords, signal).next(),
      client: () => commandClient(program, [], 10_000, cwd)({ url: 'http://x' } as never, signal),
    }
    for (const [way, begin] of Object.entries(ways)) {
      const error: Error = await begin().then(
        () => new Error('it was started'),
        (reason) => reason,
      )
      t.match(error, { name: 'AssayError' }, way)
      t.match(error.message, why, way)
    }
  }
  t.match(explainNotStarted(Object.assign(new Error('x'), { code: 'EPERM' }), 'x', folder), /EPERM$/)
})

t.test('a command that is waited for has a limit, and its message says so', async (t) => {
  const command = [process.execPath, '-e', 'setInterval(() => undefined, 1000)'] as const
  const start = { command, env: {}, cwd: '.', readyTimeoutMs: 50 }
  await t.rejects(restartByCommand(start, [], redactor, signal), { message: /` did not end in 0\.05 s$/ })
  const passwords = { passwords: { command, cwd: '.', env: {} } } as unknown as CohortSettings
  await t.rejects(readPasswords(passwords, signal, 50).next(), {
    code: 'start-failed',
    message: /`cohort\.passwords`, `.*`, printed nothing for 0\.05 seconds$/,
  })
})
