import t from 'tap'
import { startCommand } from '../../tests/fixtures/command.js'

const PASSWORD = 'Canary-in-a-mine-7'

t.jobs = 2

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`serve tells its base URL, issues tokens, and ends with 0 on ${signal}`, async (t) => {
    const flags = ['--port', '0', '--base-path', '/auth', '--hashing', 'fast', '--includes-user-id']
    const { child, ended, saying } = startCommand(
      ['serve', ...flags, '--user-name', 'alice', '--user-id', '7d1f', '--token-lifetime', '60'],
      { cwd: t.testdir(), env: { TOKEN_ASSAY_PASSWORD: PASSWORD } },
    )
    const url = (await saying('stdout', '\n')).trimEnd()
    t.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*\/auth$/)
    const body = new URLSearchParams({ grant_type: 'password', username: 'alice', password: PASSWORD })
    const response = await fetch(`${url}/Token`, { method: 'POST', body })
    const token: unknown = await response.json()
    t.match(token, { token_type: 'bearer', expires_in: 59, userName: 'alice', userId: '7d1f' })
    child.kill(signal)
    const { exitCode, stdout, stderr } = await ended
    t.equal(exitCode, 0)
    t.equal(stdout, `${url}\n`)
    for (const line of stderr.trim().split('\n')) t.doesNotThrow(() => JSON.parse(line), line)
    t.notMatch(stderr, new RegExp(`${PASSWORD}|alice`))
  })
}
