import t from 'tap'
import type { Deployment } from '../../../conformance/target/deployment.js'
import { resolveTarget } from '../../../conformance/target/target.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { EDITED, readRequest, requestText, withEdited } from './edit-request.js'

const [deployment]: readonly [Deployment, ...Deployment[]] = resolveTarget({
  baseUrl: 'http://127.0.0.1:5000/auth',
  accounts: [{ userName: 'ann', password: 'Secret-1' }],
  headers: { 'X-Api-Key': 'k' },
  tokenRequest: { form: { client_id: 'web' } },
}).deployments

t.test('a request as text has what the case sends, and no more', async (t) => {
  const text = requestText(
    {
      label: 'request',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:5000/auth/Token',
        headers: [
          ['x-api-key', '‹value of X-Api-Key›'],
          ['Content-Type', 'application/x-www-form-urlencoded'],
        ],
        body: { text: 'grant_type=password&client_id=web&password=‹password of ann›', truncated: false },
      },
      response: null,
      durationMs: 1,
    },
    deployment,
  )
  t.equal(
    text,
    'POST /Token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=password&password=‹password of ann›',
  )
})

t.test('an edited text is sent as it is written, with the password in place of its label', async (t) => {
  const form =
    'POST /Token\r\nContent-Type: application/x-www-form-urlencoded; x\r\nX-A: $b\r\n\r\na=1+2&a=%24&p=‹password of ann›'
  t.strictSame(readRequest(form, deployment), {
    method: 'POST',
    path: '/Token',
    contentType: 'application/x-www-form-urlencoded; x',
    headers: { 'X-A': '$$b' },
    form: [
      ['a', '1 2'],
      ['a', '$$'],
      ['p', '$account.password'],
    ],
  })
  t.match(readRequest('PUT /x?y=%zz\n\na=%zz&b\n\nc $d', deployment), {
    contentType: null,
    body: 'a=%zz&b\n\nc $$d',
  })
  const json = 'POST /Token\nContent-Type: application/json\n\n{"p":"‹password of ann›","q":["$"]}'
  t.match(readRequest(json, deployment), { json: { p: '$account.password', q: ['$$'] } })
  t.match(readRequest('POST /Token\n\np=‹password of ann›x&q=‹password of ann›', deployment), {
    body: 'p=Secret-1x&q=$account.password',
  })
  t.notOk('body' in readRequest('GET /Token', deployment))
})

t.test('what cannot be sent is refused', async (t) => {
  const refusals: readonly (readonly [text: string, message: RegExp])[] = [
    ['', /a first line such as `POST \/Token`/],
    ['POST Token', /a first line such as/],
    ['POST /Token HTTP/1.1', /a first line such as/],
    ['POST http://evil.example/', /a first line such as/],
    ['POST /Token\nno header', /expected headers/],
    ['POST /Token\n\n‹password of ann: last character dropped›', /replace it with what to send/],
  ]
  for (const [text, message] of refusals) t.throws(() => readRequest(text, deployment), message, text)
})

t.test('the case keeps its rules, and is sent once', async (t) => {
  const specification = loadSpecification()
  const testCase = specification.cases.find(({ id }) => id === '2.1/token-response')
  if (testCase === undefined) throw new TypeError('there is such a case')
  const { cases } = withEdited(specification, testCase, 'request', { method: 'GET' })
  const edited = cases.at(-1)
  t.match(edited, { id: EDITED, steps: [{ send: { method: 'GET' }, expect: testCase.steps[0]?.expect }] })
  t.notOk(edited?.repeat ?? edited?.invariant ?? edited?.control)
  t.equal(cases.length, specification.cases.length + 1)

  const generated = specification.cases.find(
    ({ forall = {}, steps }) =>
      steps.length > 1 && JSON.stringify(steps.slice(1)).includes(`$${Object.keys(forall)[0]}`),
  )
  if (generated === undefined)
    throw new TypeError('there is a case with a generated value after its first step')
  const label = generated.steps[0]?.name ?? 'request'
  t.throws(() => withEdited(specification, generated, label, {}), /can only be run again as a whole/)
})
