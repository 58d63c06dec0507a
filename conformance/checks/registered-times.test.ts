import t from 'tap'
import { answer, context } from '../fixtures/answers.js'
import { resolveTarget } from '../target.js'
import { Answer } from '../wire/answer.js'
import type { Finding } from './finding.js'
import { checkRegisteredTimes } from './registration.js'

const [{ registration }] = resolveTarget({
  baseUrl: 'http://127.0.0.1:1',
  accounts: [{ userName: 'alice', password: 'Secret-of-1' }],
  registration: { request: { path: '/accounts', json: { userName: '$userName' } } },
}).deployments

/** Of registrations at once that were answered by these statuses, one is to be accepted; 0: no answer came. */
function judged(statuses: readonly number[]): Finding['kind'] {
  const answers = statuses.map((status) => {
    const one = answer('{}', { status })
    return status !== 0 && one instanceof Answer ? one : undefined
  })
  const here = context()
  return checkRegisteredTimes(answers, 1, registration === undefined ? here : { ...here, registration }).kind
}

t.test('one of several registrations at once is to be accepted', async (t) => {
  t.equal(judged([200, 400, 400]), 'holds')
  t.equal(judged([200, 201, 400]), 'broken')
  t.equal(judged([400, 400, 400]), 'broken')
})

t.test('what is answered neither way may have been the accepted one', async (t) => {
  t.equal(judged([400, 500, 400]), 'undecided')
  t.equal(judged([400, 0, 400]), 'undecided')
  t.equal(judged([200, 500, 400]), 'undecided')
  t.equal(judged([200, 0, 400]), 'undecided')
})

t.test('too many accepted are too many, whatever became of the others', async (t) => {
  t.equal(judged([200, 200, 500]), 'broken')
  t.equal(judged([200, 200, 0]), 'broken')
})
