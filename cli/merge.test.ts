import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startReferenceServer } from '../reference/server.js'
import type { Report } from '../spec/types.js'
import { runCommand } from './fixtures/command.js'

const accounts = [
  { userName: 'alice', password: 'Alice-and-1-password' },
  { userName: 'bob', password: 'Bob-and-another-2' },
]
const read = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'))

/** All that a run may tell otherwise each time: times, tokens, `Date`, and lengths of time. */
function comparable(report: Report): unknown {
  return JSON.parse(JSON.stringify(report), (key, value: unknown) =>
    ['durationMs', 'startedAt', 'headers', 'body', 'observed', 'actual', 'reproduce'].includes(key)
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
  const run = (...args: string[]) => runCommand(['run', '--seed', '7', '--runs', '3', ...args], { cwd })
  const whole = await run('--out', 'whole')
  const parts = [1, 2, 3, 4].map((index) => ({ index, file: `${index}/report.json` }))
  const exits: (number | null)[] = []
  for (const { index } of parts) {
    const { exitCode, stdout } = await run('--shard', `${index}/4`, '--out', `${index}`)
    exits.push(exitCode)
    t.match(stdout, new RegExp(`Partial run \\(--shard ${index}/4`), 'a shard speaks of its part only')
  }
  const files = parts.map(({ file }) => file)
  const reports = parts.map(({ file }) => read(join(cwd, file)))

  t.strictSame(exits, [0, 1, 0, 0], 'a shard with nothing to run is no failure')
  const executed = reports.map(({ results }) =>
    results.filter(({ outcome }) => outcome !== 'untested' && outcome !== 'inapplicable').map(({ id }) => id),
  )
  t.equal(executed[3]?.length, 0)
  t.equal(new Set(executed.flat()).size, executed.flat().length, 'nothing is run by two shards')

  t.test('the merge is the report of the whole run', async (t) => {
    // In any order.
    const merged = await runCommand(['merge', ...files.toReversed(), '--out', 'merged', '--quiet'], { cwd })
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

  t.test('what is not all of one run is refused', async (t) => {
    const another = await run('--shard', '4/4', '--out', 'another', '--only', '2.1/*')
    t.equal(another.exitCode, 0)
    const otherSeed = { ...read(join(cwd, '4/report.json')), seed: 8 }
    writeFileSync(join(cwd, 'seed.json'), JSON.stringify(otherSeed))
    writeFileSync(join(cwd, 'copy.json'), readFileSync(join(cwd, '3/report.json')))
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /merge takes the report\.json of every shard, found none/],
      [files.slice(0, 3), /of 4 shards 1 are missing: 4\/4/],
      [[...files, 'copy.json'], /copy\.json and 3\/report\.json are both shard 3\/4/],
      [[...files.slice(0, 3), 'whole/report.json'], /whole\/report\.json is no shard/],
      [
        [...files.slice(0, 3), 'seed.json'],
        /its seed is another: 7 there, 8 here; give every shard the same --seed/,
      ],
      [[...files.slice(0, 3), 'another/report.json'], /its selection is another/],
      [[files[0] ?? '', './1/report.json'], /cannot hold two reports/],
    ]
    for (const [args, says] of refusals) {
      const { exitCode, stdout, stderr } = await runCommand(['merge', ...args, '--out', 'no'], { cwd })
      t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' })
      t.match(stderr, says)
    }
  })

  t.test('a shard is I/N', async (t) => {
    for (const text of ['0/4', '5/4', '1', '1/0', 'a/b', '1/4/', '-1/4', '1/1001']) {
      const { exitCode, stderr } = await run('--shard', text)
      t.equal(exitCode, 2, text)
      t.match(stderr, /--shard takes I\/N, the I-th of N parts such as 1\/4/)
    }
  })
})
