/** What the examples for other CI services run, in the shell that those would give it, on a service that they start. */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { freePorts } from '../../tools/interop/listen.js'
import { COMMAND } from '../fixtures/command.js'
import { everyNth } from '../fixtures/effort.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const [PORT] = await freePorts(1)
const PASSWORD = '${TOKEN_ASSAY_PASSWORD}'
const PARTS = ['1', '2', '3', '4']

for (const name of everyNth(['gitlab-ci.yml', 'azure-pipelines.yml', 'Jenkinsfile'], 3))
  t.test(name, async (t) => {
    const [run = ''] = commandsOf(name)
    for (const [mutant, exitCode] of [
      [[], 0],
      [['--mutant', 'capital-bearer'], 1],
    ] as const) {
      const cwd = project(t, mutant)
      t.equal(await inShell(run, cwd, {}), exitCode, run)
      t.ok(existsSync(join(cwd, 'token-assay-report/junit.xml')))
    }
  })

// Of the three only the names of variables differ.
t.test('shards/gitlab-ci.yml', async (t) => {
  const [part = '', merge = ''] = commandsOf('shards/gitlab-ci.yml')
  const cwd = project(t, [])
  for (const own of PARTS) {
    const variables = { CI_NODE_INDEX: own, CI_NODE_TOTAL: '4', CI_PIPELINE_IID: '7' }
    t.equal(await inShell(part, cwd, variables), 0, `part ${own}`)
  }
  t.equal(await inShell(merge, cwd, {}), 0, merge)
  t.ok(existsSync(join(cwd, 'token-assay-report/report.json')))
})

/** The calls of Token Assay in a file, each in one line. */
function commandsOf(name: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'examples/ci', name), 'utf8')
  const calls = text.matchAll(/node_modules\/\.bin\/token-assay (?:run|merge)[\s\S]*?--reporter console/g)
  return Array.from(calls, ([call]) => call.replace(/\s*\\?\n\s*/g, ' '))
}

/** A repository with the package installed, and a target file that starts its service. */
function project(t: Test, more: readonly string[]): string {
  const command = [process.execPath, ...COMMAND]
  const words = command.map((word) => `'${word}'`).join(' ')
  const cwd = t.testdir({
    node_modules: { '.bin': { 'token-assay': `#!/bin/sh\nexec ${words} "$@"\n` } },
    'token-assay.yaml': JSON.stringify({
      baseUrl: `http://127.0.0.1:${PORT}`,
      accounts: [{ userName: 'alice', password: PASSWORD }],
      start: {
        command: [...command, ...`serve --port ${PORT} --user-name alice --hashing fast`.split(' '), ...more],
        env: { TOKEN_ASSAY_PASSWORD: PASSWORD },
      },
    }),
  })
  chmodSync(join(cwd, 'node_modules/.bin/token-assay'), 0o755)
  return cwd
}

function inShell(
  command: string,
  cwd: string,
  variables: NodeJS.ProcessEnv,
): Promise<number | string | null | undefined> {
  const env = {
    PATH: process.env.PATH,
    TOKEN_ASSAY_PASSWORD: 'Alice-and-1-horse',
    PORT: String(PORT),
    ...variables,
  }
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd, env }, () => resolve(child.exitCode))
  })
}
