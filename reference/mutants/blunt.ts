import { specifiedBehaviour } from '../behaviour.js'
import type { Answer } from '../http/answer.js'
import { imfFixdate, wholeSeconds } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { answers, asksForToken, type Override } from './overrides.js'
import { mutants, type Row } from './row.js'

/** Where no valid request yields a token. */
const noToken = ['1-exchange', '4.1-R3', '5-R1', '8-R1']
const values = [
  ...['2.1-access_token', '2.1-token_type', '2.1-expires_in', '2.1-userName', '2.1-issued', '2.1-expires'],
]
const html = 'text/html; charset=utf-8'

/** The token endpoint that says one thing to everybody. */
export const bluntMutants: readonly Mutant[] = mutants([
  always(
    'always-200',
    'Every token request is answered by 200 and an empty object.',
    [...values, '4.1-success'],
    {
      status: 200,
      headers: [['Content-Type', 'application/json;charset=UTF-8']],
      body: '{}',
    },
  ),
  always(
    'always-empty',
    'Every token request is answered by 200 and an empty body.',
    [...values, '4.1-success', '2.1-json-object'],
    {
      status: 200,
      headers: [],
      body: '',
    },
  ),
  always(
    'always-204',
    'Every token request is answered by 204.',
    [...values, '4.1-success', '2.1-json-object'],
    {
      status: 204,
      headers: [],
      body: '',
    },
  ),
  always(
    'always-html',
    'Every token request is answered by a page.',
    [...values, '4.1-success', '2.1-json-object'],
    {
      status: 200,
      headers: [['Content-Type', html]],
      body: '<!doctype html><title>Sign in</title>',
    },
  ),
  always('always-400', 'Every token request is answered by the documented error.', [], {
    status: 400,
    headers: [['Content-Type', 'application/json;charset=UTF-8']],
    body: '{"error":"unsupported_grant_type"}',
  }),
  always('always-401', 'Every token request is answered by 401.', [], { status: 401, headers: [], body: '' }),
  always('always-500', 'Every token request is answered by 500.', [], { status: 500, headers: [], body: '' }),
  always('always-404', 'Every token request is answered by 404.', ['4.1-path'], {
    status: 404,
    headers: [['Content-Type', html]],
    body: '<h1>Not Found</h1>',
  }),
  always('always-redirected', 'Every token request is sent to a login page.', ['4.1-path'], {
    status: 302,
    headers: [['Location', '/login']],
    body: '',
  }),
  {
    id: 'token-in-location',
    sentence: 'A token is answered by a redirection that carries it.',
    violates: ['4.1-success', ...values, '2.1-json-object'],
    collateral: ['4.2-external-login', '5-R2'],
    behaviour: answers((answer) => {
      const token = /"access_token":"([^"]+)"/.exec(answer.body.toString())?.[1]
      return token === undefined
        ? answer
        : { status: 302, headers: [['Location', `/home#access_token=${token}`]], body: '' }
    }),
  },
  {
    id: 'always-token',
    sentence: 'Every token request is answered by a token of the main account.',
    violates: [
      ...['2.1-userName', '4.1-content-type', '4.1-credentials', '4.1-grant_type', '4.1-method'],
      ...['4.1-password', '4.1-R1', '4.1-R2', '4.1-username'],
    ],
    collateral: ['8-R1', '7-token-error-status'],
    behaviour: mainToken,
  },
  {
    id: 'only-shape-checked',
    sentence: 'Whatever looks like a password grant is granted.',
    violates: ['4.1-credentials', '4.1-password', '4.1-username'],
    collateral: ['2.1-userName', '8-R1'],
    behaviour: () => ({
      signIn: ({ userName = 'somebody' }) => ({ userName, userId: 'somebody' }),
    }),
  },
  {
    id: 'tired-after-thirty',
    sentence: 'After thirty token requests every further one fails with 500.',
    violates: ['1-exchange'],
    collateral: [
      ...['4.1-R1', '4.1-R2', '4.1-R3', '4.1-form-encoding', '4.1-content-type-spelling', '5-R1', '8-R1'],
      ...['7-token-error-status', '7-token-error-body', '7-token-error-media-type'],
    ],
    behaviour: () => {
      let requests = 0
      return answers((answer, request) =>
        asksForToken(request) && ++requests > 30 ? { status: 500, headers: [], body: '' } : answer,
      )()
    },
  },
])

/** The same answer to all. */
function always(id: string, sentence: string, further: readonly string[], answer: Answer): Row {
  return {
    id,
    sentence,
    violates: [...noToken, ...further],
    collateral: ['4.1-form-encoding', '5-R2'],
    behaviour: answers((own, request) => (asksForToken(request) ? answer : own)),
  }
}

function mainToken(): ReturnType<Override> {
  const { newAccessToken, renderMembers, tokenMembers } = specifiedBehaviour
  const bearer = { userName: 'alice', userId: 'alice' }
  const body = (nowMs: number): string =>
    renderMembers(
      tokenMembers(
        {
          bearer,
          accessToken: newAccessToken(bearer),
          tokenType: 'bearer',
          expiresIn: 1_209_599,
          issued: imfFixdate(nowMs),
          expires: imfFixdate(nowMs + 1_209_600_000),
          includesUserId: false,
        },
        'password',
      ),
    )
  return answers((own, request) =>
    asksForToken(request)
      ? {
          status: 200,
          headers: [['Content-Type', 'application/json;charset=UTF-8']],
          body: body(wholeSeconds(Date.now())),
        }
      : own,
  )()
}
