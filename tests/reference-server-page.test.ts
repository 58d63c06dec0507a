/** What docs/testing-with-the-reference-server.md shows works as it stands there. */
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { runAsUser } from './fixtures/run-as-user.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/testing-with-the-reference-server.md'), 'utf8')
const TSX = import.meta.resolve('tsx')

t.jobs = 3

t.test('the parts in TypeScript make one program', async (t) => {
  // The sources in place of the package, which need not be built.
  const program = blocksIn('ts').replaceAll(`'token-assay'`, `'${new URL('../index.ts', import.meta.url)}'`)
  t.ok(program.split('startReferenceServer(').length > 3)
  const { exitCode, stdout, stderr } = await runAsUser(
    process.execPath,
    ['--import', TSX, 'program.mts'],
    t.testdir({ 'program.mts': program }),
  )
  t.strictSame({ exitCode, stdout, stderr }, { exitCode: 0, stdout: '', stderr: '' })
})

t.test('bash: a token, the documented refusal, an account, and why', async (t) => {
  const { exitCode, stdout, stderr } = await runAsUser(
    'bash',
    ['program.sh'],
    installedIn(t, { 'program.sh': blocksIn('bash') }),
  )
  t.equal(exitCode, 0, stderr)
  const [token = '', ...others] = stdout.split('\n')
  t.match(JSON.parse(token), { token_type: 'bearer', expires_in: 1_209_599, userName: 'alice' })
  const rest = others.join('\n')
  t.match(rest, /^HTTP\/1\.1 400 Bad Request\r$/m)
  t.match(rest, /^\{"error":"unsupported_grant_type"\}$/m)
  t.match(rest, /^\{.*"userName":"bob".*\}$/m)
  t.match(rest, /"path":"\/Token","status":400,"refusal":"wrong-media-type","reason":"/)
  t.notMatch(stdout + stderr, /Correct-horse/)
})

t.test('Python: a service for the length of a block', async (t) => {
  const folder = installedIn(t, { 'program.py': blocksIn('python') })
  const { exitCode, stdout, stderr } = await runAsUser('python3', ['program.py'], folder)
  t.strictSame({ exitCode, stdout }, { exitCode: 0, stdout: '' }, 'ran', { stderr })
})

/** A folder where the package is installed, with a program in it. */
function installedIn(t: Test, program: Readonly<Record<string, string>>): string {
  const command = `#!/bin/sh\nexec "${process.execPath}" --import "${TSX}" "${ROOT}cli/main.ts" "$@"\n`
  const folder = t.testdir({ ...program, node_modules: { '.bin': { 'token-assay': command } } })
  chmodSync(join(folder, 'node_modules/.bin/token-assay'), 0o755)
  return folder
}

function blocksIn(language: string): string {
  const blocks = PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map(([, block = '']) => block).join('\n')
}
