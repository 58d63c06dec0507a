import t from 'tap'
import { HttpResponse } from '../../exchange/http-response.js'
import { answer, context } from '../../fixtures/answers.js'
import { resolveTarget } from '../../target/target.js'
import type { CheckResult } from './check-result.js'
import { checkRegisteredTimes } from './registration.js'

const [{ registration }] = resolveTarget({
  baseUrl: 'http://127.0.0.1:1',
  accounts: [{ userName: 'alice', password: 'Secret-of-1' }],
  registration: { request: { path: '/accounts', json: { userName: '$userName' } } },
}).deployments

/** Of registrations at once that were answered by these statuses, one is to be accepted; 0: no answer came. */
function judged(statuses: readonly number[]): CheckResult['kind'] {
  const answers = statuses.map((status) => {
    const one = answer('{}', { status })
    return status !== 0 && one instanceof HttpResponse ? one : undefined
  })
  const here = context()
  return checkRegisteredTimes(answers, 1, registration === undefined ? here : { ...here, registration }).kind
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
