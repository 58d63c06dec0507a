/** What docs/testing-with-the-reference-server.md shows works as it is written. */
import t from 'tap'
import { installedIn, programOf, typescriptOf } from '../fixtures/page.js'
import { runAsUser } from '../fixtures/run-as-user.js'

const PAGE = 'docs/testing-with-the-reference-server.md'

t.jobs = 3

t.test('the parts in TypeScript make one program', async (t) => {
  t.ok(programOf(PAGE, 'ts').split('startReferenceServer(').length > 3)
  const { exitCode, stdout, stderr } = await runAsUser(...typescriptOf(t, PAGE))
  t.strictSame({ exitCode, stdout, stderr }, { exitCode: 0, stdout: '', stderr: '' })
})

t.test('bash: a token, the documented refusal, an account, and why', async (t) => {
  const { exitCode, stdout, stderr } = await runAsUser(
    'bash',
    ['program.sh'],
    installedIn(t, { 'program.sh': programOf(PAGE, 'bash') }),
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
  const folder = installedIn(t, { 'program.py': programOf(PAGE, 'python') })
  const { exitCode, stdout, stderr } = await runAsUser('python3', ['program.py'], folder)
  t.strictSame({ exitCode, stdout }, { exitCode: 0, stdout: '' }, 'ran', { stderr })
})
