import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { startReferenceServer } from '../../reference/server.js'
import { reporterNames } from '../../reports/formats/reporters.js'
import type { Report } from '../../spec/model/report.js'
import { callCommand } from '../fixtures/call-command.js'

const alice = { userName: 'alice', password: 'Alice-and-1-password' }
const env = { TOKEN_ASSAY_PASSWORD: alice.password }

t.test('a quick run says so in every format, and replaces no report of a whole run', async (t) => {
  await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
  const cwd = t.testdir()
  const files = reporterNames.map((name) => `--reporter=${name}=${name}`)
  const args = ['run', server.url, '--user-name', 'alice', '--out', 'o', '--seed', '1', '--effort', 'quick']
  const { exitCode } = await callCommand([...args, '--quiet', ...files], { cwd, env })
  t.equal(exitCode, 0)
  for (const name of reporterNames) t.match(readFileSync(join(cwd, name), 'utf8'), /quick/, name)
  t.notOk(existsSync(join(cwd, 'o/report.json')))
  const report: Report = JSON.parse(readFileSync(join(cwd, 'o/report.partial.json'), 'utf8'))
  t.strictSame(report.selection, { effort: 'quick' })
  const limit = report.limits.find(({ setting }) => setting === '--effort')
  t.match(limit, { deployment: 'default', declared: 'quick' })
  t.match(limit?.notTried.join(), /observations,.*4\.1\/unknown-grant-type: \d+ of \d+ fixed inputs/)
  t.strictSame(report.observations, [])
  t.match(
    readFileSync(join(cwd, 'console'), 'utf8'),
    /✓ CONFORMANT in the part that ran: .*Only the likeliest\s+mistakes were tried \(--effort quick\)\./s,
  )
})

t.test('a quick run that passes does not end what --last-failed runs', async (t) => {
  await using server = await startReferenceServer({
    accounts: [alice],
    hashing: 'fast',
    // Beyond what a quick run tries.
    behaviour: { supportsGrantType: (type) => type === 'password' || type === 'implicit' },
  })
  const cwd = t.testdir()
  const args = [
    'run',
    server.url,
    '--user-name',
    'alice',
    '--seed',
    '1',
    '--quiet',
    '--only',
    '4.1/unknown-*',
  ]
  const run = (...more: string[]) => callCommand([...args, ...more], { cwd, env })
  t.equal((await run()).exitCode, 1)
  // As a whole run would have left it.
  const partial = join(cwd, 'token-assay-report/report.partial.json')
  writeFileSync(join(cwd, 'token-assay-report/report.json'), readFileSync(partial))
  t.equal((await run('--effort', 'quick')).exitCode, 0)
  const again = ['run', server.url, '--user-name', 'alice', '--last-failed', '--seed', '1']
  const { exitCode, stderr } = await callCommand(again, { cwd, env })
  t.match(stderr, /running 1 result that failed/)
  t.equal(exitCode, 1)
})

t.test(
  'by default a case tries its near misses and a few generated inputs; --runs and thorough try more',
  async (t) => {
    await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
    const target = { baseUrl: server.url, accounts: [alice] }
    const only = ['4.1/content-type-spelling', '2.1/token-response']
    const tried = async (options: Parameters<typeof assess>[1]) => {
      const { results } = await assess(target, { seed: 1, only, ...options })
      return Object.fromEntries(
        results.flatMap(({ case: id, runs }) => (runs === undefined ? [] : [[id, runs]])),
      )
    }
    t.strictSame(await tried({}), { '2.1/token-response': 321, '4.1/content-type-spelling': 18 })
    t.strictSame(await tried({ effort: 'quick' }), {
      '2.1/token-response': 18,
      '4.1/content-type-spelling': 3,
    })
    t.match(await tried({ runs: 50 }), { '4.1/content-type-spelling': 50 })
    t.match(await tried({ runs: 50, effort: 'quick' }), { '4.1/content-type-spelling': 50 })
    t.match(await tried({ effort: 'thorough' }), { '4.1/content-type-spelling': 500 })
  },
)

t.test('each effort says in its summary what it left out', async (t) => {
  await using server = await startReferenceServer({ accounts: [alice], hashing: 'fast' })
  const cwd = t.testdir()
  const only = ['--only', '4.1/content-type-spelling', '--only', '4.1/method-get']
  const formats = ['console', 'html', 'markdown']
  const outputs = ['--out', 'o', ...formats.map((name) => `--reporter=${name}=${name}`)]
  const summariesOf = async (...args: string[]): Promise<readonly string[]> => {
    await callCommand(['run', server.url, '--user-name', 'alice', ...outputs, ...args], { cwd, env })
    return formats.map((name) => readFileSync(join(cwd, name), 'utf8').replaceAll(/<[^>]+>|`|\s+(?= )/g, ''))
  }
  for (const text of await summariesOf(...only))
    t.match(
      text,
      /token-assay run --effort thorough runs more\. Left out: generated inputs beyond 12 for each case\./,
    )
  for (const text of await summariesOf(...only, '--effort', 'thorough'))
    t.match(text, /token-assay run --runs N runs more\. Left out: inputs beyond 500 for each case\./)
  for (const text of await summariesOf(...only, '--runs', '20')) t.notMatch(text, 'Skipped')
  for (const text of await summariesOf('--only', '4.1/method-get')) t.notMatch(text, 'Skipped')
})

t.test('what --effort does not take is refused', async (t) => {
  for (const [args, says] of [
    [['--effort', 'great'], /--effort takes quick, normal, thorough, not `great`/],
    [['--effort', 'quick', '--runs', '5'], /--effort sets how many inputs each case gets/],
  ] as const) {
    const { exitCode, stderr } = await callCommand(
      ['run', 'http://127.0.0.1:1', '--user-name', 'a', ...args],
      {
        cwd: t.testdir(),
        env,
      },
    )
    t.equal(exitCode, 2)
    t.match(stderr, says)
  }
})
