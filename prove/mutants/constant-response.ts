import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { imfFixdate, wholeSeconds } from '../../reference/token-response.js'
import { breaking, type Mutant } from './mutant.js'
import { answers, asksForToken, type Override } from './overrides.js'

/** Where no valid request yields a token. */
const noToken = ['1-exchange', '4.1-R3', '5-R1', '8-R1']
const values = [
  ...['2.1-access_token', '2.1-token_type', '2.1-expires_in', '2.1-userName', '2.1-issued', '2.1-expires'],
  '4.1-success',
]
const json: Answer['headers'] = [['Content-Type', 'application/json;charset=UTF-8']]
const html: Answer['headers'] = [['Content-Type', 'text/html; charset=utf-8']]

/** The token endpoint answers every request alike. */
export const constantResponseMutants: readonly Mutant[] = [
  ...withoutToken(values)({
    'always-200: Every token request gets 200 and an empty object.': always(200, json, '{}'),
  }),
  ...withoutToken([...values, '2.1-json-object'])({
    'always-empty: Every token request gets 200 and an empty body.': always(200),
    'always-204: Every token request gets 204.': always(204),
    'always-html: Every token request gets a page.': always(
      200,
      html,
      '<!doctype html><title>Sign in</title>',
    ),
  }),
  ...withoutToken([])({
    'always-400: Every token request gets the documented error.': always(
      400,
      json,
      '{"error":"unsupported_grant_type"}',
    ),
    'always-401: Every token request gets 401.': always(401),
    'always-500: Every token request gets 500.': always(500),
  }),
  ...withoutToken(['4.1-path'])({
    'always-404: Every token request gets 404.': always(404, html, '<h1>Not Found</h1>'),
    'always-redirected: Every token request gets a redirect to a login page.': always(302, [
      ['Location', '/login'],
    ]),
  }),
  ...breaking({
    violates: ['4.1-success', ...values.slice(0, -1), '2.1-json-object'],
    collateral: ['4.2-external-login', '5-R2'],
  })({
    'token-in-location: A redirect carries the token in its URL.': answers((answer) => {
      const token = /"access_token":"([^"]+)"/.exec(answer.body.toString())?.[1]
      return token === undefined
        ? answer
        : { status: 302, headers: [['Location', `/home#access_token=${token}`]], body: '' }
    }),
  }),
  ...breaking({
    violates: [
      ...['2.1-userName', '4.1-content-type', '4.1-credentials', '4.1-grant_type', '4.1-method'],
      ...['4.1-password', '4.1-R1', '4.1-R2', '4.1-username'],
    ],
    collateral: ['8-R1', '7-token-error-status'],
  })({ 'always-token: Every token request gets a token of the main account.': mainToken }),
  ...breaking({
    violates: ['4.1-credentials', '4.1-password', '4.1-username'],
    collateral: ['2.1-userName', '8-R1'],
  })({
    'only-shape-checked: Any well-formed password grant succeeds.': () => ({
      signIn: ({ userName = 'somebody' }) => ({ userName, userId: 'somebody' }),
    }),
  }),
  ...breaking({ violates: [], expect: 'cantTell' })({
    'tired-after-thirty: After thirty token requests, every request fails with 500.': () => {
      let requests = 0
      return answers((answer, request) =>
        asksForToken(request) && ++requests > 30 ? { status: 500, headers: [], body: '' } : answer,
      )()
    },
  }),
]

function withoutToken(further: readonly string[]): ReturnType<typeof breaking> {
  return breaking({ violates: [...noToken, ...further], collateral: ['4.1-form-encoding', '5-R2'] })
}

/** The same answer to all. */
function always(status: number, headers: Answer['headers'] = [], body = ''): Override {
  return answers((own, request) => (asksForToken(request) ? { status, headers, body } : own))
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
          headers: json,
          body: body(wholeSeconds(Date.now())),
        }
      : own,
  )()
}
