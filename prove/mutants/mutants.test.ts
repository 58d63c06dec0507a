import t from 'tap'
import { specifiedBehaviour } from '../../reference/behaviour.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { VARIANTS } from '../variants/index.js'
import { MUTANTS } from './index.js'

const { requirements, cases } = loadSpecification()
const rules = requirements.map(({ id }) => id)
const judged = requirements.filter(
  ({ level, cases = [] }) => (level === 'must' || level === 'should') && cases.length > 0,
)

/** Those that occur more than once. */
function repeated(texts: readonly string[]): readonly string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index)
}

t.test('mutants and variants have ids in kebab-case, and descriptions, of their own', async (t) => {
  const all = [...MUTANTS, ...VARIANTS]
  for (const some of [MUTANTS, VARIANTS]) {
    t.strictSame(repeated(some.map(({ id }) => id)), [], 'ids')
    t.strictSame(repeated(some.map(({ description }) => description)), [], 'descriptions')
  }
  t.strictSame(
    all.filter(({ id }) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)),
    [],
  )
  t.strictSame(
    all.filter(({ description }) => !/^[A-Za-z`].{5,118}\.$/.test(description)),
    [],
  )
  t.ok(MUTANTS.length >= 130 && VARIANTS.length >= 34, `${MUTANTS.length} and ${VARIANTS.length}`)
})

t.test('a mutant claims rules that there are, and each once', async (t) => {
  const claims = MUTANTS.map(({ violates, collateral }) => [...violates, ...collateral])
  t.strictSame(
    [...new Set(claims.flat())].filter((rule) => !rules.includes(rule)),
    [],
  )
  t.strictSame(claims.flatMap(repeated), [])
  const idle = MUTANTS.filter(({ violates, expect }) => violates.length > 0 !== (expect === 'failed'))
  t.strictSame(
    idle.map(({ id }) => id),
    [],
    'each is wrong, or unavailable',
  )
})

t.test('a smallest counterexample is of a case that searches for one', async (t) => {
  const searching = cases.filter(({ forall }) => forall !== undefined).map(({ id }) => id)
  const named = MUTANTS.flatMap(({ smallest = {} }) => Object.keys(smallest))
  t.ok(named.length >= 30, `${named.length} of them`)
  t.strictSame(
    named.filter((id) => !searching.includes(id)),
    [],
  )
})

t.test('every rule that is judged has a mutant', async (t) => {
  const claimed = new Set(MUTANTS.flatMap(({ violates }) => violates))
  t.strictSame(
    judged.map(({ id }) => id).filter((id) => !claimed.has(id)),
    [],
  )
})

t.test('each overrides something, anew for each server', async (t) => {
  const overridden = MUTANTS.map(({ behaviour }) => Object.keys(behaviour()))
  t.ok(overridden.every(({ length }) => length > 0))
  t.strictSame(
    overridden.flat().filter((member) => !(member in specifiedBehaviour)),
    [],
  )
  const [first, second] = [0, 1].map(() => MUTANTS.map(({ behaviour }) => behaviour()))
  t.notOk(first?.some((own, index) => own === second?.[index]))
})
