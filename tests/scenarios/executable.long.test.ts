/** The executable file as a team without Node meets it: in an empty folder, with nothing beside it. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { SUITE } from '../../reports/model/compose-report.js'
import { readReport } from '../fixtures/command.js'
import { type Ran, runAsUser } from '../fixtures/run-as-user.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NODE = join(ROOT, 'build/node/bin/node')
const ACCOUNT = { TOKEN_ASSAY_PASSWORD: 'Alice-and-1-password' }

const work = await realpath(await mkdtemp(join(tmpdir(), 'token-assay-')))
t.teardown(() => rm(work, { recursive: true, force: true }))
const file = join(work, 'token-assay-linux-x64')
/** What a shell's client of the tests needs, and no Node. */
const bin = join(work, 'bin')

for (const script of ['bundle/build-bundle.ts', 'executable/build.ts']) {
  const built = await runAsUser('npx', ['tsx', `tools/release/${script}`], ROOT)
  if (built.exitCode !== 0) throw new Error(`not built: ${built.stderr}`)
}
await copyFile(join(ROOT, 'build/token-assay-linux-x64'), file)
await mkdir(bin)
for (const name of ['sh', 'curl', 'sed']) {
  const { stdout } = await promisify(execFile)('sh', ['-c', `command -v ${name}`])
  await symlink(stdout.trim(), join(bin, name))
}

/** Runs the file in a folder of its own, which is empty at first. */
async function run(folder: string, args: readonly string[]): Promise<Ran & { readonly cwd: string }> {
  const cwd = join(work, folder)
  await mkdir(cwd, { recursive: true })
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env: { PATH: bin, ...ACCOUNT } }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), stdout, stderr, cwd })
    })
  })
}

/** Starts `serve`, gives its base URL to the function, and stops it. */
async function served(flags: readonly string[], use: (url: string) => Promise<void>): Promise<number | null> {
  const args = ['serve', '--port', '0', '--user-name', 'alice', '--log-level', 'silent', ...flags]
  const server = spawn(file, args, { cwd: work, env: { PATH: bin, ...ACCOUNT } })
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve))
  const url = new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (line: Buffer) => resolve(`${line}`.trim()))
    ended.then((exitCode) => reject(new Error(`serve ended with ${exitCode}`)))
  })
  try {
    await use(await url)
  } finally {
    server.kill('SIGTERM')
  }
  return ended
}

t.test('every command is in it', async (t) => {
  t.strictSame(await run('version', ['--version']), {
    exitCode: 0,
    stdout: `${SUITE.version}\n`,
    stderr: '',
    cwd: join(work, 'version'),
  })
  const { stdout } = await run('version', ['--help'])
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name)
  t.ok(commands.includes('run') && commands.includes('merge') && commands.length > 12, `${commands}`)
  for (const name of commands) {
    const help = await run('version', [name, '--help'])
    t.strictSame([help.exitCode, help.stderr], [0, ''], name)
    t.match(help.stdout, `Usage: token-assay ${name}`)
  }
})

t.test('run: the embedded server, a right service, a wrong one, a wrong flag', async (t) => {
  const embedded = await run('embedded', ['run', '--embedded', '--only', '2.1/token-response', '--quiet'])
  t.equal(embedded.exitCode, 0, embedded.stderr)
  t.equal(readReport(embedded.cwd).verdict, 'conformant')

  const one = ['--user-name', 'alice', '--only', '2.1/token-response', '--quiet']
  // Passwords are hashed by argon2id unless a flag says otherwise.
  const stopped = await served([], async (url) => {
    const answer = await fetch(`${url}/Token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        username: 'alice',
        password: ACCOUNT.TOKEN_ASSAY_PASSWORD,
      }),
    })
    t.equal(answer.status, 200)
    t.match(await answer.json(), { token_type: 'bearer', userName: 'alice' })
    const right = await run('right', ['run', url, ...one])
    t.equal(right.exitCode, 0, right.stdout + right.stderr)
    const init = await run('init', ['init', url, '--user-name', 'alice'])
    t.equal(init.exitCode, 0, init.stderr)
    t.match(readFileSync(join(init.cwd, 'token-assay.yaml'), 'utf8'), url)
  })
  t.equal(stopped, 0, 'serve ends as asked')
  await served(['--mutant', 'duplicate-member', '--hashing', 'fast'], async (url) => {
    const wrong = await run('wrong', ['run', url, ...one])
    t.equal(wrong.exitCode, 1, wrong.stdout + wrong.stderr)
    t.match(wrong.stdout, '2.1-json-object')
  })
  const misuse = await run('misuse', ['run', '--bogus'])
  t.match(misuse, { exitCode: 2, stdout: '', stderr: /^token-assay: unknown flag `--bogus`/ })
})

t.test('client, prove and export', async (t) => {
  const signIn = `token=$(curl -sS "$TOKEN_ASSAY_URL/Token" -d grant_type=password -d "username=$TOKEN_ASSAY_USER_NAME" \
    --data-urlencode "password=$TOKEN_ASSAY_PASSWORD" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
    test -n "$token"`
  const only = ['client:request/plain', 'client:refusal/wrong-password'].flatMap((id) => ['--only', id])
  const client = await run('client', ['client', ...only, '--quiet', '--', 'sh', '-c', signIn])
  t.equal(client.exitCode, 0, client.stdout + client.stderr)
  // Its workers are the file itself.
  const prove = await run('prove', ['prove', '--quiet', '--mutant', 'duplicate-member'])
  t.equal(prove.exitCode, 0, prove.stderr)
  t.match(prove.stdout, 'PROVEN: 1 mutant')
  const k6 = await run('export', ['export', 'k6', 'http://127.0.0.1:9', '--user-name', 'alice'])
  t.equal(k6.exitCode, 0, k6.stderr)
  t.match(k6.stdout, 'export default')
})

t.test('its argon2id and that of the package read each other', async (t) => {
  const ours = JSON.stringify(join(ROOT, 'tools/release/bundle/argon2.ts'))
  const script = `
    const [ours, theirs] = await Promise.all([import(${ours}), import('@node-rs/argon2')])
    const options = { memoryCost: 19456, timeCost: 2, parallelism: 1 }
    const hashed = await Promise.all([ours, theirs].map(({ hash }) => hash('pässword', options)))
    const verified = []
    for (const text of hashed)
      for (const { verify } of [ours, theirs])
        for (const password of ['pässword', 'Pässword']) verified.push(await verify(text, password))
    console.log(verified.join())`
  const read = await promisify(execFile)(NODE, ['--input-type=module', '-e', script], { cwd: ROOT })
  t.equal(read.stdout, 'true,false,true,false,true,false,true,false\n')
})

t.test('it hears nothing of NODE_OPTIONS, which are for another Node', async (t) => {
  const { stdout } = await promisify(execFile)(file, ['--version'], {
    env: { PATH: bin, NODE_OPTIONS: '--no-such-option' },
  })
  t.equal(stdout, `${SUITE.version}\n`)
})

t.test('a diagnostic report of Node holds no variable of the environment', async (t) => {
  const flags = ['--report-on-signal', `--report-directory=${work}`, '--report-filename=report.json']
  const args = [...flags, 'build/token-assay.cjs', 'serve', '--port', '0', '--log-level', 'silent']
  const server = spawn(NODE, args, { cwd: ROOT, env: { PATH: bin, ...ACCOUNT } })
  const ended = new Promise((resolve) => server.once('close', resolve))
  server.stdout.once('data', () => server.kill('SIGUSR2'))
  let printed = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.includes('report completed')) server.kill('SIGTERM')
  })
  await ended
  const report = readFileSync(join(work, 'report.json'), 'utf8')
  t.match(report, '"javascriptHeap"')
  t.notMatch(report, ACCOUNT.TOKEN_ASSAY_PASSWORD)
})

t.test('the licences of what is in it are beside it', async (t) => {
  const licenses = readFileSync(join(ROOT, 'build/LICENSES'), 'utf8')
  for (const name of ['Node', 'undici: MIT', 'fast-check: MIT', 'yaml: ISC']) t.match(licenses, `\n${name}\n`)
})
