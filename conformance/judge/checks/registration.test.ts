import t from 'tap'
import { HttpResponse, type ResponseOrReason } from '../../exchange/http-response.js'
import { answer, context } from '../../fixtures/answers.js'
import { classifyRegistration } from '../../target/accounts/policy.js'
import { resolveTarget } from '../../target/target.js'
import { type JudgeContext, judge } from '../judge.js'
import type { CheckResult } from './check-result.js'
import { checkRegistered, checkRegisteredTimes } from './registration.js'

const [{ registration }] = resolveTarget({
  baseUrl: 'http://127.0.0.1:1',
  accounts: [{ userName: 'alice', password: 'Secret-of-1' }],
  registration: { request: { path: '/accounts', json: { userName: '$userName' } } },
}).deployments

function registering(steps: Readonly<Record<string, ResponseOrReason>> = {}): JudgeContext {
  const here = context({ steps })
  return registration === undefined ? here : { ...here, registration }
}

t.test('what must be accepted, and ends in a server error, is not accepted', async (t) => {
  const kindOf = (status: number, expected: boolean): CheckResult['kind'] => {
    const response = answer('{}', { status })
    return response instanceof HttpResponse
      ? checkRegistered(response, expected, registering()).kind
      : 'inconclusive'
  }
  t.equal(kindOf(201, true), 'pass')
  t.equal(kindOf(400, true), 'fail')
  t.equal(kindOf(500, true), 'fail')
  t.equal(kindOf(404, true), 'inconclusive', 'a path of its own, or none')
  t.equal(kindOf(500, false), 'inconclusive', 'a rejection may end so too')
})

t.test('an accepted status is a rejection where the body says all that is declared of one', async (t) => {
  const rejectedWhen = { '/ok': false, '/errors/0/code': 7 }
  const kindOf = (body: string, status = 200): string => {
    const response = answer(body, { status })
    return response instanceof HttpResponse ? classifyRegistration(response, { rejectedWhen }) : 'none'
  }
  t.equal(kindOf('{"errors":[{"code":7.0}],"ok":false}'), 'rejected')
  t.equal(kindOf('{"errors":[{"code":7.0}],"ok":false}', 500), 'neither', 'the status comes first')
  t.equal(kindOf('{}', 400), 'rejected')
  for (const body of ['{"ok":false}', '{"ok":"false","errors":[{"code":7}]}', '[]', 'no JSON', ''])
    t.equal(kindOf(body), 'accepted', body)
})

t.test('what follows a rejection is judged where there was one', async (t) => {
  const expectation = { rule: '8-R1', ifRejected: 'first', registered: true }
  const after = (status: number) =>
    judge(expectation, answer('{}', { status: 400 }), registering({ first: answer('{}', { status }) }))
      .outcome
  t.equal(after(400), 'failed')
  t.equal(after(200), 'inapplicable')
  t.equal(after(500), 'inapplicable')
})

/** Of registrations at once that were answered by these statuses, one is to be accepted; 0: no answer came. */
function judged(statuses: readonly number[]): CheckResult['kind'] {
  const answers = statuses.map((status) => {
    const one = answer('{}', { status })
    return status !== 0 && one instanceof HttpResponse ? one : undefined
  })
  return checkRegisteredTimes(answers, 1, registering()).kind
}

t.test('one of several registrations at once is to be accepted', async (t) => {
  t.equal(judged([200, 400, 400]), 'pass')
  t.equal(judged([200, 201, 400]), 'fail')
  t.equal(judged([400, 400, 400]), 'fail')
})

t.test('what is answered neither way may have been the accepted one', async (t) => {
  t.equal(judged([400, 500, 400]), 'inconclusive')
  t.equal(judged([400, 0, 400]), 'inconclusive')
  t.equal(judged([200, 500, 400]), 'inconclusive')
  t.equal(judged([200, 0, 400]), 'inconclusive')
})

t.test('too many accepted are too many, whatever became of the others', async (t) => {
  t.equal(judged([200, 200, 500]), 'fail')
  t.equal(judged([200, 200, 0]), 'fail')
})
