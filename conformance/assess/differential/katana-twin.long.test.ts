/** What a port of a Katana service changes, one change at a time: each is found, and named in the title of its finding. */
import t from 'tap'
import type { Differential } from '../../../spec/generated/types/differential.js'
import { everyNth, isNight, seeds } from '../../../tests/fixtures/effort.js'
import { KATANA_SWITCHES } from '../../../tests/fixtures/katana/switches.js'
import { compareKatana } from './fixtures/katana-pair.js'

/** A change that shows in two directions, or in two answers, is two findings. */
const MOST_FINDINGS_FOR_EACH = 1.2
const SEEDS = isNight ? 20 : 1

const shown = ({ findings, inconclusive }: Differential): string =>
  [...findings.map(({ title, class: own }) => `${own}: ${title}`), ...inconclusive].join('\n')

t.test('each change is found by what it changes, and few are found twice', async (t) => {
  const names = everyNth(Object.keys(KATANA_SWITCHES), 24)
  t.ok(Object.keys(KATANA_SWITCHES).length >= 60)
  let all = 0
  for (const name of names) {
    const report = await compareKatana(name, { seed: 1, runs: 5 })
    all += report.findings.length
    const printed = report.findings.filter(({ title }) => KATANA_SWITCHES[name]?.says.test(title))
    t.ok(printed.length > 0, `${name}: ${shown(report)}`)
    t.equal(report.verdict, 'different', name)
    t.strictSame(report.flaky, [], name)
  }
  t.ok(all <= names.length * MOST_FINDINGS_FOR_EACH, `${all} findings on ${names.length} changes`)
})

t.test('Katana does not differ from itself', async (t) => {
  for (const seed of seeds(SEEDS))
    for (const runs of isNight ? [5, 1000] : [5]) {
      const report = await compareKatana(undefined, { seed, runs })
      t.equal(shown(report), '', `seed ${seed}`)
      t.equal(report.verdict, 'same')
    }
})

t.test('opposite changes in one place are two findings', async (t) => {
  const report = await compareKatana('passwords are trimmed', { seed: 1, runs: 5 })
  t.strictSame(
    report.findings.map(({ hurts }) => hurts),
    ['sign-in', 'none'],
    shown(report),
  )
})

t.test('a failed login is decided first where no account can be registered', async (t) => {
  for (const name of ['no error_description', 'failed logins by 401', 'errors without caching headers']) {
    const report = await compareKatana(name, { seed: 1, runs: 5, declares: {} })
    const [first] = report.findings
    t.match(first?.title, KATANA_SWITCHES[name]?.says, name)
    t.strictSame(report.inconclusive, [], name)
  }
})
