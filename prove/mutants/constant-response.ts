import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { imfFixdate, wholeSeconds } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant, type MutantRows } from './mutant.js'
import { answers, asksForToken, FAILURE } from './overrides.js'
import type { Override } from './rows.js'

const values = [
  ...['2.1-access_token', '2.1-token_type', '2.1-expires_in', '2.1-userName', '2.1-issued', '2.1-expires'],
  '4.1-success',
]
const json: Answer['headers'] = [['Content-Type', 'application/json;charset=UTF-8']]
const html: Answer['headers'] = [['Content-Type', 'text/html; charset=utf-8']]

/** The token endpoint answers every request alike. */
export const constantResponseMutants: readonly Mutant[] = [
  ...withoutToken(values, {
    'always-200: Every token request gets 200 and an empty object.': [200, json, '{}'],
  }),
  ...withoutToken([...values, '2.1-json-object'], {
    'always-empty: Every token request gets 200 and an empty body.': [200],
    'always-204: Every token request gets 204.': [204],
    'always-html: Every token request gets a page.': [200, html, '<!doctype html><title>Sign in</title>'],
  }),
  ...withoutToken([], {
    'always-400: Every token request gets the documented error.': [
      400,
      json,
      '{"error":"unsupported_grant_type"}',
    ],
    'always-401: Every token request gets 401.': [401],
    'always-500: Every token request gets 500.': [500],
  }),
  ...withoutToken(['4.1-path'], {
    'always-404: Every token request gets 404.': [404, html, '<h1>Not Found</h1>'],
    'always-redirected: Every token request gets a redirect to a login page.': [
      302,
      [['Location', '/login']],
    ],
  }),
  ...breaking(
    {
      violates: ['4.1-success', ...values.slice(0, -1), '2.1-json-object'],
      collateral: ['4.2-external-login', '5-R2'],
    },
    asIs,
    {
      'token-in-location: A redirect carries the token in its URL.': answers((answer) => {
        const token = /"access_token":"([^"]+)"/.exec(answer.body.toString())?.[1]
        return token === undefined
          ? answer
          : { status: 302, headers: [['Location', `/home#access_token=${token}`]], body: '' }
      }),
    },
  ),
  ...breaking(
    {
      violates: [
        ...['2.1-userName', '4.1-content-type', '4.1-credentials', '4.1-grant_type', '4.1-method'],
        ...['4.1-password', '4.1-R1', '4.1-R2', '4.1-username'],
      ],
      collateral: ['8-R1', '7-token-error-status'],
    },
    asIs,
    { 'always-token: Every token request gets a token of the main account.': mainToken },
  ),
  ...breaking(
    {
      violates: ['4.1-credentials', '4.1-password', '4.1-username'],
      collateral: ['2.1-userName', '8-R1'],
    },
    asIs,
    {
      'only-shape-checked: Any well-formed password grant succeeds.': {
        signIn: ({ userName = 'somebody' }) => ({ userName, userId: 'somebody' }),
      },
    },
  ),
  ...breaking({ violates: [], expect: 'cantTell' }, asIs, {
    'tired-after-thirty: After thirty token requests, every request fails with 500.': () => {
      let requests = 0
      return answers((answer, request) => (asksForToken(request) && ++requests > 30 ? FAILURE : answer))
    },
  }),
]

type FixedAnswer = readonly [status: number, headers?: Answer['headers'], body?: string]

/** Where no valid request yields a token, each gets the same answer. */
function withoutToken(further: readonly string[], rows: MutantRows<FixedAnswer>): readonly Mutant[] {
  const violates = ['1-exchange', '4.1-R3', '5-R1', '8-R1', ...further]
  const answer = ([status, headers = [], body = '']: FixedAnswer) => always(() => ({ status, headers, body }))
  return breaking({ violates, collateral: ['4.1-form-encoding', '5-R2'] }, answer, rows)
}

function always(answer: () => Answer): Override {
  return answers((own, request) => (asksForToken(request) ? answer() : own))
}

function mainToken(): Override {
  const { newAccessToken, renderMembers, tokenMembers } = specifiedBehaviour
  const bearer = { userName: 'alice', userId: 'alice' }
  return always(() => {
    const nowMs = wholeSeconds(Date.now())
    const grant = {
      bearer,
      accessToken: newAccessToken(bearer),
      tokenType: 'bearer',
      expiresIn: 1_209_599,
      issued: imfFixdate(nowMs),
      expires: imfFixdate(nowMs + 1_209_600_000),
      includesUserId: false,
    }
    return { status: 200, headers: json, body: renderMembers(tokenMembers(grant, 'password')) }
  })
}
