import t from 'tap'
import { loadSpecification } from '../spec/load/specification.js'
import type { Assessment, RuleOutcome } from './job.js'
import { stagesOf, together } from './stages.js'

const { cases } = loadSpecification()
const ids = cases.map(({ id }) => id)
const RULE = '4.1-grant_type'
const mutant = { id: 'one', violates: [RULE, '4.1-R2'], expect: 'failed' as const }
const judging = (rule: string): readonly string[] =>
  cases
    .filter(({ steps }) => steps.some(({ expect = [] }) => expect.some((item) => item.rule === rule)))
    .map(({ id }) => id)

t.test('first the cases that judge the violated rules, at a part of the inputs', async (t) => {
  const [first, second] = stagesOf(mutant, cases, 1, () => [])
  t.strictSame(new Set(first?.only), new Set([...judging(RULE), ...judging('4.1-R2')]))
  t.ok(cases.every((testCase) => (first?.shareOf(testCase) ?? 1) < 1))
  t.ok(
    second?.only?.length && second.only.every((id) => !first?.only?.includes(id)),
    'then some of the others',
  )
})

t.test('a rule that stays green gets all inputs, and then the whole suite', async (t) => {
  const stages = [...stagesOf(mutant, cases, 1, () => [RULE])]
  t.equal(stages.length, 3)
  const [, second, third] = stages
  t.strictSame(new Set(second?.only), new Set(judging(RULE)))
  t.ok(cases.every((testCase) => second?.shareOf(testCase) === 1))
  t.equal(third?.only, undefined)
  const own = cases.find(({ id }) => judging(RULE).includes(id))
  t.equal(own && third?.shareOf(own), 1)
})

t.test('a case with a smallest input gets all inputs at once', async (t) => {
  const id = judging(RULE).find((one) => cases.find((item) => item.id === one)?.forall !== undefined) ?? ''
  const [first] = stagesOf({ ...mutant, smallest: { [id]: /x/ } }, cases, 1, () => [])
  t.strictSame(
    cases
      .filter((testCase) => first?.only?.includes(testCase.id) && first.shareOf(testCase) === 1)
      .map((one) => one.id),
    [id],
  )
})

t.test('over eight seeds every other case has its turn once', async (t) => {
  const own = new Set([...judging(RULE), ...judging('4.1-R2')])
  const turns = [-3, -2, -1, 0, 1, 2, 3, 4].flatMap((seed) => {
    const [, others] = stagesOf(mutant, cases, seed, () => [])
    return others?.only ?? []
  })
  t.strictSame([...turns].sort(), ids.filter((id) => !own.has(id)).sort())
})

t.test('an unavailable mutant, and one whose rules no case judges, meet the whole suite', async (t) => {
  const unavailable = [...stagesOf({ id: 'none', violates: [], expect: 'cantTell' }, cases, 1, () => [])]
  t.strictSame(
    unavailable.map(({ only }) => only),
    [undefined],
  )
  const bare = [...stagesOf({ ...mutant, violates: ['1-purpose'] }, cases, 1, () => ['1-purpose'])]
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
