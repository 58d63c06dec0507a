import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startReferenceServer } from '../reference/server.js'
import { mergeReports } from '../reports/model/merge.js'
import type { Report, Trouble } from '../spec/model/report.js'
import { callCommand } from '../tests/fixtures/call-command.js'

const accounts = [
  { userName: 'alice', password: 'Alice-and-1-password' },
  { userName: 'bob', password: 'Bob-and-another-2' },
]
const read = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Without what a run may tell otherwise each time: times, tokens, `Date`, lengths of time, and, since cases share controls that
 * are sent in the same moment, the number of requests.
 */
function comparable(report: Report): unknown {
  return JSON.parse(JSON.stringify(report), (key, value: unknown) =>
    ['requests', 'durationMs', 'startedAt', 'headers', 'body', 'observed', 'actual', 'reproduce'].includes(
      key,
    )
      ? undefined
      : value,
  )
}

t.test('shards and their merge', async (t) => {
  await using good = await startReferenceServer({ accounts, hashing: 'fast' })
  await using wrong = await startReferenceServer({
    accounts,
    hashing: 'fast',
    behaviour: { tokenType: () => 'Bearer' },
  })
  const deployments = { first: {}, second: { baseUrl: wrong.url }, third: { tokenLifetime: 1_209_600 } }
  const cwd = t.testdir({ 'token-assay.yaml': JSON.stringify({ baseUrl: good.url, accounts, deployments }) })
  const run = (...args: string[]) => callCommand(['run', '--seed', '7', '--runs', '3', ...args], { cwd })
  const whole = await run('--out', 'whole')
  const parts = [1, 2, 3, 4].map((index) => ({ index, file: `${index}/report.json` }))
  const exits: (number | null)[] = []
  let last = ''
  for (const { index } of parts) {
    const { exitCode, stdout } = await run('--shard', `${index}/4`, '--out', `${index}`)
    exits.push(exitCode)
    last = stdout
    t.match(stdout, new RegExp(`Partial run \\(--shard ${index}/4`), 'a shard speaks of its part only')
  }
  const files = parts.map(({ file }) => file)
  const reports = parts.map(({ file }) => read(join(cwd, file)))

  t.strictSame(exits, [0, 1, 0, 0], 'a shard with nothing to run is no failure')
  t.match(
    last,
    /NOTHING TO DO in shard 4\/4: the target has 3 deployments, and a deployment is never\s+divided\./,
  )
  const executed = reports.map(({ results }) =>
    results.filter(({ outcome }) => outcome !== 'untested' && outcome !== 'inapplicable').map(({ id }) => id),
  )
  t.equal(executed[3]?.length, 0)
  t.equal(new Set(executed.flat()).size, executed.flat().length, 'nothing is run by two shards')

  t.test('the merge is the report of the whole run', async (t) => {
    // In any order.
    const merged = await callCommand(['merge', ...files.toReversed(), '--out', 'merged', '--quiet'], { cwd })
    t.strictSame({ exitCode: merged.exitCode, stderr: merged.stderr }, { exitCode: 1, stderr: '' })
    t.equal(merged.exitCode, whole.exitCode)
    const [ofAll, ofMerge] = ['whole', 'merged'].map((folder) => read(join(cwd, folder, 'report.json')))
    t.ok(ofAll && ofMerge)
    if (!ofAll || !ofMerge) return
    t.strictSame(comparable(ofMerge), comparable(ofAll))
    t.strictSame(
      ofMerge.observations.map(({ id }) => id),
      ofAll.observations.map(({ id }) => id),
    )
    t.strictSame(
      ofMerge.rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
      ['2.1-token_type'],
    )
  })

  t.test('trouble is added up, by status and by case too', async (t) => {
    const row = {
      deployment: 'first',
      requests: 10,
      serverErrors: 2,
      dropped: 0,
      timedOut: 1,
      rateLimited: 1,
    }
    const own: readonly Partial<Trouble>[] = [
      { statuses: { 500: 1, 503: 1 }, cases: { '4.1/no-password': 2 } },
      { statuses: { 500: 2, 429: 1 }, limitedAfterFailedLogins: 9 },
      { limitedAfterFailedLogins: 7, cases: { '4.1/no-password': 1, '2.1/token-response': 1 } },
      {},
    ]
    const parts = reports.map((report, index) => ({
      file: `${index}`,
      report: { ...report, trouble: [{ ...row, waitedMs: 5, ...own[index] }] },
    }))
    t.strictSame(mergeReports(parts).trouble, [
      {
        ...{ deployment: 'first', requests: 40, serverErrors: 8, dropped: 0, timedOut: 4, rateLimited: 4 },
        ...{ waitedMs: 20, statuses: { 429: 1, 500: 3, 503: 1 }, limitedAfterFailedLogins: 7 },
        cases: { '4.1/no-password': 3, '2.1/token-response': 1 },
      },
    ])
  })

  t.test('what is not all of one run is refused', async (t) => {
    const another = await run('--shard', '4/4', '--out', 'another', '--only', '2.1/*')
    t.equal(another.exitCode, 0)
    const otherSeed = { ...read(join(cwd, '4/report.json')), seed: 8 }
    writeFileSync(join(cwd, 'seed.json'), JSON.stringify(otherSeed))
    writeFileSync(join(cwd, 'copy.json'), readFileSync(join(cwd, '3/report.json')))
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /merge takes the report\.json of every shard, found no file/],
      [files.slice(0, 3), /1 of 4 shards is missing: 4\/4/],
      [[...files, 'copy.json'], /copy\.json and 3\/report\.json are both shard 3\/4/],
      [[...files.slice(0, 3), 'whole/report.json'], /whole\/report\.json is not the report of a shard/],
      [
        [...files.slice(0, 3), 'seed.json'],
        /its seed differs: 7 there, 8 here; give every shard the same --seed/,
      ],
      [[...files.slice(0, 3), 'another/report.partial.json'], /its selection differs/],
      [[files[0] ?? '', './1/report.json'], /is named twice/],
    ]
    for (const [args, says] of refusals) {
      const { exitCode, stdout, stderr } = await callCommand(['merge', ...args, '--out', 'no'], { cwd })
      t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' })
      t.match(stderr, says)
    }
  })

  t.test('a shard is I/N', async (t) => {
    for (const text of ['0/4', '5/4', '1', '1/0', 'a/b', '1/4/', '-1/4', '1/1001']) {
      const { exitCode, stderr } = await run('--shard', text)
      t.equal(exitCode, 2, text)
      t.match(stderr, /--shard takes I\/N, part I of N, such as 1\/4/)
    }
  })
})
