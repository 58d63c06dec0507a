import t from 'tap'
import { answer, context } from '../../conformance/fixtures/answers.js'
import { judge } from '../../conformance/judge/judge.js'
import type { Expectation } from '../../spec/model/expectation.js'
import { checksWith, idOf, isAskedFor, JUDGE_SITES, type JudgeSite } from './judge-sites.js'

const success: Expectation = { rule: 'r', status: 200 }
const failure: Expectation = { rule: 'r', status: 400 }

function outcomeOf(site: JudgeSite, expectation: Expectation, body = '{}'): string {
  return judge(expectation, answer(body), { ...context(), checks: checksWith(site) }).outcome
}

t.test('each site has an id of its own', async (t) => {
  t.equal(new Set(JUDGE_SITES.map(idOf)).size, JUDGE_SITES.length)
  t.ok(JUDGE_SITES.some((site) => idOf(site) === 'member.type is ignored'))
  t.ok(isAskedFor({ check: 'status', how: 'is negated' }, success))
  t.notOk(isAskedFor({ check: 'json', how: 'is negated' }, success))
})

t.test('a check that never fails passes what fails, and only that check', async (t) => {
  const site: JudgeSite = { check: 'status', how: 'never fails' }
  t.equal(outcomeOf(site, failure), 'passed')
  t.equal(outcomeOf(site, { ...failure, jsonObject: true }, '[]'), 'failed')
})

t.test('a negated check exchanges pass and fail', async (t) => {
  const site: JudgeSite = { check: 'status', how: 'is negated' }
  t.equal(outcomeOf(site, failure), 'passed')
  t.equal(outcomeOf(site, success), 'failed')
})

t.test('a part that is ignored leaves the others', async (t) => {
  const site: JudgeSite = { check: 'member', how: 'is ignored', part: 'nonEmpty' }
  const expectation: Expectation = { rule: 'r', member: { name: 'a', type: 'string', nonEmpty: true } }
  t.equal(outcomeOf(site, expectation, '{"a":""}'), 'passed')
  t.equal(outcomeOf(site, expectation, '{"a":1}'), 'failed')
  t.equal(outcomeOf(site, expectation), 'failed')
})
