import { join } from 'node:path'
import t, { type Test } from 'tap'
import { callCommand } from '../fixtures/call-command.js'
import { type Ended, readReportIn } from '../fixtures/command.js'
import { alice, type FieldService, startFieldService, targetFor } from '../fixtures/field-service.js'

/** Runs the suite against a target file; the console's first lines are what a log shows first. */
async function assay(t: Test, target: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const cwd = t.testdir({ 'token-assay.yaml': target })
  const all = ['run', '--seed', '1', '--runs', '1', '--out', 'o', '--no-color', ...args]
  const ended: Ended = await callCommand(all, { cwd, env })
  const report = readReportIn(join(cwd, 'o'))
  return { ...ended, report, lines: ended.stdout.trim().split('\n') }
}

const UNREACHABLE = {
  'a port at which nothing listens': ['http://127.0.0.1:1', 'The connection was refused'],
  'a host that does not resolve': ['http://no-such-host.invalid', 'The host name'],
} as const

for (const [title, [baseUrl, message]] of Object.entries(UNREACHABLE))
  t.test(`${title}: one paragraph, and 3`, async (t) => {
    const { exitCode, stdout, lines, report } = await assay(t, targetFor(baseUrl))
    t.equal(exitCode, 3)
    t.match(lines.slice(0, 12).join(' ').replaceAll(/\s+/g, ' '), `cannot reach ${baseUrl}: ${message}`)
    t.equal(stdout.split('cannot reach').length, 2, 'said once')
    t.ok(lines.length <= 12, `and little else: ${stdout}`)
    t.equal(report.trouble[0]?.requests, 1, 'tried once')
    t.ok(report.results.every(({ outcome }) => outcome === 'cantTell' || outcome === 'inapplicable'))
  })

t.test('a wrong password of the main account: one failed login, and 3', async (t) => {
  const service = await startFieldService(t, () => undefined)
  const accounts = [{ ...alice, password: 'Another-1-password' }]
  const { registration: _, ...target } = JSON.parse(targetFor(service.url, { accounts }))
  const { exitCode, lines, stderr, report } = await assay(t, JSON.stringify(target))
  t.equal(exitCode, 3)
  t.ok(
    lines.length + stderr.trim().split('\n').length <= 14,
    'fourteen lines, progress and announcement among them',
  )
  const shown = lines.join(' ').replaceAll(/\s+/g, ' ')
  t.match(shown, /cannot sign in as alice at \S+: the service refuses the plain login \(400, /)
  for (const hint of ['password is right', 'TOKEN_ASSAY_PASSWORD', '${NAME}']) t.match(shown, hint)
  t.equal(service.requests(), 1)
  t.equal(report.counts.failed, 0)
  t.equal(report.counts.passed, 0)

  const registering = await assay(t, targetFor(service.url, { accounts }))
  t.equal(registering.exitCode, 3, 'a new account signs in: it is the declared one that is wrong')
  t.equal(service.requests(), 4)

  const named = { ...target, accounts: [{ ...alice, password: '${ALICE_PASSWORD}' }] }
  const { lines: namedLines } = await assay(t, JSON.stringify(named), [], {
    ALICE_PASSWORD: 'Another-1-password',
  })
  t.match(namedLines.join(' ').replaceAll(/\s+/g, ' '), 'its password is right: `ALICE_PASSWORD`.')
})

t.test('a service that refuses an account which it has just registered breaks 1-exchange', async (t) => {
  const service = await startFieldService(t, ({ isToken }) => (isToken ? { status: 401 } : undefined))
  const { exitCode, report } = await assay(t, targetFor(service.url))
  t.equal(exitCode, 1)
  t.equal(report.rules.find(({ id }) => id === '1-exchange')?.outcome, 'failed')
})

for (const status of [404, 405, 302, 204])
  t.test(`a plain login that is answered by ${status} is judged`, async (t) => {
    const service = await startFieldService(t, ({ isToken }) => (isToken ? { status } : undefined))
    const { exitCode, report } = await assay(t, targetFor(service.url))
    t.equal(exitCode, 1)
    t.equal(report.rules.find(({ id }) => id === '1-exchange')?.outcome, 'failed')
  })

t.test('a declared account that is refused beside another is judged', async (t) => {
  const service = await startFieldService(t, () => undefined)
  const accounts = [alice, { userName: 'carol', password: 'Nobody-1-knows' }]
  const { registration: _, ...target } = JSON.parse(targetFor(service.url, { accounts }))
  const { exitCode, report } = await assay(t, JSON.stringify(target))
  t.equal(exitCode, 1)
  t.equal(report.rules.find(({ id }) => id === '1-exchange')?.outcome, 'failed')
})

t.test('a password that looks like a variable gets a warning', async (t) => {
  const service = await startFieldService(t, () => undefined)
  const accounts = [{ ...alice, password: '$ALICE_PASSWORD' }]
  const { stderr } = await assay(t, targetFor(service.url, { accounts }), ['--only', '1-exchange'])
  t.match(stderr, /warning: the password of alice looks like a variable without braces: .*\$\{NAME\}/)
})

t.test('a service that asks to wait for an hour is not waited for', async (t) => {
  const service = await startFieldService(t, () => ({ status: 429, headers: { 'Retry-After': '3600' } }))
  const { exitCode, lines, stderr } = await assay(t, targetFor(service.url))
  t.equal(exitCode, 3)
  t.equal(lines.at(-1), 'Report: o/index.html')
  t.match(stderr, `accounts there: no \`cleanUp\` is declared, so they stay\n`)
  t.match(
    lines.slice(0, 12).join(' ').replaceAll(/\s+/g, ' '),
    /asked to wait 3600 s, more than the 60 s that a run waits: declare `maxRequestsPerSecond`/,
  )
  t.equal(service.requests(), 1)
})

t.test('a stop ends the wait that an answer asks for', async (t) => {
  const service = await startFieldService(t, ({ count }) =>
    count > 20 ? { status: 429, headers: { 'Retry-After': '59' } } : undefined,
  )
  const cleanUp = { method: 'DELETE', path: '/accounts/$userName' }
  const target = JSON.parse(targetFor(service.url))
  const { exitCode, stdout, stderr, report } = await assay(
    t,
    JSON.stringify({ ...target, registration: { ...target.registration, cleanUp } }),
    ['--max-duration', '6'],
  )
  t.equal(exitCode, 3)
  // Far more than a busy machine adds to 6 s, and less than the wait.
  t.ok(report.durationMs < 50_000, `${report.durationMs} ms`)
  const limit = report.limits.find(({ setting }) => setting === '--max-duration')
  t.match(limit, { declared: 6, needed: undefined })
  t.ok(limit?.notTried.includes('4.1/wrong-password'))
  t.match(report.accounts, [{ made: Number, removed: 0, cleanUpFailed: Number }])
  t.match(stdout, 'remove `--max-duration 6` to run all')
  t.match(stderr, `accounts there: \`cleanUp\` removes them at the end\n`)
  t.match(stderr, /waiting 59.* s: an answer with status 429 asked for it\n.*maxRequestsPerSecond/)
})

t.test('a service that dies during the observations is not green', async (t) => {
  let observing = false
  const service: FieldService = await startFieldService(t, ({ body, path }, service) => {
    // The path in other case is an observation.
    observing ||= path.startsWith('/token') || body.includes('x'.repeat(1000))
    if (observing) service.die()
    return observing ? 'drop' : undefined
  })
  const { exitCode, stdout } = await assay(t, targetFor(service.url))
  t.equal(exitCode, 3)
  t.match(stdout, 'the service has ceased to work')
})

t.test('where four requests are taken at a time, eight workers soon keep to four', async (t) => {
  const trouble = async (concurrency: number) => {
    const service = await startFieldService(t, ({ inFlight }) =>
      inFlight > 4 ? { status: 503, headers: { 'Retry-After': '1' } } : undefined,
    )
    const narrow = ['--only', '4.1/*', '--concurrency', `${concurrency}`]
    const { exitCode, report } = await assay(t, targetFor(service.url), narrow)
    t.equal(exitCode, 0)
    return { ...report.trouble[0], runs: report.results.map(({ id, runs }) => [id, runs]) }
  }
  const [four, eight] = [await trouble(4), await trouble(8)]
  t.equal(four?.rateLimited, 0)
  t.equal(four?.waitedMs, 0)
  const refused = eight?.rateLimited ?? 0
  t.ok(refused > 0 && refused <= 16, `${refused} refused`)
  t.ok(Number(eight?.waitedMs) <= 5000, `${eight?.waitedMs} ms waited`)
  // Controls that were sent in the same moment are shared, so the requests may differ.
  t.strictSame(eight.runs, four.runs, 'the same is tried')
})
