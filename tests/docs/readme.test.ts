import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { RUN_FLAGS } from '../../cli/run/run-flags.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { MUTANTS } from '../../prove/mutants/index.js'
import { callCommand } from '../fixtures/call-command.js'
import { startCommand } from '../fixtures/command.js'
import { startReference } from '../fixtures/reference.js'
import { runAsUser } from '../fixtures/run-as-user.js'
import { missingLine } from '../fixtures/tutorial.js'

const read = (page: string): string => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')

t.test('the target file that its page shows is one', async (t) => {
  const yaml = /```yaml\n(.*?)```/s.exec(read('docs/target-file.md'))?.[1] ?? ''
  const file = join(t.testdir({ 'token-assay.yaml': yaml }), 'token-assay.yaml')
  const target = loadTargetFile(file, { ALICE_PASSWORD: 'one', BOB_PASSWORD: 'two', KEY: 'three' })
  t.equal(target.name, 'Contoso accounts')
  t.same(
    target.deployments.map(({ name, includesUserId }) => [name, includesUserId]),
    [
      ['default', false],
      ['with-user-id', true],
    ],
  )
  t.ok(target.deployments.every(({ registration, externalLogin }) => registration && externalLogin))
})

t.test('every flag of run that its page names is there', async (t) => {
  const page = read('docs/run.md')
  const table = page.slice(
    page.indexOf('| `run` |'),
    page.indexOf('`token-assay run --help` lists all flags'),
  )
  const named = [...table.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name)
  t.ok(named.length > 8)
  t.same(
    named.filter((name) => !Object.hasOwn(RUN_FLAGS, name)),
    [],
  )
})

t.test('the README names every command, and what it shows of a failure is what is printed', async (t) => {
  const readme = read('README.md')
  const table = readme.slice(readme.indexOf('| command | does |'))
  const commands = /^ {2}[a-z]+ +\S/gm
  const { stdout } = await callCommand(['--help'], { cwd: t.testdir() })
  const names = Array.from(stdout.matchAll(commands), ([line]) => line.trim().split(' ')[0] ?? '')
  t.ok(names.length > 10)
  for (const name of names) t.match(table, new RegExp(`\`[^\`]*\\b${name}\\b`), name)

  const mutant = MUTANTS.find(({ id }) => id === 'capital-bearer')
  const accounts = [{ userName: 'alice', password: 'Correct-horse-1' }]
  const { url } = await startReference(t, { accounts, behaviour: mutant?.behaviour() ?? {} })
  const { exitCode, stdout: output } = await callCommand(
    ['run', url, '--user-name', 'alice', '--only', '2.1/token-response'],
    { cwd: t.testdir(), env: { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' } },
  )
  t.equal(exitCode, 1)
  const printed = (/```text\n(.*?)```/s.exec(readme)?.[1] ?? '')
    .replaceAll('http://127.0.0.1:8080', url)
    .replace(/@\d+:0'/, '@…')
    .split('\n')
  t.ok(printed.length > 15)
  // A run of one case has a report of its own.
  const shown = output.replace('report/index.partial.html', 'report/index.html')
  t.equal(missingLine({ printed, output: shown }), undefined)
})

t.test('the server is configured as its page shows, and does what the requests ask', async (t) => {
  const section = read('docs/reference-server.md')
  const yaml = /```yaml\n(.*?)```/s.exec(section)?.[1] ?? ''
  const [, shell = ''] = Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, code = '']) => code)
  const cwd = t.testdir({ 'server.yaml': yaml })
  const env = { ALICE_PASSWORD: 'Correct-horse-1', TOKEN_ASSAY_CONTROL_SECRET: 'known-to-the-tests-only' }
  const { child, saying } = startCommand(['serve', '--port', '0', '--control-port', '0'], { cwd, env })
  t.teardown(() => child.kill('SIGKILL'))
  const [url = '', control = ''] = (await saying('stdout', 'control http')).split('\n')
  const body = new URLSearchParams({ grant_type: 'password', username: 'alice', password: 'Wrong-horse-1' })
  t.equal((await fetch(`${url}/Token`, { method: 'POST', body })).status, 400)

  const asked = shell.replace('http://127.0.0.1:5001', control.replace('control ', ''))
  t.not(asked, shell)
  const program = `set -e\nTOKEN_ASSAY_CONTROL_SECRET=${env.TOKEN_ASSAY_CONTROL_SECRET}\n${asked.replaceAll('curl ', 'curl -sS --fail -w "\\n" ')}`
  const { exitCode, stdout, stderr } = await runAsUser('bash', ['-c', program], cwd)
  t.equal(exitCode, 0, 'all of them succeed', { stderr })
  const answers = stdout.trim().split('\n')
  t.match(
    answers.map((answer) => JSON.parse(answer)),
    [{ nowMs: Number }, { kind: 'status', id: '1' }, { name: 'worker-1' }, { refusal: 'wrong-password' }],
  )
})
