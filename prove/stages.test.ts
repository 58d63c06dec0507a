import t from 'tap'
import { loadSpecification } from '../spec/load/specification.js'
import type { Assessment, RuleOutcome } from './job.js'
import { type Stage, stagesOf, together } from './stages.js'

const { cases } = loadSpecification()
const ids = cases.map(({ id }) => id)
const RULE = '4.1-grant_type'
const mutant = { id: 'one', violates: [RULE, '4.1-R2'], expect: 'failed' as const }
const judging = (rule: string): readonly string[] =>
  cases
    .filter(({ steps }) => steps.some(({ expect = [] }) => expect.some((item) => item.rule === rule)))
    .map(({ id }) => id)

/** What stages may have shown: these rules are red, and no other. */
function showing(red: readonly string[], verdict: Assessment['verdict'] = 'nonconformant') {
  const rules = red.map((rule): [string, RuleOutcome] => [rule, { outcome: 'failed' }])
  const base = {
    kind: 'mutant',
    id: 'one',
    seed: 1,
    durationMs: 1,
    failures: [],
    counterexamples: {},
  } as const
  return (): Assessment => ({ ...base, verdict, rules: Object.fromEntries(rules) })
}
const caught = showing([...mutant.violates])

t.test('first the cases that judge the violated rules, at a part of the inputs', async (t) => {
  const [first, ...later] = stagesOf(mutant, cases, 1, caught)
  const own = [...judging(RULE), ...judging('4.1-R2')]
  t.ok(own.every((id) => first?.only?.includes(id)))
  t.ok((first?.only?.length ?? 0) > own.length, 'beside some of the others')
  t.ok(cases.every((testCase) => (first?.shareOf(testCase) ?? 1) < 1))
  t.strictSame(later, [], 'which is all, where the rules are red then')
})

t.test('of a rule that stays green each case gets all inputs, and then the whole suite runs', async (t) => {
  const [, ...later] = stagesOf(mutant, cases, 1, showing(['4.1-R2']))
  const last = later.pop()
  const drawing = judging(RULE).filter((id) => cases.find((one) => one.id === id)?.forall !== undefined)
  t.ok(drawing.length > 0)
  t.strictSame(
    later.map(({ only }) => only),
    drawing.map((id) => [id]),
  )
  for (const stage of later) t.ok(cases.every((testCase) => stage.shareOf(testCase) === 1))
  t.equal(last?.only, undefined)
  const own = cases.find(({ id }) => judging(RULE).includes(id))
  t.equal(own && last?.shareOf(own), 1)
})

t.test('once the rule is red, no further case gets all inputs', async (t) => {
  const violating = { ...mutant, violates: ['8-R1'] }
  const hasAllInputs = ({ shareOf }: Stage): boolean => cases.every((testCase) => shareOf(testCase) === 1)
  const green = [...stagesOf(violating, cases, 1, () => undefined)]
  t.ok(green.filter(hasAllInputs).length > 1, 'several cases judge it')
  let shown = showing([])
  let tried = 0
  for (const stage of stagesOf(violating, cases, 1, () => shown())) {
    if (!hasAllInputs(stage)) continue
    tried++
    shown = showing(violating.violates)
  }
  t.equal(tried, 1)
})

t.test('what is judged of every answer is judged of those that a provider brings', async (t) => {
  const [, second] = stagesOf({ ...mutant, violates: ['2.1-token_type'] }, cases, 1, () => undefined)
  t.strictSame(new Set(second?.only), new Set(['2.1/token-response', '4.2/external-login', '7/no-callback']))
})

t.test('a case with a smallest input gets all inputs at once', async (t) => {
  const id = judging(RULE).find((one) => cases.find((item) => item.id === one)?.forall !== undefined) ?? ''
  const [first] = stagesOf({ ...mutant, smallest: { [id]: /x/ } }, cases, 1, caught)
  t.strictSame(
    cases
      .filter((testCase) => first?.only?.includes(testCase.id) && first.shareOf(testCase) === 1)
      .map((one) => one.id),
    [id],
  )
})

t.test('over sixteen seeds every other case has its turn once', async (t) => {
  const own = new Set([...judging(RULE), ...judging('4.1-R2')])
  const turns = Array.from({ length: 16 }, (_, index) => index - 5).flatMap((seed) => {
    const [first] = stagesOf(mutant, cases, seed, caught)
    return first?.only?.filter((id) => !own.has(id)) ?? []
  })
  t.strictSame([...turns].sort(), ids.filter((id) => !own.has(id)).sort())
})

t.test('an unavailable mutant, and one whose rules no case judges, meet the whole suite', async (t) => {
  const unavailable = { id: 'none', violates: [], expect: 'cantTell' } as const
  const sharesWhen = (verdict: Assessment['verdict']): readonly number[] =>
    [...stagesOf(unavailable, cases, 1, showing([], verdict))].flatMap(({ only, shareOf }) =>
      only === undefined ? [Math.max(...cases.map(shareOf))] : [],
    )
  const [share = 1, ...further] = sharesWhen('inconclusive')
  t.ok(share < 1)
  t.strictSame(further, [])
  t.strictSame(sharesWhen('conformant'), [share, 1], 'with all inputs where a few show nothing')
  const bare = [...stagesOf({ ...mutant, violates: ['1-purpose'] }, cases, 1, () => undefined)]
  t.strictSame(
    bare.map(({ only }) => only),
    [undefined],
  )
})

t.test('of two runs the worse outcome of each rule, and what failed first', async (t) => {
  const base = { kind: 'mutant', id: 'one', seed: 1, durationMs: 1 } as const
  const run = (
    verdict: Assessment['verdict'],
    rules: Record<string, RuleOutcome>,
    found: string,
  ): Assessment => ({
    ...base,
    verdict,
    rules,
    failures: [{ rule: found, case: found, index: 0 }],
    counterexamples: { same: found },
  })
  const both = together(
    run('nonconformant', { a: { outcome: 'failed', because: 'first' }, b: { outcome: 'untested' } }, 'x'),
    run('conformant', { a: { outcome: 'passed' }, b: { outcome: 'passed' } }, 'y'),
  )
  t.strictSame(both.rules, { a: { outcome: 'failed', because: 'first' }, b: { outcome: 'passed' } })
  t.equal(both.verdict, 'nonconformant')
  t.strictSame(both.counterexamples, { same: 'x' })
  t.equal(both.failures.length, 2)
  t.equal(both.durationMs, 2)
})
