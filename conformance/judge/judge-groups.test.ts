import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { loadSpecification } from '../../spec/load/specification.js'
import type { Case } from '../../spec/model/case.js'
import type { Expectation } from '../../spec/model/expectation.js'
import type { Json } from '../../spec/model/json.js'
import type { ResponseOrReason } from '../exchange/http-response.js'
import { answer, context, type Given, type Situation } from '../fixtures/answers.js'
import { judge } from './judge.js'

// A case names a group by `all: <group>`; both are the same, as a test below says.
const groups: Readonly<Record<string, readonly Expectation[]>> = parse(
  readFileSync(new URL('../../spec/expectations.yaml', import.meta.url), 'utf8'),
)
const { 'token-response': tokenResponse = [], 'documented-error': documentedError = [] } = groups

t.test('the cases hold the groups', async (t) => {
  const { cases } = loadSpecification()
  const expectationsOf = (id: string): readonly Expectation[] =>
    cases.find((testCase: Case) => testCase.id === id)?.steps.at(-1)?.expect ?? []
  const without = (all: readonly Expectation[], group: readonly Expectation[]): readonly Expectation[] =>
    group.filter((expectation) => !all.some((held) => isDeepStrictEqual(held, expectation)))
  t.ok(tokenResponse.length > 10 && documentedError.length === 3)
  t.strictSame(without(expectationsOf('2.1/token-response'), tokenResponse), [])
  t.strictSame(without(expectationsOf('7/unsupported-grant-type'), documentedError), [])
})

/** The rules that failed and those that could not be judged. */
function verdicts(group: readonly Expectation[], of: ResponseOrReason, situation: Situation = {}) {
  const judgements = group.map((expectation) => judge(expectation, of, context(situation)))
  const of_ = (outcome: string): string[] =>
    judgements.filter((judgement) => judgement.outcome === outcome).map((judgement) => judgement.rule)
  return { count: judgements.length, failed: of_('failed'), cantTell: of_('cantTell'), passed: of_('passed') }
}

const good: readonly (readonly [string, Json])[] = [
  ['access_token', 'opaque-token'],
  ['token_type', 'bearer'],
  ['expires_in', 1209599],
  ['userName', 'alice'],
  ['.issued', 'Mon, 01 Jul 2024 12:00:00 GMT'],
  ['.expires', 'Mon, 15 Jul 2024 12:00:00 GMT'],
]

/** The right token response, with members changed, taken away (undefined) or added. */
function response(changes: Readonly<Record<string, Json | undefined>> = {}): string {
  const members = Object.entries({ ...Object.fromEntries(good), ...changes })
  return JSON.stringify(Object.fromEntries(members.filter(([, value]) => value !== undefined)))
}

const withUserId = { includesUserId: true }

t.test('each near miss of a token response breaks exactly its rule', async (t) => {
  const right = response()
  const iso = { '.issued': '2024-07-01T12:00:00Z' }
  /** The rules broken, derived from section 2.1, then those that are left with nothing to judge. */
  const rows: readonly (readonly [
    string,
    string | Uint8Array,
    readonly string[],
    (readonly string[])?,
    Situation?,
  ])[] = [
    ['the documented one', right, []],
    ['one second more', response({ expires_in: 1209600 }), []],
    ['an extra member', response({ scope: 'x' }), []],
    ['an extra member under --strict', response({ scope: 'x' }), ['4.1-success'], [], { strict: true }],
    ['nothing extra under --strict', right, [], [], { strict: true }],
    ['members in another order', JSON.stringify(Object.fromEntries(good.toReversed())), []],
    ['white space around', `\r\n${right}\n`, []],
    ['token_type capitalised', response({ token_type: 'Bearer' }), ['2.1-token_type']],
    ['token_type missing', response({ token_type: undefined }), ['2.1-token_type']],
    ['token_type in a list', response({ token_type: ['bearer'] }), ['2.1-token_type']],
    ['access_token empty', response({ access_token: '' }), ['2.1-access_token']],
    ['access_token missing', response({ access_token: undefined }), ['2.1-access_token']],
    ['access_token a number', response({ access_token: 5 }), ['2.1-access_token']],
    [
      'access_token under another case',
      response({ access_token: undefined, Access_Token: 'x' }),
      ['2.1-access_token'],
    ],
    ['expires_in a string', response({ expires_in: '1209599' }), ['2.1-expires_in']],
    ['expires_in two less', response({ expires_in: 1209598 }), ['2.1-expires_in']],
    ['expires_in one more', response({ expires_in: 1209601 }), ['2.1-expires_in']],
    ['expires_in in milliseconds', response({ expires_in: 1209599000 }), ['2.1-expires_in']],
    ['expires_in missing', response({ expires_in: undefined }), ['2.1-expires_in']],
    ['expires_in with a fraction', right.replace('1209599', '1209599.0'), ['2.1-expires_in']],
    ['expires_in with an exponent', right.replace('1209599', '1.209599e6'), ['2.1-expires_in']],
    ['userName in other case', response({ userName: 'Alice' }), ['2.1-userName']],
    ['userName with a space', response({ userName: 'alice ' }), ['2.1-userName']],
    ['userName missing', response({ userName: undefined }), ['2.1-userName']],
    ['username in lower case', response({ userName: undefined, username: 'alice' }), ['2.1-userName']],
    ['.issued in ISO form', response(iso), ['2.1-issued']],
    ['.issued with one digit', response({ '.issued': 'Mon, 1 Jul 2024 12:00:00 GMT' }), ['2.1-issued']],
    ['.issued on a wrong weekday', response({ '.issued': 'Tue, 01 Jul 2024 12:00:00 GMT' }), ['2.1-issued']],
    ['.issued in UTC', response({ '.issued': 'Mon, 01 Jul 2024 12:00:00 UTC' }), ['2.1-issued']],
    [
      '.issued missing',
      response({ '.issued': undefined }),
      ['2.1-issued'],
      ['2.1-R1', '2.1-R2', '2.1-issue-time'],
    ],
    ['.issued a number', response({ '.issued': 1719835200 }), ['2.1-issued'], ['2.1-R2', '2.1-issue-time']],
    ['.expires in ISO form', response({ '.expires': '2024-07-15T12:00:00Z' }), ['2.1-expires']],
    ['.expires missing', response({ '.expires': undefined }), ['2.1-expires'], ['2.1-R1', '2.1-R2']],
    ['.expires lower case', response({ '.expires': 'mon, 15 jul 2024 12:00:00 GMT' }), ['2.1-expires']],
    [
      'issued without its dot',
      response({ '.issued': undefined, issued: 'Mon, 01 Jul 2024 12:00:00 GMT' }),
      ['2.1-R1'],
    ],
    [
      'expires without its dot',
      response({ '.expires': undefined, expires: 'Mon, 15 Jul 2024 12:00:00 GMT' }),
      ['2.1-R1'],
    ],
    ['.expires one second late', response({ '.expires': 'Mon, 15 Jul 2024 12:00:01 GMT' }), ['2.1-R2']],
    ['.expires one second early', response({ '.expires': 'Mon, 15 Jul 2024 11:59:59 GMT' }), ['2.1-R2']],
    ['.expires the same', response({ '.expires': 'Mon, 01 Jul 2024 12:00:00 GMT' }), ['2.1-R2']],
    [
      'both 61 s early',
      response({ '.issued': 'Mon, 01 Jul 2024 11:58:59 GMT', '.expires': 'Mon, 15 Jul 2024 11:58:59 GMT' }),
      ['2.1-issue-time'],
    ],
    ['userId without being configured', response({ userId: 'id-1' }), ['2.1-userId-absent']],
    ['userId null without being configured', response({ userId: null }), ['2.1-userId-absent']],
    ['a member twice', right.replace('{', '{"token_type":"bearer",'), ['2.1-json-object']],
    ['a byte order mark', `\ufeff${right}`, ['2.1-json-object']],
    ['text after it', `${right};`, ['2.1-json-object']],
    ['a prefix', `)]}'\n${right}`, ['2.1-json-object']],
    ['a comma too many', right.replace('}', ',}'), ['2.1-json-object']],
    ['Latin-1', Buffer.from(response({ note: 'caf\xe9' }), 'latin1'), ['2.1-json-object']],
    [
      'an empty list',
      '[]',
      [
        '2.1-json-object',
        '2.1-access_token',
        '2.1-token_type',
        '2.1-expires_in',
        '2.1-userName',
        '2.1-issued',
        '2.1-expires',
      ],
      ['2.1-R1', '2.1-R2', '2.1-issue-time'],
    ],
    ['userId, configured', response({ userId: 'id-1' }), [], [], withUserId],
    ['userId missing', right, ['2.1-userId'], ['2.1-R3'], withUserId],
    ['userId empty', response({ userId: '' }), ['2.1-userId'], [], withUserId],
    ['userId a number', response({ userId: 7 }), ['2.1-userId'], [], withUserId],
    ['userId null', response({ userId: null }), ['2.1-userId'], [], withUserId],
    ["another's userId", response({ userId: 'id-2' }), ['2.1-userId'], [], withUserId],
    ['userId first', right.replace('{', '{"userId":"id-1",'), ['2.1-R3'], [], withUserId],
    [
      'userId before .expires',
      right.replace('".expires"', '"userId":"id-1",".expires"'),
      ['2.1-R3'],
      [],
      withUserId,
    ],
    ['userId later, not last', response({ userId: 'id-1', x: 1 }), [], [], withUserId],
    ['a short lifetime', right, ['2.1-expires_in', '2.1-R2'], [], { tokenLifetime: 3600 }],
  ]
  for (const [title, body, failed, cantTell = [], situation = {}] of rows) {
    const found = verdicts(tokenResponse, answer(body), situation)
    t.strictSame([found.failed, found.cantTell], [failed, cantTell], title)
    t.equal(found.count, tokenResponse.length, 'one judgement per expectation')
  }
})

t.test('a token is judged whatever the status, and a refusal is not', async (t) => {
  const wrong = response({ token_type: 'Bearer' })
  t.strictSame(verdicts(tokenResponse, answer(wrong, { status: 500 })).failed, [
    '4.1-success',
    '2.1-token_type',
  ])
  t.match(
    verdicts(tokenResponse, answer('', { status: 204 })).failed,
    ['2.1-json-object'],
    'a 2xx must hold one',
  )
  const refused = verdicts(tokenResponse, answer('{"error":"x"}', { status: 400 }))
  t.strictSame([refused.failed, refused.passed], [[], []])
})

t.test('each near miss of the documented error breaks exactly its rule', async (t) => {
  const [status, body, media] = ['7-token-error-status', '7-token-error-body', '7-token-error-media-type']
  const right = '{"error":"unsupported_grant_type"}'
  const type = (value: string): Given => ({ headers: [['content-type', value]] })
  const rows: readonly (readonly [string, string, Given, readonly string[]])[] = [
    ['the documented one', right, {}, []],
    [
      'other spelling of the same',
      ' {"error" : "unsupported\\u005fgrant_type"}',
      type('Application/Json; charset="utf-8"'),
      [],
    ],
    ['another status', right, { status: 401 }, [status]],
    ['status 200', right, { status: 200 }, [status]],
    ['another error', '{"error":"invalid_request"}', {}, [body]],
    ['a second field', '{"error":"unsupported_grant_type","error_description":"x"}', {}, [body]],
    ['the field twice', '{"error":"unsupported_grant_type","error":"unsupported_grant_type"}', {}, [body]],
    ['another name', '{"Error":"unsupported_grant_type"}', {}, [body]],
    ['in a list', `[${right}]`, {}, [body]],
    ['a text', '"unsupported_grant_type"', {}, [body]],
    ['text after it', `${right}.`, {}, [body]],
    ['an empty body', '', {}, [body]],
    ['no charset', right, type('application/json'), [media]],
    ['another charset', right, type('application/json;charset=ISO-8859-1'), [media]],
    ['one parameter more', right, type('application/json;charset=UTF-8;v=1'), [media]],
    ['another media type', right, type('application/problem+json;charset=UTF-8'), [media]],
    ['no media type', right, { headers: [] }, [media]],
    ['an HTML page', '<h1>404</h1>', { status: 404, ...type('text/html') }, [status, body, media]],
  ]
  for (const [title, text, given, failed] of rows) {
    const found = verdicts(documentedError, answer(text, { status: 400, ...given }))
    t.strictSame([found.failed, found.cantTell], [failed, []], title)
    t.equal(found.count, 3)
  }
  const token = verdicts(documentedError, answer(response()))
  t.strictSame(token.cantTell, [status, body, media], 'a token breaks another rule already')
})

t.test(
  'the hint to declare another spelling: where a declared account differs in letter case alone',
  async (t) => {
    const expectation = tokenResponse.find(({ rule }) => rule === '2.1-userName')
    if (expectation === undefined) throw new Error('2.1-userName is in the group')
    const messageFor = (userName: string, own = context()) =>
      judge(expectation, answer(response({ userName })), own).message
    const registered = {
      ...context(),
      resolve: (text: string) => (text === '$account.userName' ? 'carol' : text),
    }
    t.match(messageFor('ALICE'), /if the target file misspells the account/)
    t.equal(messageFor('bob'), '`userName` is not "alice"', 'another user')
    t.equal(
      messageFor('CAROL', registered),
      '`userName` is not "carol"',
      'an account that the suite registered',
    )
  },
)
