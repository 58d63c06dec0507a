import t, { type Test } from 'tap'
import type { Condition, Expectation } from '../../spec/model/expectation.js'
import type { Judgement } from '../../spec/model/report.js'
import { HttpResponse, type ResponseOrReason } from '../exchange/http-response.js'
import { answer, context, type Given, type Situation } from '../fixtures/answers.js'
import { judge } from './judge.js'

const rule = '2.1-token_type'
const passes: Judgement = { rule, outcome: 'passed' }
const inconclusive = (reason: string, pointer?: string): Judgement => ({
  rule,
  outcome: 'cantTell',
  reason,
  ...(pointer !== undefined && { pointer }),
})

/** One row: what is asked, of which answer, what must be found. */
type Row = readonly [Omit<Expectation, 'rule'>, ResponseOrReason, Judgement | Partial<Judgement>]

function table(t: Test, rows: readonly Row[], situation: Situation = {}): void {
  for (const [expectation, of, expected] of rows) {
    const title = JSON.stringify(expectation).replace(/[^\x20-\x7e]/g, '?')
    const wanted = 'message' in expected ? { rule, outcome: 'failed', ...expected } : expected
    t.strictSame(judge({ rule, ...expectation }, of, context(situation)), wanted, title)
  }
}

t.test('status, media type and token', async (t) => {
  const refusal = answer('{"error":"x"}', { status: 400 })
  table(t, [
    [{ status: 400 }, refusal, passes],
    [{ status: 401 }, refusal, { message: 'the status is 400, not 401', expected: '401', actual: '400' }],
    [{ status: '2xx' }, answer('', { status: 204 }), passes],
    [{ status: '2xx' }, answer('', { status: 299 }), passes],
    [
      { status: '2xx' },
      answer('', { status: 300 }),
      { message: 'the status is 300, not 2xx', expected: '2xx', actual: '300' },
    ],
    [{ mediaType: 'application/json; charset="utf-8"' }, refusal, passes],
    [
      { mediaType: 'application/json;charset=UTF-8' },
      answer('', { headers: [['content-type', 'application/json']] }),
      {
        message: 'the Content-Type differs',
        expected: 'application/json;charset=UTF-8',
        actual: 'application/json',
      },
    ],
    [
      { mediaType: 'application/json' },
      answer('', { headers: [['a', 'b']] }),
      {
        message: 'the Content-Type is absent',
        expected: 'application/json',
        actual: 'no Content-Type',
      },
    ],
    [{ yieldsToken: true }, answer('{"access_token":"x"}', { status: 500 }), passes],
    [{ yieldsToken: false }, refusal, passes],
    [
      { yieldsToken: true },
      refusal,
      {
        message: 'the answer yields no token',
        expected: 'a JSON object with a non-empty access_token',
        actual: '400 with {"error":"x"}',
      },
    ],
    [
      { yieldsToken: false },
      answer('{"access_token":"very-secret"}'),
      {
        message: 'the answer yields a token',
        expected: 'no token',
        actual: '200 with a non-empty access_token',
        pointer: '/access_token',
      },
    ],
    [
      { status: 400, yieldsToken: false, hint: 'look here' },
      answer(''),
      { message: 'the status is 200, not 400 (look here)', expected: '400', actual: '200' },
    ],
    [
      { yieldsToken: true },
      answer('{"access_token":"x"'),
      {
        message: 'the answer yields no token: the text ends where `,` or `}` is expected',
        expected: 'a JSON object with a non-empty access_token',
        // Hidden when the judgement is redacted.
        actual: '200 with {"access_token":"x"',
      },
    ],
    [
      { yieldsToken: true, hint: 'look here' },
      answer('', { status: 500 }),
      {
        message: 'the answer yields no token (the service itself failed: look into its log)',
        expected: 'a JSON object with a non-empty access_token',
        actual: '500 with an empty body',
      },
    ],
    [
      { yieldsToken: true, hint: 'look here' },
      answer('', { status: 301, headers: [['location', 'https://127.0.0.1/Token']] }),
      {
        message:
          'the answer yields no token (no redirect is followed: declare the base URL that `Location` leads to)',
        expected: 'a JSON object with a non-empty access_token',
        actual: '301 with an empty body',
      },
    ],
    [
      { yieldsToken: true, hint: 'look here' },
      answer('', { status: 304 }),
      {
        message: 'the answer yields no token (look here)',
        expected: 'a JSON object with a non-empty access_token',
        actual: '304 with an empty body',
      },
    ],
    ...Object.entries({
      '"5"': 'is no number but a string',
      '5.0': 'is not written in digits only',
      7: 'is not the lifetime in seconds, nor one less (look here)',
    }).map(
      ([actual, what]): Row => [
        { member: { name: 'm', integerOrOneLess: 5 }, hint: 'look here' },
        answer(`{"m":${actual}}`),
        { message: `\`m\` ${what}`, expected: '4, or 5', actual, pointer: '/m' },
      ],
    ),
    ...Object.entries({ null: 'is present', '"7d1f"': 'is present (look here)' }).map(
      ([actual, what]): Row => [
        { member: { name: 'm', absent: true }, hint: 'look here' },
        answer(`{"m":${actual}}`),
        { message: `\`m\` ${what}`, expected: 'no such member', actual, pointer: '/m' },
      ],
    ),
  ])
})

t.test('the body', async (t) => {
  const strictObject = 'one JSON object in UTF-8, no member twice, no other text'
  const members = ['a', 'b']
  table(t, [
    [{ jsonObject: true }, answer(' {"a":1}\r\n'), passes],
    [
      { jsonObject: true },
      answer('[]'),
      { message: 'the body is JSON, but no object', expected: strictObject, actual: '[]' },
    ],
    [
      { jsonObject: true },
      answer(''),
      { message: 'the body is empty', expected: strictObject, actual: 'an empty body' },
    ],
    [
      { jsonObject: true },
      answer('{"a":1,"a":1}'),
      { message: 'more than one member is named `a`', expected: strictObject, actual: '{"a":1,"a":1}' },
    ],
    [
      { jsonObject: true },
      answer('{"x":1,"in":[{"a":1,"a":1}],"y":2}'),
      {
        message: 'more than one member is named `a`',
        expected: strictObject,
        actual: '{"x":1,"in":[{"a":1,"a":1}],"y":2}',
        pointer: '/in',
      },
    ],
    [
      { jsonObject: true },
      answer(`"${'x'.repeat(300)}"`),
      {
        message: 'the body is JSON, but no object',
        expected: strictObject,
        actual: `"${'x'.repeat(300)}"`,
      },
    ],
    [{ json: { equals: { a: 1, b: [null] } } }, answer('{ "b":[null],"a":1.0 }'), passes],
    [
      { json: { equals: { a: 1 } } },
      answer('{"a":1,"b":2}'),
      { message: 'extra member `b`', expected: '{"a":1}', actual: '{"a":1,"b":2}' },
    ],
    [
      { json: { equals: { a: 1 } } },
      answer('{"a":1}x'),
      { message: 'text after the JSON value, at character 7', expected: '{"a":1}', actual: '{"a":1}x' },
    ],
    [{ json: { includes: { a: 1 } } }, answer('{"a":1,"b":2}'), passes],
    [
      { json: { includes: { a: 1 } } },
      answer('{"a":2}'),
      { message: '`a` has another value', expected: '1', actual: '2', pointer: '/a' },
    ],
    [
      { json: { includes: { 'a/~b': 1 } } },
      answer('{}'),
      { message: '`a/~b` is missing', expected: '1', actual: '{}', pointer: '/a~1~0b' },
    ],
    [{ onlyMembers: members }, answer('{"b":1}'), passes],
    ...['', 'null', '[{"c":1}]', '"a"', '<p>c</p>', 'c=1', '{"b":1'].map(
      (text) =>
        [
          { onlyMembers: members },
          answer(text),
          {
            message: 'the body is no JSON object',
            expected: 'a, b',
            actual: text === '' ? 'an empty body' : text,
          },
        ] as const,
    ),
    [{ onlyMembers: members }, answer('{"b":1}{"c":1}'), inconclusive('the body is no JSON')],
    [
      { onlyMembers: members },
      answer('{"a":1,"c":1}'),
      {
        message: '`c` is a member that section 2.1 does not list',
        expected: 'a, b',
        actual: 'c',
        pointer: '/c',
      },
    ],
    [{ exactNames: ['.issued'] }, answer('{".issued":1,"issued":2}'), passes],
    [
      { exactNames: ['.issued'] },
      answer('{}'),
      inconclusive('the answer has no `.issued`, under any name', '/.issued'),
    ],
    ...['issued', '.Issued', '_issued', 'ISSUED'].map(
      (name): Row => [
        { exactNames: ['.issued'] },
        answer(JSON.stringify({ [name]: 1 })),
        {
          message: `\`${name}\` is where \`.issued\` is expected`,
          expected: '.issued',
          actual: name,
          pointer: `/${name}`,
        },
      ],
    ),
  ])
})

t.test('one member', async (t) => {
  const body = (value: string): ResponseOrReason => answer(`{"m":${value}}`)
  const fails = (message: string, expected: string, actual: string): Partial<Judgement> => ({
    message: `\`m\` ${message}`,
    expected,
    actual,
    pointer: '/m',
  })
  const isMissing = {
    message: '`m` is missing',
    expected: 'a member `m`',
    actual: 'the members n',
    pointer: '/m',
  }
  const date = 'an IMF-fixdate, such as "Sun, 06 Nov 1994 08:49:37 GMT"'
  const asks = (member: Omit<NonNullable<Expectation['member']>, 'name'>): Omit<Expectation, 'rule'> => ({
    member: { name: 'm', ...member },
  })
  const lifetime = '1209599, or 1209600'
  table(t, [
    [asks({ type: 'string' }), body('""'), passes],
    [asks({ type: 'string' }), answer('{"n":1}'), isMissing],
    [
      asks({ type: 'string' }),
      answer('{"m":"1'),
      {
        message: 'the body is no JSON object, so it has no `m`',
        expected: 'a member `m`',
        actual: '{"m":"1',
        pointer: '/m',
      },
    ],
    [asks({ type: 'string' }), body('1'), fails('is no string but a number', 'a string', '1')],
    [asks({ type: 'string' }), body('null'), fails('is no string but null', 'a string', 'null')],
    [asks({ type: 'string' }), body('["x"]'), fails('is no string but an array', 'a string', '["x"]')],
    [asks({ type: 'string' }), body('{}'), fails('is no string but an object', 'a string', '{}')],
    [asks({ nonEmpty: true }), body('" "'), passes],
    [asks({ nonEmpty: true }), body('""'), fails('is empty', 'a non-empty string', '""')],
    [asks({ nonEmpty: true }), body('[]'), fails('is no string but an array', 'a non-empty string', '[]')],
    [asks({ equals: 'bearer' }), body('"bearer"'), passes],
    [asks({ equals: 'bearer' }), body('"\\u0062earer"'), passes],
    [asks({ equals: 'bearer' }), body('"Bearer"'), fails('is not "bearer"', '"bearer"', '"Bearer"')],
    [asks({ equals: '$account.userName' }), body('"alice"'), passes],
    [asks({ equals: '$account.userName' }), body('"Alice"'), fails('is not "alice"', '"alice"', '"Alice"')],
    [asks({ equals: '$absent.userId' }), body('"any"'), passes],
    [asks({ equals: '5' }), body('5'), fails('is not "5"', '"5"', '5')],
    [asks({ equalsIgnoringCase: 'bearer' }), body('"BEARER"'), passes],
    [
      asks({ equalsIgnoringCase: 'bearer' }),
      body('"mac"'),
      fails('is not "bearer"', '"bearer" in any case', '"mac"'),
    ],
    [asks({ integerOrOneLess: '$target.tokenLifetime' }), body('1209600'), passes],
    [asks({ integerOrOneLess: '$target.tokenLifetime' }), body('1209599'), passes],
    [asks({ integerOrOneLess: 60 }), body('59'), passes],
    ...['1209598', '1209601', '0'].map(
      (raw): Row => [
        asks({ integerOrOneLess: '$target.tokenLifetime' }),
        body(raw),
        fails('is not the lifetime in seconds, nor one less', lifetime, raw),
      ],
    ),
    ...['1209599.0', '1.209599e6', '-1209599', '1209599E0'].map(
      (raw): Row => [
        asks({ integerOrOneLess: '$target.tokenLifetime' }),
        body(raw),
        fails('is not written in digits only', lifetime, raw),
      ],
    ),
    [
      asks({ integerOrOneLess: '$target.tokenLifetime' }),
      body('"1209599"'),
      fails('is no number but a string', lifetime, '"1209599"'),
    ],
    [asks({ imfFixdate: true }), body('"Mon, 01 Jul 2024 12:00:00 GMT"'), passes],
    [asks({ imfFixdate: true }), body('1719835200'), fails('is no string but a number', date, '1719835200')],
    [
      asks({ imfFixdate: true }),
      body('"Tue, 01 Jul 2024 12:00:00 GMT"'),
      fails('names `Tue`, but that day is a Mon', date, '"Tue, 01 Jul 2024 12:00:00 GMT"'),
    ],
    [asks({ absent: true }), answer('{"n":1}'), passes],
    [asks({ absent: true }), answer(''), passes],
    [asks({ absent: true }), answer('[{"m":1}]'), passes],
    [asks({ absent: true }), answer('{} {"m":1}'), inconclusive('the body is no JSON', '/m')],
    [asks({ absent: true }), answer('{"n":1},'), passes],
    [asks({ absent: true }), answer('<p>"m"</p>'), inconclusive('the body is no JSON', '/m')],
    [asks({ absent: true }), body('null'), fails('is present', 'no such member', 'null')],
    [asks({ follows: 'n' }), answer('{"n":1,"m":2}'), passes],
    [
      asks({ follows: 'n' }),
      answer('{"m":2,"n":1}'),
      fails('comes before `n`', '`m` after `n`', 'the members m, n, in this order'),
    ],
    [asks({ follows: 'n' }), body('1'), inconclusive('the answer has no `n`', '/n')],
    [asks({ follows: 'n' }), answer('{"n":1}'), inconclusive('the answer has no `m`', '/m')],
    [
      { member: { name: 'access_token', type: 'string' } },
      answer('{"access_token":["secret"]}'),
      {
        message: '`access_token` is no string but an array',
        expected: 'a string',
        actual: '‹access_token, an array›',
        pointer: '/access_token',
      },
    ],
  ])
})

t.test('of several answers', async (t) => {
  const steps = {
    first: answer('{"id":"one","access_token":"tok-1",".issued":"Mon, 01 Jul 2024 12:00:00 GMT"}'),
    empty: answer('{}', { status: 400 }),
    none: { reason: 'no answer came' },
  }
  const id = (value: string): ResponseOrReason => answer(`{"id":${value}}`)
  const advances = { member: '.issued', since: 'first', atLeastSeconds: 1 }
  const issued = (time: string): ResponseOrReason => answer(`{".issued":"Mon, 01 Jul 2024 ${time} GMT"}`)
  const refusal = answer('{ "error": 1 }', {
    status: 400,
    headers: [['content-type', 'text/json; charset=utf-8']],
  })
  const same = {
    first: answer('{"error":1.0}', { status: 400, headers: [['CONTENT-TYPE', 'TEXT/json;charset="UTF-8"']] }),
  }
  table(
    t,
    [
      [{ member: { name: 'id', sameAs: 'first' } }, id('"one"'), passes],
      [
        { member: { name: 'id', sameAs: 'first' } },
        id('"two"'),
        {
          message: '`id` is another than in the answer of step `first`',
          expected: '"one"',
          actual: '"two"',
          pointer: '/id',
        },
      ],
      [{ member: { name: 'id', differsFrom: 'first' } }, id('"two"'), passes],
      [
        { member: { name: 'id', differsFrom: 'first' } },
        id('"\\u006fne"'),
        {
          message: '`id` is the same as in the answer of step `first`',
          expected: 'another than "one"',
          actual: '"\\u006fne"',
          pointer: '/id',
        },
      ],
      [
        { member: { name: 'access_token', differsFrom: 'first' } },
        answer('{"access_token":"tok-1"}'),
        {
          message: '`access_token` is the same as in the answer of step `first`',
          expected: 'another than its value',
          actual: '‹access_token of 5 characters›',
          pointer: '/access_token',
        },
      ],
      [
        { member: { name: 'id', differsFrom: 'empty' } },
        id('"two"'),
        inconclusive('the answer of step `empty` has no `id`', '/id'),
      ],
      [
        { member: { name: 'id', sameAs: 'none' } },
        id('"two"'),
        inconclusive('the answer of step `none` has no `id`', '/id'),
      ],
      [
        { member: { name: 'id', sameAs: 'first' } },
        answer('{}'),
        inconclusive('the answer has no `id`', '/id'),
      ],
      [{ advances }, issued('12:00:01'), passes],
      [
        { advances },
        issued('12:00:00'),
        {
          message: '`.issued` advanced by 0 s since step `first`',
          expected: 'at least 1 s later than "Mon, 01 Jul 2024 12:00:00 GMT"',
          actual: '"Mon, 01 Jul 2024 12:00:00 GMT"',
          pointer: '/.issued',
        },
      ],
      [{ advances }, answer('{}'), inconclusive('`.issued` holds no date to compare', '/.issued')],
      [
        { advances: { ...advances, since: 'empty' } },
        issued('12:00:01'),
        inconclusive('`.issued` holds no date to compare', '/.issued'),
      ],
      [{ sameAnswerAs: 'none' }, answer('{}'), inconclusive('step `none` had no answer')],
      [
        { sameAnswerAs: 'empty' },
        answer('{}'),
        {
          message: 'the status differs from that of the answer to step `empty`',
          expected: '400',
          actual: '200',
        },
      ],
      [
        { sameAnswerAs: 'empty' },
        answer('{}', { status: 400, headers: [['content-type', 'text/plain']] }),
        {
          message: 'the media type differs from that of the answer to step `empty`',
          expected: 'application/json;charset=UTF-8',
          actual: 'text/plain',
        },
      ],
      [
        { sameAnswerAs: 'empty' },
        answer('{"a":1}', { status: 400 }),
        {
          message: 'the body differs from that of the answer to step `empty`',
          expected: '{}',
          actual: '{"a":1}',
        },
      ],
    ],
    { steps },
  )
  table(t, [[{ sameAnswerAs: 'first' }, refusal, passes]], { steps: same })
})

t.test('4.1-R2: answers that differ in when they were made are the same', async (t) => {
  const noon = Date.parse('2024-07-01T12:00:00Z')
  const at = (value: unknown): ResponseOrReason => answer(JSON.stringify({ error: 'x', timestamp: value }))
  for (const [first, second] of [
    [noon, noon + 3],
    [noon / 1000, noon / 1000 + 1],
    ['2024-07-01T12:00:00.001+00:00', '2024-07-01T12:00:00.002+00:00'],
    ['Mon, 01 Jul 2024 12:00:00 GMT', 'Mon, 01 Jul 2024 12:00:01 GMT'],
    ['2024-07-01T14:30:00+00:00', '2024-07-01T14:30:01+00:00'],
  ])
    table(t, [[{ sameAnswerAs: 'first' }, at(second), passes]], { steps: { first: at(first) } })
  for (const [first, second] of [
    [noon, new Date(noon).toISOString()],
    [noon, noon + 2 * 86_400_000],
    [noon + 6000, noon + 600_000],
    ['2024-07-01T12:00:06Z', '2024-07-01T12:10:00Z'],
    [400, 401],
    ['a', 'b'],
    [null, noon],
  ]) {
    const judged = judge(
      { rule, sameAnswerAs: 'first' },
      at(second),
      context({ steps: { first: at(first) } }),
    )
    t.equal(judged.message, 'the body differs from that of the answer to step `first`', String(second))
  }
})

t.test('dates', async (t) => {
  const span = { from: '.issued', to: '.expires', seconds: 60 }
  const dates = (issued: string, expires: string): ResponseOrReason =>
    answer(JSON.stringify({ '.issued': issued, '.expires': expires }))
  const noon = 'Mon, 01 Jul 2024 12:00:00 GMT'
  const near = { nearResponseTime: '.issued' }
  const at = (time: string, given: Given = {}): ResponseOrReason =>
    answer(JSON.stringify({ '.issued': `Mon, 01 Jul 2024 ${time} GMT` }), given)
  const noDate = inconclusive('`.issued` holds no date to compare', '/.issued')
  table(t, [
    [{ span }, dates(noon, 'Mon, 01 Jul 2024 12:01:00 GMT'), passes],
    [{ span }, dates('2024-07-01T12:00:00Z', '2024-07-01T12:01:00Z'), passes],
    [
      { span },
      dates(noon, 'Mon, 01 Jul 2024 12:01:01 GMT'),
      {
        message: '`.expires` is 61 s later than `.issued`, not 60 s',
        expected: '60 s',
        actual: `61 s ("${noon}" to "Mon, 01 Jul 2024 12:01:01 GMT")`,
        pointer: '/.expires',
      },
    ],
    [{ span: { ...span, toleranceSeconds: 1 } }, dates(noon, 'Mon, 01 Jul 2024 12:00:59 GMT'), passes],
    [{ span }, dates('soon', noon), noDate],
    [{ span }, dates(noon, 'later'), inconclusive('`.expires` holds no date to compare', '/.expires')],
    [{ span }, answer('{".issued":5}'), noDate],
    [
      { span: { ...span, seconds: '$target.tokenLifetime' } },
      dates(noon, 'Mon, 15 Jul 2024 12:00:00 GMT'),
      passes,
    ],
    [near, at('12:01:00'), passes],
    [near, at('11:59:00'), passes],
    [
      near,
      at('12:01:01'),
      {
        message: "`.issued` is 61 s after the response's Date",
        expected: `within 60 s of ${noon}`,
        actual: '"Mon, 01 Jul 2024 12:01:01 GMT"',
        pointer: '/.issued',
      },
    ],
    [
      near,
      at('11:58:59', { headers: [] }),
      {
        message: '`.issued` is 61 s before the local clock (the response has no Date)',
        expected: `within 60 s of ${noon}`,
        actual: '"Mon, 01 Jul 2024 11:58:59 GMT"',
        pointer: '/.issued',
      },
    ],
    [
      near,
      at('11:00:00', { headers: [], isClockSet: true }),
      inconclusive('the response has no Date, and the clock of this machine was set meanwhile'),
    ],
    [near, at('12:00:30', { headers: [], isClockSet: true }), passes],
    // The date is cut to the second and the local clock is not: 60.9 s apart may be 60.0 s.
    [near, at('11:59:00', { headers: [], receivedAt: '2024-07-01T12:00:00.900Z' }), passes],
    [near, at('12:01:00', { headers: [], receivedAt: '2024-07-01T11:59:59.900Z' }), passes],
    [near, answer('{}'), noDate],
  ])
  const [outcome] = [judge({ rule, ...near }, at('12:00:02'), context({ clockSkew: 1 }))]
  t.equal(outcome.outcome, 'failed', 'the declared skew counts')
})

t.test('of several grants at once, one is issued later than an earlier one', async (t) => {
  const at = (...seconds: readonly number[]): HttpResponse[] =>
    seconds.flatMap((second) => {
      const one = answer(`{".issued":"Mon, 01 Jul 2024 12:00:${String(second).padStart(2, '0')} GMT"}`)
      return one instanceof HttpResponse ? one : []
    })
  const advances = { member: '.issued', since: 'first', atLeastSeconds: 1 }
  const judged = (first: readonly HttpResponse[], later: readonly HttpResponse[]) => {
    const steps = { responseOf: () => first[0], answersOf: () => first, copies: later }
    const [response = { reason: 'none' }] = later
    return judge({ rule, advances }, response, { ...context(), ...steps })
  }
  t.equal(judged(at(10), at(11)).outcome, 'passed')
  t.match(judged(at(10), at(10)), {
    outcome: 'failed',
    message: '`.issued` advanced by 0 s since step `first`',
  })
  t.equal(judged(at(30, 10), at(11, 31)).outcome, 'passed', 'two nodes, 20 s apart')
  t.equal(judged(at(30, 10), at(11)).outcome, 'passed')
  t.equal(judged(at(10, 10), at(10, 10)).outcome, 'failed', 'both clocks show the same time')
  const setBack = (...seconds: readonly number[]) =>
    at(...seconds).map((one) => Object.assign(one, { isClockSet: true }))
  t.match(judged(at(30), setBack(10)), inconclusive('the clock of this machine was set meanwhile'))
  t.equal(judged(at(30), setBack(30)).outcome, 'failed', 'a time that is the same has not been set back')
  t.equal(judged(at(30), at(10)).outcome, 'failed')
})

t.test('a grant type in another letter case is named; the hint is for other grant types', async (t) => {
  const token = answer('{"access_token":"x"}')
  const message = (
    grantType: string,
    of = token,
    expectation: Omit<Expectation, 'rule'> = { yieldsToken: false },
  ) => judge({ rule, ...expectation, hint: 'declare it' }, of, { ...context(), grantType }).message
  t.equal(message('PASSWORD'), '`PASSWORD` is accepted; only `password`, in this letter case, is allowed')
  for (const other of ['client_credentials', 'password ', 'password', 'paſſword'])
    t.equal(message(other), 'the answer yields a token (declare it)', other)
  const refusal = answer('{"error":"invalid_grant"}', { status: 401 })
  t.equal(message('Password', refusal, { status: 400 }), 'the status is 401, not 400 (declare it)')
})

t.test('what is not judged', async (t) => {
  const token = answer('{"access_token":"x"}')
  table(t, [
    [
      { given: 'refusal', status: 400 },
      token,
      inconclusive('a token came instead of an error, so this error rule was not judged'),
    ],
    [{ given: 'refusal', status: 400 }, answer('{}', { status: 400 }), passes],
    [{ given: 'success', status: 200 }, answer('no', { status: 200 }), passes],
    [{ given: 'success', status: 400 }, answer('{"access_token":"x"}', { status: 400 }), passes],
    [
      { given: 'success', status: 401 },
      answer('', { status: 401 }),
      inconclusive('the request was refused (401): no token response to judge'),
    ],
    [
      { given: 'success', status: 302 },
      answer('', { status: 302 }),
      inconclusive('the request was refused (302): no token response to judge'),
    ],
    [{ status: 200 }, answer('', { truncated: true }), inconclusive('the body is longer than 1 MiB')],
    [{ status: 200 }, { reason: 'No one listens.' }, inconclusive('No one listens.')],
  ])
  const refused = { ...context(), accepted: (step: string) => step === 'good' }
  const no = { yieldsToken: false, rule }
  t.equal(judge({ ...no, needs: 'good' }, token, refused).outcome, 'failed')
  t.equal(judge({ ...no, needs: 'bad' }, token, refused).outcome, 'cantTell', 'nothing to build on')
  t.equal(judge({ ...no, ifAccepted: 'good' }, token, refused).outcome, 'failed')
  t.equal(judge({ ...no, ifAccepted: 'bad' }, token, refused).outcome, 'inapplicable', 'it need not be')
  t.equal(judge({ ...no, orAccepted: 'good' }, token, refused).outcome, 'passed', "another rule's matter")
  t.equal(judge({ ...no, orAccepted: 'bad' }, token, refused).outcome, 'failed')
  const closed = { reason: 'closed', closed: true }
  t.equal(judge({ ...no, orCloses: true }, closed, context()).outcome, 'passed', 'no token is yielded')
  t.equal(judge(no, closed, context()).outcome, 'cantTell')
  t.equal(judge({ ...no, orCloses: true }, { reason: 'timed out' }, context()).outcome, 'cantTell')
  const conditions: readonly (readonly [Condition, RegExp, Situation])[] = [
    [{ accounts: 2 }, /^needs 2 accounts: declare another under `accounts`$/, {}],
    [{ specialCharacters: true }, /holds one of `\+ % & =`, a space or a non-ASCII character: declare/, {}],
    [{ includesUserId: true }, /declare a deployment with `includesUserId: true`/, {}],
    [
      { includesUserId: false },
      /declare a deployment with `includesUserId: false`/,
      { includesUserId: true },
    ],
    [{ defaultLifetime: true }, /declare a deployment without `tokenLifetime`/, { tokenLifetime: 60 }],
    [{ strict: true }, /^judged only under `--strict`$/, {}],
  ]
  for (const [when, reason, situation] of conditions) {
    const title = JSON.stringify(when)
    const judgement = judge({ rule, when, status: 400 }, token, context(situation))
    t.match(judgement, { rule, outcome: 'inapplicable', reason }, title)
    t.notOk('message' in judgement)
    // A condition comes before all else, also before a missing answer.
    const unanswered = judge({ rule, when, status: 400 }, { reason: 'x' }, context(situation))
    t.equal(unanswered.outcome, 'inapplicable')
  }
  const met: readonly (readonly [Condition, Situation])[] = [
    [{ accounts: 1 }, {}],
    [{ includesUserId: true }, { includesUserId: true }],
    [{ includesUserId: false }, {}],
    [{ defaultLifetime: true }, {}],
    [{ strict: true }, { strict: true }],
  ]
  for (const [when, situation] of met)
    t.equal(
      judge({ rule, when, status: 400 }, token, context(situation)).outcome,
      'failed',
      JSON.stringify(when),
    )
})
