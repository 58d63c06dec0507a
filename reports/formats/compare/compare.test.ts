import t from 'tap'
import type { Outcome, Report, Result } from '../../../spec/model/report.js'
import { greenReport, redReport } from '../../fixtures/sample-report.js'
import { compareReports } from '../../model/comparison.js'
import { refusedReport } from '../../model/refused-report.js'
import { renderComparison } from './console.js'
import { renderComparisonHtml } from './html.js'
import { renderComparisonMarkdown } from './markdown.js'

const rule = (id: string, outcome: Outcome): Report['rules'][number] => ({
  id,
  section: '9',
  level: 'must',
  statement: `the statement of ${id}`,
  outcome,
  results: [],
})
const withRules = (outcomes: Readonly<Record<string, Outcome>>): Report => ({
  ...greenReport,
  results: [],
  observations: [],
  rules: Object.entries(outcomes).map(([id, outcome]) => rule(id, outcome)),
})
const compare = (...reports: readonly Report[]) =>
  compareReports(reports.map((report, index) => ({ label: `report ${index}`, report })))

t.test('what got worse comes first, then what got better, then what else differs', async (t) => {
  const { rules } = compare(
    withRules({
      same: 'passed',
      mended: 'failed',
      between: 'passed',
      gone: 'passed',
      lost: 'passed',
      broken: 'passed',
    }),
    withRules({ same: 'passed', mended: 'failed', between: 'cantTell', lost: 'passed', broken: 'passed' }),
    withRules({
      same: 'passed',
      mended: 'passed',
      between: 'passed',
      lost: 'untested',
      broken: 'failed',
      new: 'passed',
    }),
  )
  t.strictSame(
    rules.map(({ id, outcomes, change }) => [change, id, outcomes.join(' ')]),
    [
      ['regression', 'broken', 'passed passed failed'],
      ['open', 'gone', 'passed absent absent'],
      ['open', 'lost', 'passed passed untested'],
      ['fix', 'mended', 'failed failed passed'],
      ['differs', 'between', 'passed cantTell passed'],
      ['differs', 'new', 'absent absent passed'],
      ['same', 'same', 'passed passed passed'],
    ],
  )
})

t.test('a rule that fails in one result more has got worse', async (t) => {
  const failing = redReport.results.find(({ outcome, waived }) => outcome === 'failed' && !waived)
  const broken = failing?.judgements.find(({ outcome }) => outcome === 'failed')?.rule
  t.ok(failing && broken)
  if (!failing || !broken) return
  const more: Report = {
    ...redReport,
    results: [...redReport.results, { ...failing, id: 'other/1/exchange' }],
  }
  const changed = compare(redReport, more).rules.filter(({ change }) => change !== 'same')
  t.strictSame([...new Set(changed.flatMap(({ newFailures }) => newFailures))], ['other/1/exchange'])
  t.ok(changed.some(({ id, change }) => id === broken && change === 'regression'))
  t.strictSame(
    compare(more, redReport).rules.filter(({ change }) => change === 'regression'),
    [],
    'and one that fails in one less has not',
  )
})

t.test('an outage is no regression, and a waiver that was agreed on neither', async (t) => {
  const outage = compare(withRules({ a: 'passed', b: 'failed' }), withRules({ a: 'cantTell', b: 'untested' }))
  t.strictSame(
    outage.rules.map(({ change }) => change),
    ['open', 'open'],
  )
  const changeFrom = (first: Outcome, last: Outcome) =>
    compare(withRules({ a: first }), withRules({ a: last })).rules[0]?.change
  t.equal(changeFrom('inapplicable', 'cantTell'), 'differs', 'nothing that was judged is lost')
  t.equal(changeFrom('inapplicable', 'passed'), 'differs', 'nothing that was broken is mended')
  t.equal(changeFrom('passed', 'inapplicable'), 'regression', 'it is not proven any more')
  t.equal(changeFrom('cantTell', 'passed'), 'differs', 'the end of an outage fixes nothing')
  t.equal(changeFrom('cantTell', 'inapplicable'), 'differs')
  const shown = renderComparison(outage, { color: false, width: 100 })
  t.match(shown, /^\? cannot tell|, \? cannot tell/m, 'a legend')
  t.match(shown, '? No regression from first to last, but 2 rules are not judged in the last.')
  const [failing] = redReport.results.filter(({ outcome }) => outcome === 'failed')
  const judgements = [{ rule: 'a', outcome: 'failed' as const, message: 'x', remedy: 'y' }]
  if (failing === undefined) throw new Error('the sample has a failure')
  const { waived: _, ...own } = failing
  const failed = { ...withRules({ a: 'failed' }), results: [{ ...own, judgements }] }
  const waived = {
    ...failed,
    results: [{ ...own, judgements, waived: { reason: 'agreed', until: '2099-01-01' } }],
  }
  const changeOf = (from: Report, to: Report) => compare(from, to).rules[0]?.change
  t.equal(changeOf(withRules({ a: 'passed' }), waived), 'differs')
  t.equal(changeOf(failed, waived), 'differs')
  t.equal(changeOf(waived, failed), 'regression')
  t.equal(changeOf(withRules({ a: 'passed' }), failed), 'regression')
})

t.test('a deployment that was not run any more is not judged, though its rules are', async (t) => {
  const [any] = greenReport.results
  if (any === undefined) throw new TypeError('there is a result')
  const judgements = [{ rule: 'a', outcome: 'passed' as const }]
  const passed = (id: string) => ({ ...any, id, outcome: 'passed' as const, judgements })
  const notRun = { ...passed('b/1/exchange'), outcome: 'untested' as const, judgements: [] }
  const results = [passed('a/1/exchange'), passed('b/1/exchange')]
  const both = { ...withRules({ a: 'passed' }), results }
  const part = { ...both, results: [passed('a/1/exchange'), notRun] }
  t.match(compare(both, part).rules, [{ change: 'open', unjudged: ['b/1/exchange'] }])
  const shown = renderComparison(compare(both, part), { color: false, width: 100 })
  t.match(shown, /^ {4}not run: b\/1\/exchange$/m)
  t.match(shown, 'but 1 rule is not judged in the last.')
  t.match(compare(part, both).rules, [{ change: 'same', unjudged: [] }])
  const without = { ...both, results: results.slice(1) }
  t.match(compare(both, without).rules, [{ change: 'open', unjudged: ['a/1/exchange'] }], 'as an own case')
  const suite = { ...both.suite, version: '0.0.1' }
  t.match(compare({ ...both, suite }, without).rules, [{ change: 'same' }], 'it may have other cases')
})

t.test('two outages say nothing of each other', async (t) => {
  const outage = { ...withRules({ a: 'cantTell', b: 'inapplicable' }), verdict: 'inconclusive' as const }
  const changes = (first: Report, last: Report) =>
    Object.fromEntries(compare(first, last).rules.map(({ id, change }) => [id, change]))
  t.strictSame(changes(outage, outage), { a: 'open', b: 'same' })
  const stopped = {
    ...withRules({ a: 'failed', b: 'untested' }),
    stops: [{ cause: 'bail' as const, message: 'x', remedy: 'y' }],
  }
  t.strictSame(changes(stopped, stopped), { a: 'same', b: 'open' })
  const empty = withRules({ a: 'untested' })
  t.strictSame(changes(empty, empty), { a: 'open' }, 'as do two shards without a case')
})

t.test('of a deployment that the target has no more, nothing is judged', async (t) => {
  const [any] = redReport.results.filter(({ outcome }) => outcome === 'failed')
  const [deployment] = greenReport.target.deployments
  if (any === undefined || deployment === undefined) throw new TypeError('there is a result')
  const result = (name: string, outcome: 'passed' | 'failed') => ({
    ...any,
    ...{ id: `${name}/1/exchange`, deployment: name, outcome },
    judgements: [
      outcome === 'failed' ? { rule: 'a', outcome, message: 'x' } : { rule: 'a', outcome },
    ] as Result['judgements'],
  })
  const report = (rule: Outcome, ...results: readonly Result[]): Report => ({
    ...withRules({ a: rule }),
    target: {
      ...greenReport.target,
      deployments: results.map((one) => ({ ...deployment, name: one.deployment })),
    },
    results,
  })
  const both = report('failed', result('a', 'passed'), result('b', 'failed'))
  const without = report('passed', result('a', 'passed'))
  t.match(compare(both, without).rules, [{ change: 'open', unjudged: ['b/1/exchange'] }])
  const other = { ...without, target: { ...without.target, name: 'another service' } }
  t.match(compare(both, other).rules, [{ change: 'fix' }])
})

t.test('the same report twice differs in nothing', async (t) => {
  const { rules, observations } = compare(redReport, redReport)
  t.ok(rules.every(({ change }) => change === 'same'))
  t.strictSame(observations, [])
})

t.test('a rule of its own that the last report does not have is no regression', async (t) => {
  const refused = refusedReport('--cases takes a folder of case files', new Date(0))
  const changeFrom = (first: Outcome, last: Report) =>
    compare(withRules({ own: first }), last).rules.find(({ id }) => id === 'own')?.change
  t.equal(changeFrom('passed', refused), 'open', 'the run did not start')
  t.equal(changeFrom('failed', refused), 'open', 'nor is it a fix')
  const other = { ...withRules({ a: 'passed' }), target: { ...greenReport.target, name: 'at another port' } }
  t.equal(changeFrom('passed', other), 'open', 'a run without it')
  t.equal(changeFrom('inapplicable', other), 'differs')
})

t.test('a rule that the first report does not have is no fix', async (t) => {
  const changeTo = (last: Outcome) =>
    compare(withRules({ a: 'passed' }), withRules({ a: 'passed', own: last })).rules.find(
      ({ id }) => id === 'own',
    )?.change
  t.equal(changeTo('passed'), 'differs')
  t.equal(changeTo('inapplicable'), 'differs')
  const { rules } = compare(withRules({ a: 'passed' }), redReport)
  t.match(
    rules.find(({ id }) => id === '2.1-userId'),
    { change: 'regression' },
    'its failures are new',
  )
})

t.test('what an outage did not observe is no difference', async (t) => {
  const seen = (observed: readonly string[]): Report => ({
    ...greenReport,
    observations: observed.map((text, index) => ({
      id: `x-${index}`,
      section: '7',
      deployment: 'default',
      statement: 'x',
      observed: text,
    })),
  })
  t.strictSame(compare(seen(['a', 'b']), seen([])).observations, [])
  t.strictSame(
    compareReports(
      [seen(['a']), seen([]), seen(['c'])].map((report) => ({ label: '', report })),
    ).observations.map(({ observed }) => observed),
    [['a', undefined, 'c']],
  )
})

t.test('every rendering tells the same, and nothing hostile gets through', async (t) => {
  const hostile = '\u001b[31m<script>alert(1)</script>\u202e | ::error::x'
  const columns = [greenReport, redReport].map((report) => ({ label: hostile, report }))
  const comparison = compareReports(columns)
  const worse = comparison.rules.filter(({ change }) => change === 'regression').map(({ id }) => id)
  t.ok(worse.length > 0)
  const console = renderComparison(comparison, { color: false, width: 80 })
  const markdown = renderComparisonMarkdown(comparison)
  const page = renderComparisonHtml(comparison)
  for (const [name, text] of Object.entries({ console, markdown, page })) {
    for (const id of worse) t.ok(text.includes(id), `${name} names ${id}`)
    t.ok(text.includes(`Regressions (${worse.length})`), name)
    t.notMatch(text, /\u001b|\u202e/, `${name} shows no control character`)
  }
  t.notMatch(page.replace(/<script>.*?<\/script>/gs, ''), /<script/, 'text is no markup')
  t.match(page, /Content-Security-Policy/)
  t.notMatch(console, /^::/m)
  t.match(console, /✗ \d+ regressions? from first to last/)
})
