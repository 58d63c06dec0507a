import t from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../../tests/fixtures/call-command.js'

const alice = { userName: 'alice', password: 'Correct-horse-1' }
const env = { TOKEN_ASSAY_PASSWORD: alice.password }
const flags = ['--user-name', 'alice', '--only', '4.1/password-grant']

t.test('the endpoint in place of the base URL is refused: 2, and what to give', async (t) => {
  await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
  const { exitCode, stdout, stderr } = await callCommand(['run', `${server.url}/Token`, ...flags], {
    cwd: t.testdir(),
    env,
  })
  t.strictSame([exitCode, stdout], [2, ''])
  t.match(
    stderr,
    `${server.url}/Token/Token is not there (404), and ${server.url}/Token is: give ${server.url}\n`,
  )
})

t.test('a service whose base path ends so is tested', async (t) => {
  await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast', basePath: '/token' })
  const { exitCode, stderr } = await callCommand(['run', server.url, ...flags], { cwd: t.testdir(), env })
  t.equal(exitCode, 0)
  t.match(stderr, `/Token is appended to the base URL: the endpoint is ${server.url}/Token\n`)
})
