import t from 'tap'
import { resolveTarget } from '../../../conformance/target/target.js'
import { redReport } from '../../../reports/fixtures/sample-report.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { createEditedRequests } from './send-edited.js'

const PASSWORD = 'Correct-horse-1'
const API_KEY = 'Kk-secret-7781xyz'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

t.test('a secret that is typed as itself is shown by its label, wherever it is', async (t) => {
  const server = await startReference(t, { accounts: [{ userName: 'ann', password: PASSWORD }] })
  const target = resolveTarget({
    baseUrl: server.url,
    accounts: [{ userName: 'ann', password: PASSWORD }],
    headers: { 'X-Api-Key': API_KEY },
  })
  const requests = createEditedRequests(loadSpecification())
  t.teardown(() => requests.close())
  const texts = {
    'in a form': `POST /Token\n${FORM}\n\ngrant_type=password&username=bob&password=${PASSWORD}`,
    'under another name': `POST /Token\n${FORM}\n\nx=${PASSWORD}`,
    'in JSON': `POST /Token\nContent-Type: application/json\n\n{"p":"${PASSWORD}"}`,
    'as it is': `POST /Token\nContent-Type: text/plain\n\n${PASSWORD}`,
    'in a header': `POST /Token\n${FORM}\nX-P: ${PASSWORD}\n\ngrant_type=x`,
    'as the method': `${PASSWORD} /Token\n${FORM}\n\ngrant_type=x`,
    'in the path': `POST /Token?p=${PASSWORD}\n${FORM}\n\ngrant_type=x`,
    'with a letter after it': `POST /Token\n${FORM}\n\nusername=ann&password=‹password of ann›x`,
    'of a header': `POST /Token\n${FORM}\nX-Other: ${API_KEY}\n\nkey=${API_KEY}`,
  }
  const [first] = redReport.results
  if (first === undefined) throw new TypeError('there is a result')
  const result = { ...first, case: '4.1/unknown-grant-type', deployment: target.deployments[0].name }
  for (const [place, text] of Object.entries(texts)) {
    const sent = JSON.stringify(await requests.send({ target, result, label: 'request', text }))
    t.match(sent, /"label":"request"/, `${place}: sent`)
    t.match(sent, /‹(?:password of ann|value of X-Api-Key)›/, place)
    t.notOk(sent.includes(PASSWORD) || sent.includes(API_KEY), place)
  }
})

t.test('the answer of each deployment is judged, not of the first alone', async (t) => {
  const accounts = [{ userName: 'ann', password: PASSWORD }]
  const [right, wrong] = [
    await startReference(t, { accounts }),
    await startReference(t, { accounts, behaviour: { tokenType: () => 'Bearer' } }),
  ]
  const target = resolveTarget({
    baseUrl: right.url,
    accounts,
    deployments: { first: {}, second: { baseUrl: wrong.url } },
  })
  const requests = createEditedRequests(loadSpecification())
  t.teardown(() => requests.close())
  const [any] = redReport.results
  if (any === undefined) throw new TypeError('there is a result')
  const text = `POST /Token\n${FORM}\n\ngrant_type=password&username=ann&password=‹password of ann›`
  for (const [deployment, outcome] of [
    ['first', 'passed'],
    ['second', 'failed'],
  ] as const) {
    const result = { ...any, case: '2.1/token-response', deployment }
    const sent = await requests.send({ target, result, label: 'request', text })
    const judged = sent.judgements.find(({ rule }) => rule === '2.1-token_type')
    t.equal(judged?.outcome, outcome, deployment)
  }
})
