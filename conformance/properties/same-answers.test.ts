import t from 'tap'
import { HttpResponse } from '../exchange/http-response.js'
import { answer, type Given } from '../fixtures/answers.js'
import { compareLoginAnswers } from './same-answers.js'

function response(body: string, given: Given = {}): HttpResponse {
  const made = answer(body, given)
  if (made instanceof HttpResponse) return made
  throw new TypeError(made.reason)
}

const wrong = response('{"error":"invalid_grant"}', { status: 400 })

t.test('the same answers show nothing, nor does what differs each time', async (t) => {
  t.strictSame(compareLoginAnswers('a wrong password', [wrong, wrong], [wrong, wrong]), { outcome: 'passed' })
  const numbered = [1, 2, 3, 4].map((id) => response(`{"error":"invalid_grant","id":${id}}`, { status: 400 }))
  t.strictSame(compareLoginAnswers('a wrong password', numbered.slice(0, 2), numbered.slice(2)), {
    outcome: 'passed',
  })
  t.strictSame(
    compareLoginAnswers('a wrong password', numbered.slice(0, 2), [numbered[3] ?? wrong]),
    { outcome: 'passed' },
    'on one side',
  )
  const pages = [1, 2, 3, 4].map((id) => response(`<p>${id}`, { status: 400 }))
  t.strictSame(compareLoginAnswers('a wrong password', pages.slice(0, 2), pages.slice(2)), {
    outcome: 'passed',
  })
})

t.test('a difference that is always there does', async (t) => {
  const others: readonly (readonly [HttpResponse, RegExp])[] = [
    [response('{"error":"invalid_grant"}', { status: 404 }), /differ in status$/],
    [response('{"error":"invalid_user"}', { status: 400 }), /differ in \/error$/],
    [response('{"error":"invalid_grant","hint":1}', { status: 400 }), /differ in members$/],
    [response('No such user.', { status: 400 }), /differ in /],
    [response('{"error":"invalid_grant"}', { status: 400, headers: [] }), /differ in Content-Type$/],
  ]
  for (const [other, message] of others)
    t.match(compareLoginAnswers('a wrong password', [wrong, wrong], [other, other]), {
      outcome: 'failed',
      message,
    })
})
