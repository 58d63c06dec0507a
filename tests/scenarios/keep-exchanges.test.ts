import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'

const env = { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' }
const server = await startReferenceServer({
  accounts: [{ userName: 'alice', password: env.TOKEN_ASSAY_PASSWORD }],
  hashing: 'fast',
})
t.teardown(() => server.close())

const form = { grant_type: 'password', username: '$account.userName', password: '$account.password' }
const grant = (name: string, expected: object) => ({
  id: `own:keep/${name}`,
  title: `a grant, ${name}`,
  send: { form },
  expect: [{ rule: 'own:keep-status', ...expected }],
})
const RULE = { id: 'own:keep-status', section: 'own:keep', level: 'must', statement: 'A grant is 200.' }
const CASES = [
  grant('passes', { status: 200 }),
  grant('fails', { status: 201 }),
  grant('in-doubt', { given: 'refusal', status: 400 }),
].map((written) =>
  written.id.endsWith('in-doubt') ? { ...written, control: '4.1/password-grant' } : written,
)

t.test('what went over the wire is kept of all results, of those to look at, or of none', async (t) => {
  for (const [flags, kept] of [
    [[], { passes: 1, fails: 1, 'in-doubt': 3 }],
    [['--keep-exchanges', 'all'], { passes: 1, fails: 1, 'in-doubt': 3 }],
    [['--keep-exchanges', 'failed'], { passes: 0, fails: 1, 'in-doubt': 3 }],
    [['--keep-exchanges', 'none'], { passes: 0, fails: 0, 'in-doubt': 0 }],
  ] as const) {
    const cwd = t.testdir({ mine: {} })
    const file = { section: 'own:keep', requirements: [RULE], cases: CASES }
    await writeFile(join(cwd, 'mine/a.json'), JSON.stringify(file))
    const args = ['run', server.url, '--user-name', 'alice', '--cases', 'mine', '--only', 'own:*', '--quiet']
    const { exitCode, stderr } = await callCommand([...args, ...flags], { cwd, env })
    t.equal(exitCode, 1, stderr)
    const { results } = readReport(cwd)
    const own = results.filter(({ case: id }) => id.startsWith('own:'))
    t.strictSame(
      Object.fromEntries(
        own.map(({ case: id, exchanges }) => [id.slice('own:keep/'.length), exchanges.length]),
      ),
      kept,
      flags.join(' '),
    )
    // The means to repeat a failure are no exchange.
    const failed = own.flatMap(({ judgements }) => judgements).filter(({ outcome }) => outcome === 'failed')
    t.ok(failed.length > 0 && failed.every(({ reproduce }) => reproduce !== undefined))
  }
})

t.test('another word is refused', async (t) => {
  const { exitCode, stderr } = await callCommand(['run', '--keep-exchanges', 'some'], { cwd: t.testdir({}) })
  t.equal(exitCode, 2)
  t.match(stderr, '--keep-exchanges takes all, failed or none, not `some`')
})
