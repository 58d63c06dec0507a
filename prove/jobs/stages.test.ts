import t from 'tap'
import { loadSpecification } from '../../spec/load/specification.js'
import { isShown } from '../matrix/claims.js'
import type { Variant } from '../variants/variant.js'
import type { Assessment, RuleOutcome } from './job.js'
import { stageOfVariant, stagesOfMutant } from './stages.js'

const { cases } = loadSpecification()
const ids = cases.map(({ id }) => id)
const RULE = '4.1-grant_type'
const mutant = { id: 'one', violates: [RULE, '4.1-R2'], expect: 'failed' as const }
const job = { kind: 'mutant', id: 'one', seed: 1, full: false } as const
const judging = (rule: string): readonly string[] =>
  cases
    .filter(({ steps }) => steps.some(({ expect = [] }) => expect.some((item) => item.rule === rule)))
    .map(({ id }) => id)

/** What a run may have shown: these rules are red, and no other. */
function showing(red: readonly string[], verdict: Assessment['verdict'] = 'nonconformant') {
  const rules = red.map((rule): [string, RuleOutcome] => [rule, { outcome: 'failed' }])
  return { verdict, rules: Object.fromEntries(rules) }
}

t.test('first the cases that judge the violated rules, at a part of the inputs', async (t) => {
  const [first] = stagesOfMutant(mutant, cases, job)
  const own = [...judging(RULE), ...judging('4.1-R2')]
  t.ok(own.every((id) => first.only?.includes(id)))
  t.ok((first.only?.length ?? 0) > own.length, 'beside some of the others')
  t.ok(cases.every((testCase) => first.shareOf(testCase) < 1))
})

t.test('then the whole suite, with all inputs of the cases that judge the violated rules', async (t) => {
  const [, second, ...further] = stagesOfMutant(mutant, cases, job)
  const own = new Set([...judging(RULE), ...judging('4.1-R2')])
  t.equal(second?.only, undefined)
  for (const testCase of cases) t.equal(second?.shareOf(testCase) === 1, own.has(testCase.id), testCase.id)
  t.strictSame(further, [])
})

t.test('a mutant is shown once all rules that it violates are red', async (t) => {
  t.ok(isShown(mutant, showing([...mutant.violates, '2.1-R1'])))
  t.notOk(isShown(mutant, showing([RULE])))
  const unavailable = { violates: [], expect: 'cantTell' } as const
  t.ok(isShown(unavailable, showing([], 'inconclusive')))
  t.notOk(isShown(unavailable, showing([], 'conformant')))
})

t.test('a case with a smallest input gets all inputs at once', async (t) => {
  const id = judging(RULE).find((one) => cases.find((item) => item.id === one)?.forall !== undefined) ?? ''
  const [first] = stagesOfMutant({ ...mutant, smallest: { [id]: /x/ } }, cases, job)
  t.strictSame(
    cases
      .filter((testCase) => first.only?.includes(testCase.id) && first.shareOf(testCase) === 1)
      .map((one) => one.id),
    [id],
  )
})

t.test('over sixteen seeds every other case has its turn once', async (t) => {
  const own = new Set([...judging(RULE), ...judging('4.1-R2')])
  const turns = Array.from({ length: 16 }, (_, index) => index - 5).flatMap((seed) => {
    const [first] = stagesOfMutant(mutant, cases, { ...job, seed })
    return first.only?.filter((id) => !own.has(id)) ?? []
  })
  t.strictSame([...turns].sort(), ids.filter((id) => !own.has(id)).sort())
})

t.test('an unavailable mutant meets every case, and then all inputs', async (t) => {
  const [first, second] = stagesOfMutant({ id: 'none', violates: [], expect: 'cantTell' }, cases, job)
  t.strictSame(first.only, ids)
  t.ok(cases.every((testCase) => first.shareOf(testCase) < 1))
  t.ok(cases.every((testCase) => second?.shareOf(testCase) === 1))
})

t.test('a job that names cases, or wants all, has one stage', async (t) => {
  const only = ['4.1/*']
  const [named, ...further] = stagesOfMutant(mutant, cases, { ...job, only })
  t.strictSame([named.only, further], [only, []])
  t.equal(stagesOfMutant(mutant, cases, { ...job, full: true }).length, 1)
})

t.test('a variant meets every case, one that costs much only some with fewer inputs', async (t) => {
  const shares = (stage: ReturnType<typeof stageOfVariant>) => cases.map(stage.shareOf)
  const usual: Variant = { id: 'one', description: 'One.', needs: 'default', behaviour: () => ({}) }
  const slow = { ...usual, cases: ['8/*'] }
  t.equal(stageOfVariant(usual, { ...job, kind: 'variant' }).only, undefined)
  t.strictSame(stageOfVariant(slow, { ...job, kind: 'variant' }).only, ['8/*'])
  t.equal(stageOfVariant(slow, { ...job, kind: 'variant', full: true }).only, undefined)
  const [usualShare = 0, slowest = 1] = [usual, slow].map((one) =>
    Math.max(...shares(stageOfVariant(one, job))),
  )
  t.ok(slowest < usualShare)
  t.strictSame(new Set(shares(stageOfVariant(usual, { ...job, full: true }))), new Set([1]))
})
