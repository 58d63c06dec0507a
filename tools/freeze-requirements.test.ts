import t from 'tap'
import { parse } from 'yaml'
import { requirementSet } from '../spec/generated/validators.js'
import { loadShipped, withAdvice } from '../spec/load/advice.js'
import { loadSpecification } from '../spec/load/specification.js'
import { freezeRequirements, missingSet } from './freeze-requirements.js'

t.test('a frozen set holds all of today: nothing is advice under it', async (t) => {
  const { profiles } = loadShipped()
  const base = loadSpecification()
  const set: unknown = parse(freezeRequirements('9.9', [base, ...Object.values(profiles)]))
  t.ok(requirementSet(set), 'it is as its schema asks')
  if (!requirementSet(set)) return
  const recommended = [base, ...Object.values(profiles)].flatMap(({ requirements }) =>
    requirements.filter(({ level }) => level === 'should').map(({ id }) => id),
  )
  t.ok(recommended.length > 0)
  t.strictSame(set.recommended, recommended)
  const gate = Object.keys(profiles)
  const held = withAdvice(base, { gate, requirements: '9.9' }, { profiles, sets: { '9.9': set } })
  t.strictSame(
    held.cases.filter(({ advisory }) => advisory !== undefined),
    [],
  )
  t.strictSame(
    held.requirements.map(({ id, level }) => [id, level]),
    [base, ...Object.values(profiles)].flatMap(({ requirements }) =>
      requirements.map(({ id, level }) => [id, level]),
    ),
  )
})

t.test('each release from 1.0 on has a set', async (t) => {
  t.equal(missingSet('0.1.0', []), undefined)
  t.equal(missingSet('1.2.3', ['1.1', '1.2']), undefined)
  t.match(missingSet('1.2.0', ['1.1']), /1\.2\.yaml is not there: npm run freeze -- 1\.2$/)
})
