import t from 'tap'
import type { Case } from '../model/case.js'
import type { Specification } from '../model/specification.js'
import { type Shipped, withAdvice } from './advice.js'

const testCase = (id: string, ...rules: readonly string[]): Case => ({
  id,
  title: id,
  section: id.split('/')[0] ?? '',
  steps: [{ send: {}, expect: rules.map((rule) => ({ rule, yieldsToken: true })) }],
})
const rule = (id: string, ...cases: readonly string[]) => ({
  ...{ id, section: '1', level: 'must' as const, statement: id, cases },
})

const base: Specification = {
  hash: 'sha256:0',
  requirements: [rule('1-old', '1/old', '1/later'), rule('1-later', '1/old'), rule('mine:x-a', 'mine:x/a')],
  cases: [
    testCase('1/old', '1-old', '1-later'),
    testCase('1/later', '1-old'),
    testCase('mine:x/a', 'mine:x-a'),
  ],
  observations: [],
}
const shipped: Shipped = {
  profiles: {
    shop: {
      description: 'A shop.',
      requirements: [rule('shop:a-b', 'shop:a/b')],
      cases: [testCase('shop:a/b', 'shop:a-b')],
    },
  },
  sets: { '0.9': { recommended: ['1-old'], cases: { '1/old': ['1-old'] } } },
}
const advisory = ({ cases }: Specification) =>
  Object.fromEntries(cases.flatMap(({ id, advisory }) => (advisory === undefined ? [] : [[id, advisory]])))

t.test('without an option it is the specification itself', async (t) => {
  t.equal(withAdvice(base, {}, shipped), base)
})

t.test('a profile is judged, and gates where it is asked to', async (t) => {
  const advised = withAdvice(base, { profiles: ['shop'] }, shipped)
  t.strictSame(advisory(advised), { 'shop:a/b': ['shop:a-b'] })
  t.strictSame(advised.requirements.map(({ id, advisory }) => [id, advisory]).at(-1), ['shop:a-b', true])
  t.strictSame(advised.advice, { profiles: [{ name: 'shop', gates: false }] })
  const gating = withAdvice(base, { gate: ['shop'] }, shipped)
  t.strictSame(advisory(gating), {})
  t.equal(gating.cases.length, 4)
  t.not(gating.hash, advised.hash, 'shards of one run alone are merged')
})

t.test(
  'under a set of requirements what came later is advice: a rule, and a case of an old rule',
  async (t) => {
    const held = withAdvice(base, { requirements: '0.9' }, shipped)
    t.strictSame(advisory(held), { '1/old': ['1-later'], '1/later': ['1-old'] })
    t.strictSame(
      held.requirements.map(({ id, level, advisory }) => [id, level, advisory]),
      [
        ['1-old', 'should', undefined],
        ['1-later', 'must', true],
        ['mine:x-a', 'must', undefined],
      ],
      'a recommendation stays one; what is of the user alone gates',
    )
    t.strictSame(held.advice, { requirements: '0.9' })
    t.strictSame(advisory(withAdvice(base, { requirements: '0.9', gate: ['shop'] }, shipped))['shop:a/b'], [
      'shop:a-b',
    ])
  },
)

t.test('what there is not is misuse, and the message says what there is', async (t) => {
  t.throws(() => withAdvice(base, { profiles: ['shpo'] }, shipped), {
    code: 'usage',
    message: 'there is no profile `shpo`: did you mean `shop`?',
  })
  t.throws(() => withAdvice(base, { requirements: '7.7' }, shipped), {
    message: 'there is no set of requirements `7.7`: there are 0.9',
  })
  t.throws(() => withAdvice(base, { requirements: '7.7' }, { profiles: {}, sets: {} }), {
    message: 'there is no set of requirements `7.7`: there is none yet',
  })
})
