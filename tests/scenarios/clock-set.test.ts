import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createClock } from '../../reference/clock.js'
import { startReferenceServer } from '../../reference/server.js'
import { callCommand } from '../fixtures/call-command.js'
import { readReport } from '../fixtures/command.js'

const ALICE = { userName: 'alice', password: 'Alice-and-1-password' }
const realNow = Date.now
t.afterEach(() => {
  Date.now = realNow
})

for (const hours of [-24, -1, 1, 24])
  t.test(`the clock of this machine is set by ${hours} h amid a run: no one is accused`, async (t) => {
    const server = await startReferenceServer({
      accounts: [ALICE],
      hashing: 'fast',
      // Of another machine.
      clock: createClock(realNow),
      behaviour: {
        dateHeader: () => {
          Date.now = () => realNow() + hours * 3_600_000
          return undefined
        },
      },
    })
    t.teardown(() => server.close())
    const cwd = t.testdir()
    const flags = ['--user-name', 'alice', '--only', '2.1/*', '--max-duration', '600', '--quiet']
    const { exitCode, stderr } = await callCommand(['run', server.url, ...flags], {
      cwd,
      env: { TOKEN_ASSAY_PASSWORD: ALICE.password },
    })
    t.equal(exitCode, 3, stderr)
    const { results, limits } = readReport(cwd)
    t.strictSame(limits, [], 'no deadline is over')
    const judgements = results.flatMap((result) => result.judgements)
    t.ok(judgements.some(({ rule, outcome }) => rule === '2.1-issue-time' && outcome === 'cantTell'))
    t.match(
      readFileSync(join(cwd, 'token-assay-report/report.partial.json'), 'utf8'),
      /clock of this machine was set/,
    )
    t.notOk(judgements.some(({ outcome }) => outcome === 'failed'))
  })
