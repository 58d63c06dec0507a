import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { Parser, type Result as TestPoint } from 'tap-parser'
import { AssayError, assess, startReferenceServer } from './index.js'
import { reconcile } from './reports/model/reconcile.js'
import { TSX } from './tests/fixtures/command.js'
import { conforming, startMinimalServer } from './tests/fixtures/minimal-server.js'

const ALICE = { userName: 'alice', password: 'Correct-7-horses' }
const GRANT = new URLSearchParams({ grant_type: 'password', username: 'alice', password: ALICE.password })

t.jobs = 2

t.test('a program assesses a service', async (t) => {
  await using server = await startReferenceServer({ accounts: [ALICE], hashing: 'fast' })
  const planned: string[] = []
  const report = await assess(
    { baseUrl: server.url, accounts: [ALICE] },
    { only: ['2.1/*'], seed: 7, onResult: ({ id }) => planned.push(id) },
  )
  t.equal(report.verdict, 'conformant')
  t.equal(report.seed, 7)
  t.strictSame(reconcile(report), [])
  t.strictSame(new Set(planned), new Set(report.results.map(({ id }) => id)))
})

t.test('a program that asks for what cannot be gets a code for it', async (t) => {
  const refused = (promise: Promise<unknown>, code: string) =>
    t.rejects(promise, { name: 'AssayError', code })
  await refused(assess({ baseUrl: 'ftp://x', accounts: [ALICE] }), 'bad-target')
  await refused(
    assess({ baseUrl: 'http://127.0.0.1:1', accounts: [ALICE] }, { only: ['no'] }),
    'nothing-matches',
  )
  t.ok(new AssayError('usage', 'x') instanceof Error)
})

t.test('a program stops an assessment', async (t) => {
  await using server = await startReferenceServer({ accounts: [ALICE], hashing: 'fast' })
  const controller = new AbortController()
  const report = await assess(
    { baseUrl: server.url, accounts: [ALICE] },
    { signal: controller.signal, onResult: ({ outcome }) => outcome === 'passed' && controller.abort() },
  )
  t.equal(report.verdict, 'inconclusive')
  t.ok(report.results.some(({ reason }) => reason === 'stopped'))
})

t.test('the reference server of a program: its time, its journal, a new start, its end', async (t) => {
  const server = await startReferenceServer({ accounts: [ALICE], hashing: 'fast', includesUserId: true })
  const grant = async (): Promise<Record<string, string>> => {
    const response = await fetch(`${server.url}/Token`, { method: 'POST', body: GRANT })
    const token: Record<string, string> = JSON.parse(await response.text())
    return token
  }
  t.equal(server.url, `http://127.0.0.1:${server.port}`)
  server.clock.freeze(Date.UTC(2024, 1, 29, 12))
  const first = await grant()
  t.equal(first['.issued'], 'Thu, 29 Feb 2024 12:00:00 GMT')
  t.equal(first['.expires'], 'Thu, 14 Mar 2024 12:00:00 GMT')
  t.match(first.userId, /./)
  server.clock.advance(60)
  t.equal((await grant())['.issued'], 'Thu, 29 Feb 2024 12:01:00 GMT')
  t.match(server.journal.entries(), [
    { method: 'POST', path: '/Token', status: 200, atMs: Date.UTC(2024, 1, 29, 12) },
    { method: 'POST', path: '/Token', status: 200 },
  ])
  server.reset()
  t.strictSame(server.journal.entries(), [])
  t.not((await grant())['.issued']?.slice(0, 16), 'Thu, 29 Feb 2024')
  await server[Symbol.asyncDispose]()
  await t.rejects(fetch(server.url))
  await server.close()
})

t.test('with tap, a service that conforms: every case a subtest', async (t) => {
  await using server = await startMinimalServer(ALICE)
  const { exitCode, ok, subtests } = await runAdapter(server.url, '2.1* 4.1/*')
  t.equal(exitCode, 0)
  t.ok(ok)
  const report = await assess({ baseUrl: server.url, accounts: [ALICE] }, { only: ['1/exchange'] })
  t.strictSame(
    subtests.map(({ name }) => name),
    report.results.map(({ id, title }) => `${id}: ${title}`),
  )
  const userId = subtests.find(({ name }) => name.startsWith('default/2.1/user-id'))
  t.match(userId?.skip, /declare a deployment with `includesUserId: true`/)
  t.equal(subtests.find(({ name }) => name.startsWith('default/1/exchange'))?.skip, 'filtered')
  const errors = subtests.find(({ name }) => name.startsWith('default/4.1/unknown-grant-type'))
  t.ok(errors?.points.some(({ name }) => name === '7-token-error-media-type'))
})

t.test('with tap, a service that does not: rule, expected, actual, curl and replay', async (t) => {
  await using server = await startMinimalServer(ALICE, {
    errorType: 'application/json',
    token: (userName, now) => ({ ...conforming.token(userName, now), token_type: 'Bearer' }),
  })
  const { exitCode, ok, subtests } = await runAdapter(server.url, '2.1/token-response 4.1/unknown-grant-type')
  t.equal(exitCode, 1)
  t.notOk(ok)
  const failures = subtests.flatMap(({ points }) => points.filter((point) => !point.ok))
  t.match(failures, [
    {
      name: /^2\.1-token_type: /,
      diag: { outcome: 'failed', expected: '"bearer"', actual: '"Bearer"', pointer: '/token_type' },
    },
    {
      name: /^7-token-error-media-type: /,
      diag: {
        outcome: 'failed',
        expected: 'application/json;charset=UTF-8',
        actual: 'application/json',
        counterexample: { seed: Number, path: String },
        reproduce: /^curl .*\/Token$/,
        replay: /^default\/4\.1\/unknown-grant-type@-?\d+:/,
      },
    },
  ])
  t.notMatch(JSON.stringify(failures), ALICE.password)
})

interface Subtest {
  readonly name: string
  /** Why it is skipped. */
  readonly skip: string | undefined
  readonly points: readonly TestPoint[]
}

/** Runs a user's own tap test against that server, and reads the TAP that it prints. */
async function runAdapter(baseUrl: string, only: string) {
  const file = fileURLToPath(new URL('tests/fixtures/adapter.mts', import.meta.url))
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:TAP|NODE_OPTIONS)/.test(name))
  const env = { ...Object.fromEntries(inherited), TAP: '1', BASE_URL: baseUrl, ONLY: only }
  const child = await new Promise<{ exitCode: number | null; stdout: string }>((resolve) => {
    const started = execFile(process.execPath, ['--import', TSX, file], { env }, (_, stdout) =>
      resolve({ exitCode: started.exitCode, stdout }),
    )
  })
  const points = new Map<string, TestPoint[]>()
  const subtests: Subtest[] = []
  const parser: Parser = new Parser()
  parser.on('child', (whole: Parser) => {
    whole.on('child', (subtest: Parser) => {
      const own: TestPoint[] = []
      points.set(subtest.name, own)
      subtest.on('assert', (point: TestPoint) => own.push(point))
    })
    whole.on('assert', ({ name, skip }: TestPoint) => {
      subtests.push({
        name,
        skip: typeof skip === 'string' ? skip : undefined,
        points: points.get(name) ?? [],
      })
    })
  })
  parser.end(child.stdout)
  return { exitCode: child.exitCode, ok: parser.ok, subtests }
}
