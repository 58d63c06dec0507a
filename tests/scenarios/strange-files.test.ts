/** What a name leads to may be no file, or no usual one: one message, and no wait for what never comes. */
import { spawnSync } from 'node:child_process'
import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { callCommand } from '../fixtures/call-command.js'

const skip = process.platform === 'win32' && 'there are no such files'
const ACCOUNTS = [{ userName: 'alice', password: 'Alice-and-1-password' }]
const TARGET = { baseUrl: 'https://127.0.0.1:9', accounts: ACCOUNTS, tls: { ca: 'strange' } }
const SERVER = { port: 0, tls: { cert: 'strange', key: 'strange' } }

const STRANGE: Readonly<Record<string, (path: string) => void>> = {
  large: (path) => {
    spawnSync('touch', [path])
    truncateSync(path, 2 ** 31)
  },
  loop: (path) => symlinkSync('strange', path),
  'broken link': (path) => symlinkSync('nowhere', path),
  device: (path) => symlinkSync('/dev/zero', path),
}
const CALLS = [
  ['run', '--target', 'target.json', '--quiet'],
  ['run', '--target', 'strange'],
  ['run', 'http://127.0.0.1:9', '--user-name', 'alice', '--cases', 'cases', '--quiet'],
  ['run', 'http://127.0.0.1:9', '--user-name', 'alice', '--from', 'strange', '--quiet'],
  ['proxy', '--target', 'http://127.0.0.1:9', '--port', '0', '--tls-cert', 'strange', '--tls-key', 'strange'],
  ['serve', '--config', 'server.json'],
]

for (const [what, make] of Object.entries(STRANGE))
  t.test(`${what}: refused in one message`, { skip }, async (t) => {
    const cwd = t.testdir({
      'target.json': JSON.stringify(TARGET),
      'server.json': JSON.stringify(SERVER),
      cases: {},
    })
    make(join(cwd, 'strange'))
    make(join(cwd, 'cases/strange.yaml'))
    for (const args of CALLS) {
      const { exitCode, stderr } = await callCommand(args, {
        cwd,
        env: { TOKEN_ASSAY_PASSWORD: 'Alice-and-1-password' },
      })
      t.equal(exitCode, 2, `${args.slice(0, 3).join(' ')}: ${stderr}`)
      t.match(stderr, /(?:expected|at most) /)
      t.notMatch(stderr, 'a bug')
    }
  })

t.test('a server waits for no one who writes its certificate', { skip }, async (t) => {
  const cwd = t.testdir({ 'server.json': JSON.stringify(SERVER) })
  spawnSync('mkfifo', [join(cwd, 'strange')])
  const { exitCode, stderr } = await callCommand(['serve', '--config', 'server.json'], { cwd })
  t.equal(exitCode, 2)
  t.match(stderr, /server\.json:1:\d+: expected a PEM file, found none that can be read at /)
})
