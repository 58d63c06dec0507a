import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import type { Outcome } from '../../spec/model/report.js'
import { readReport, runCommand } from '../fixtures/command.js'
import { HOSTILITIES, startHostileService } from '../fixtures/hostile-service.js'

const ALICE = { userName: 'alice', password: 'Alice-and-1-password' }
/** Long enough for a sound answer on a machine that is busy with other tests. */
const TIMEOUT_MS = 4000
const HEAP_MEGABYTES = 128
/** With what is no heap: the command itself, its buffers, and no part of the two gigabytes that come. */
const PEAK_MEGABYTES = 400

const CLOSED_BEFORE = 'The connection was closed before the first byte of an answer.'
const CLOSED_INSIDE = 'The connection was closed inside the body of the answer.'
const TOO_LATE = `No complete answer came within ${TIMEOUT_MS} ms.`
const TOO_LONG = 'the body is longer than 1 MiB'
const TOO_MANY = 'the body holds more than 50,000 JSON values'

/** What becomes of the one case that meets the hostility: inconclusive and why, or broken and what is said of 4.1-R1, 7-token-error-body. */
const EXPECTED: Readonly<
  Record<string, readonly [outcome: Outcome, ...says: readonly (string | undefined)[]]>
> = {
  'resets-at-once': ['cantTell', CLOSED_BEFORE],
  'resets-midway': ['cantTell', CLOSED_INSIDE],
  'closes-unread': ['cantTell', CLOSED_BEFORE],
  silent: ['cantTell', TOO_LATE],
  drips: ['cantTell', TOO_LATE],
  'never-ends': ['cantTell', TOO_LATE],
  'length-too-long': ['cantTell', CLOSED_INSIDE],
  'length-too-short': ['failed', '`error` is missing', 'the text ends where a JSON value is expected'],
  gigabyte: ['cantTell', TOO_LONG],
  'header-flood': ['cantTell', 'The header section of the answer is larger than 16 KiB.'],
  bomb: ['cantTell', TOO_LONG],
  'two-answers': [
    'cantTell',
    'Bytes that belong to no answer follow the answer: its Content-Length is too small, or more than one answer came.',
  ],
  'redirects-in-circles': ['failed', 'the status is 307, not 400', undefined],
  'switches-protocol': ['cantTell', 'The answer switches to another protocol, which was not requested.'],
  'utf-16': ['failed', '`error` is missing', 'the body is no valid UTF-8'],
  'deep-json': ['cantTell', TOO_MANY],
  'nested-arrays': ['cantTell', TOO_MANY],
  'many-members': ['failed', undefined, 'extra member `m0`'],
  'huge-number': ['failed', '`error` has another value', '`error` has another value'],
  'invalid-utf-8': ['failed', '`error` has another value', 'the body is no valid UTF-8'],
  'speaks-to-terminals': [
    'failed',
    '`error` has another value',
    'a control character inside a string, at character 10',
  ],
}

/** Small parts of a run, for each deployment: the case that meets the hostility, before it and after it others. */
const ONLY = [
  '2.1/token-response',
  '4.1/json-and-empty-body',
  '4.1/no-content-type',
  '7/unsupported-grant-type',
]
const FLAGS = ['--target', 'target.json', '--runs', '10', ...ONLY.flatMap((pattern) => ['--only', pattern])]

const reference = await startReferenceServer({ accounts: [ALICE], hashing: 'fast' })
const service = await startHostileService(reference)
t.teardown(async () => {
  await service[Symbol.asyncDispose]()
  await reference.close()
})

function targetOf(names: readonly string[], timeoutMs: number): string {
  const deployments = names.map((name) => [name, { baseUrl: `${service.url}/${name}` }])
  return JSON.stringify({ accounts: [ALICE], timeoutMs, deployments: Object.fromEntries(deployments) })
}

t.test(`hostile targets, with a heap of ${HEAP_MEGABYTES} MB`, async (t) => {
  t.strictSame(Object.keys(EXPECTED), Object.keys(HOSTILITIES))
  const cwd = t.testdir({
    'target.json': targetOf(Object.keys(HOSTILITIES), TIMEOUT_MS),
    'peak.mjs': `import { writeFileSync } from 'node:fs'
      import { getHeapStatistics } from 'node:v8'
      process.on('exit', () => writeFileSync('peak', JSON.stringify([process.resourceUsage().maxRSS, getHeapStatistics().heap_size_limit])))`,
  })
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES} --import=./peak.mjs` }
  const { exitCode, stdout, stderr } = await runCommand(['run', ...FLAGS, '--verbose'], { cwd, env })
  t.equal(exitCode, 1, stderr)
  const [peakKilobytes, heapLimit] = JSON.parse(readFileSync(join(cwd, 'peak'), 'utf8'))
  // With what is young, which some versions of Node count in.
  t.ok(heapLimit < 4 * HEAP_MEGABYTES * 2 ** 20, 'the heap was limited')
  t.ok(peakKilobytes < PEAK_MEGABYTES * 1024, `${Math.round(peakKilobytes / 1024)} MB at most`)

  const { results } = readReport(cwd)
  for (const [name, [outcome, ...says]] of Object.entries(EXPECTED)) {
    const ran = results.filter(({ deployment, exchanges }) => deployment === name && exchanges.length > 0)
    t.equal(ran.length, ONLY.length)
    const others = ran.filter(({ case: id }) => id !== '4.1/json-and-empty-body')
    t.ok(
      others.every((result) => result.outcome === 'passed'),
      `${name}: other cases are unaffected`,
    )
    const met = ran.find(({ case: id }) => id === '4.1/json-and-empty-body')
    t.equal(met?.outcome, outcome, name)
    const actual =
      outcome === 'cantTell'
        ? [met?.reason]
        : ['4.1-R1', '7-token-error-body'].map(
            (id) => met?.judgements.find(({ rule }) => rule === id)?.message,
          )
    if (outcome !== 'passed') t.strictSame(actual, says, `${name}: why`)
    const slowest = Math.max(...ran.flatMap(({ exchanges }) => exchanges.map(({ durationMs }) => durationMs)))
    t.ok(slowest < 15 * TIMEOUT_MS, `${name}: what has no end is not waited for, ${slowest} ms`)
  }
  t.notMatch(
    stdout + stderr,
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
    'nothing for a terminal to obey',
  )
  t.notMatch(stdout + stderr, /^\s*::|##(?:\[|vso)/m, 'nor for a CI service')
})

t.test('a run ends at its deadline, whatever it waits for', async (t) => {
  const slow = ['silent', 'drips', 'never-ends']
  const cwd = t.testdir({ 'target.json': targetOf(slow, 120_000) })
  const { exitCode } = await runCommand(['run', ...FLAGS, '--max-duration', '2', '--quiet'], { cwd })
  t.equal(exitCode, 3)
  const { durationMs, results, verdict } = readReport(cwd)
  t.equal(verdict, 'inconclusive')
  // Far more than a busy machine adds to 2 s, and less than what one answer is waited for.
  t.ok(durationMs < 60_000, `${durationMs} ms`)
  t.equal(
    results.filter(({ case: id, outcome }) => id === '4.1/json-and-empty-body' && outcome === 'passed')
      .length,
    0,
  )
})
