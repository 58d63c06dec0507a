import t, { type Test } from 'tap'
import type { Condition, Expectation, Judgement } from '../spec/types.js'
import { answer, context, type Given, type Judged, type Situation } from './fixtures/answers.js'
import { judge } from './judge.js'

const rule = '2.1-token_type'
const holds: Judgement = { rule, outcome: 'passed' }
const undecided = (reason: string): Judgement => ({ rule, outcome: 'cantTell', reason })

/** One row: what is asked, of which answer, what must be found. */
type Row = readonly [Omit<Expectation, 'rule'>, Judged, Judgement | Partial<Judgement>]

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
    [{ status: 400 }, refusal, holds],
    [{ status: 401 }, refusal, { message: 'the status is 400, not 401', expected: '401', actual: '400' }],
    [{ status: '2xx' }, answer('', { status: 204 }), holds],
    [{ status: '2xx' }, answer('', { status: 299 }), holds],
    [
      { status: '2xx' },
      answer('', { status: 300 }),
      { message: 'the status is 300, not 2xx', expected: '2xx', actual: '300' },
    ],
    [{ mediaType: 'application/json; charset="utf-8"' }, refusal, holds],
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
        message: 'the Content-Type differs',
        expected: 'application/json',
        actual: 'none, or several that differ',
      },
    ],
    [{ yieldsToken: true }, answer('{"access_token":"x"}', { status: 500 }), holds],
    [{ yieldsToken: false }, refusal, holds],
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
  ])
})

t.test('the body', async (t) => {
  const strictObject = 'one JSON object in UTF-8, no member twice, no other text'
  const members = ['a', 'b']
  table(t, [
    [{ jsonObject: true }, answer(' {"a":1}\r\n'), holds],
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
      answer(`"${'x'.repeat(300)}"`),
      {
        message: 'the body is JSON, but no object',
        expected: strictObject,
        actual: `"${'x'.repeat(199)}… (302 characters)`,
      },
    ],
    [{ json: { equals: { a: 1, b: [null] } } }, answer('{ "b":[null],"a":1.0 }'), holds],
    [
      { json: { equals: { a: 1 } } },
      answer('{"a":1,"b":2}'),
      { message: 'the body is another JSON value', expected: '{"a":1}', actual: '{"a":1,"b":2}' },
    ],
    [
      { json: { equals: { a: 1 } } },
      answer('{"a":1}x'),
      { message: 'text after the JSON value, at character 7', expected: '{"a":1}', actual: '{"a":1}x' },
    ],
    [{ json: { includes: { a: 1 } } }, answer('{"a":1,"b":2}'), holds],
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
    [{ onlyMembers: members }, answer('{"b":1}'), holds],
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
    [{ exactNames: ['.issued'] }, answer('{".issued":1,"issued":2}'), holds],
    [{ exactNames: ['.issued'] }, answer('{}'), undecided('the answer has no `.issued`, by whatever name')],
    ...['issued', '.Issued', '_issued', 'ISSUED'].map(
      (name): Row => [
        { exactNames: ['.issued'] },
        answer(JSON.stringify({ [name]: 1 })),
        {
          message: `\`${name}\` stands where \`.issued\` is expected`,
          expected: '.issued',
          actual: name,
          pointer: `/${name}`,
        },
      ],
    ),
  ])
})

t.test('one member', async (t) => {
  const body = (value: string): Judged => answer(`{"m":${value}}`)
  const broken = (message: string, expected: string, actual: string): Partial<Judgement> => ({
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
    [asks({ type: 'string' }), body('""'), holds],
    [asks({ type: 'string' }), answer('{"n":1}'), isMissing],
    [asks({ type: 'string' }), body('1'), broken('is no string but a number', 'a string', '1')],
    [asks({ type: 'string' }), body('null'), broken('is no string but null', 'a string', 'null')],
    [asks({ type: 'string' }), body('["x"]'), broken('is no string but an array', 'a string', '["x"]')],
    [asks({ type: 'string' }), body('{}'), broken('is no string but an object', 'a string', '{}')],
    [asks({ nonEmpty: true }), body('" "'), holds],
    [asks({ nonEmpty: true }), body('""'), broken('is empty', 'a non-empty string', '""')],
    [asks({ equals: 'bearer' }), body('"bearer"'), holds],
    [asks({ equals: 'bearer' }), body('"\\u0062earer"'), holds],
    [asks({ equals: 'bearer' }), body('"Bearer"'), broken('is not "bearer"', '"bearer"', '"Bearer"')],
    [asks({ equals: '$account.userName' }), body('"alice"'), holds],
    [asks({ equals: '$account.userName' }), body('"Alice"'), broken('is not "alice"', '"alice"', '"Alice"')],
    [asks({ equals: '$nobody.userId' }), body('"any"'), holds],
    [asks({ equals: '5' }), body('5'), broken('is not "5"', '"5"', '5')],
    [asks({ equalsIgnoringCase: 'bearer' }), body('"BEARER"'), holds],
    [
      asks({ equalsIgnoringCase: 'bearer' }),
      body('"mac"'),
      broken('is not "bearer"', '"bearer" in any case', '"mac"'),
    ],
    [asks({ integerOrOneLess: '$target.tokenLifetime' }), body('1209600'), holds],
    [asks({ integerOrOneLess: '$target.tokenLifetime' }), body('1209599'), holds],
    [asks({ integerOrOneLess: 60 }), body('59'), holds],
    ...['1209598', '1209601', '0'].map(
      (raw): Row => [
        asks({ integerOrOneLess: '$target.tokenLifetime' }),
        body(raw),
        broken('is not the lifetime in seconds, nor one less', lifetime, raw),
      ],
    ),
    ...['1209599.0', '1.209599e6', '-1209599', '1209599E0'].map(
      (raw): Row => [
        asks({ integerOrOneLess: '$target.tokenLifetime' }),
        body(raw),
        broken('is not written in digits only', lifetime, raw),
      ],
    ),
    [
      asks({ integerOrOneLess: '$target.tokenLifetime' }),
      body('"1209599"'),
      broken('is no number but a string', lifetime, '"1209599"'),
    ],
    [asks({ imfFixdate: true }), body('"Mon, 01 Jul 2024 12:00:00 GMT"'), holds],
    [asks({ imfFixdate: true }), body('1719835200'), broken('is no string but a number', date, '1719835200')],
    [
      asks({ imfFixdate: true }),
      body('"Tue, 01 Jul 2024 12:00:00 GMT"'),
      broken('names `Tue`, but that day is a Mon', date, '"Tue, 01 Jul 2024 12:00:00 GMT"'),
    ],
    [asks({ absent: true }), answer('{"n":1}'), holds],
    [asks({ absent: true }), body('null'), broken('is present', 'no such member', 'null')],
    [asks({ follows: 'n' }), answer('{"n":1,"m":2}'), holds],
    [asks({ follows: 'n' }), answer('{"m":2,"n":1}'), broken('stands before `n`', '`m` after `n`', '2')],
    [asks({ follows: 'n' }), body('1'), undecided('the answer has no `n`')],
    [asks({ follows: 'n' }), answer('{"n":1}'), undecided('the answer has no `m`')],
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
  const id = (value: string): Judged => answer(`{"id":${value}}`)
  const advances = { member: '.issued', since: 'first', atLeastSeconds: 1 }
  const issued = (time: string): Judged => answer(`{".issued":"Mon, 01 Jul 2024 ${time} GMT"}`)
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
      [{ member: { name: 'id', sameAs: 'first' } }, id('"one"'), holds],
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
      [{ member: { name: 'id', differsFrom: 'first' } }, id('"two"'), holds],
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
        undecided('the answer of step `empty` has no `id`'),
      ],
      [
        { member: { name: 'id', sameAs: 'none' } },
        id('"two"'),
        undecided('the answer of step `none` has no `id`'),
      ],
      [{ member: { name: 'id', sameAs: 'first' } }, answer('{}'), undecided('the answer has no `id`')],
      [{ advances }, issued('12:00:01'), holds],
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
      [{ advances }, answer('{}'), undecided('`.issued` holds no date to reckon with')],
      [
        { advances: { ...advances, since: 'empty' } },
        issued('12:00:01'),
        undecided('`.issued` holds no date to reckon with'),
      ],
      [{ sameAnswerAs: 'none' }, answer('{}'), undecided('step `none` had no answer')],
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
  table(t, [[{ sameAnswerAs: 'first' }, refusal, holds]], { steps: same })
})

t.test('dates', async (t) => {
  const span = { from: '.issued', to: '.expires', seconds: 60 }
  const dates = (issued: string, expires: string): Judged =>
    answer(JSON.stringify({ '.issued': issued, '.expires': expires }))
  const noon = 'Mon, 01 Jul 2024 12:00:00 GMT'
  const near = { nearResponseTime: '.issued' }
  const at = (time: string, given: Given = {}): Judged =>
    answer(JSON.stringify({ '.issued': `Mon, 01 Jul 2024 ${time} GMT` }), given)
  const noDate = undecided('`.issued` holds no date to reckon with')
  table(t, [
    [{ span }, dates(noon, 'Mon, 01 Jul 2024 12:01:00 GMT'), holds],
    [{ span }, dates('2024-07-01T12:00:00Z', '2024-07-01T12:01:00Z'), holds],
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
    [{ span: { ...span, toleranceSeconds: 1 } }, dates(noon, 'Mon, 01 Jul 2024 12:00:59 GMT'), holds],
    [{ span }, dates('soon', noon), noDate],
    [{ span }, dates(noon, 'later'), undecided('`.expires` holds no date to reckon with')],
    [{ span }, answer('{".issued":5}'), noDate],
    [
      { span: { ...span, seconds: '$target.tokenLifetime' } },
      dates(noon, 'Mon, 15 Jul 2024 12:00:00 GMT'),
      holds,
    ],
    [near, at('12:01:00'), holds],
    [near, at('11:59:00'), holds],
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
    // The date is cut to the second and the local clock is not: 60.9 s apart may be 60.0 s.
    [near, at('11:59:00', { headers: [], receivedAt: '2024-07-01T12:00:00.900Z' }), holds],
    [near, at('12:01:00', { headers: [], receivedAt: '2024-07-01T11:59:59.900Z' }), holds],
    [near, answer('{}'), noDate],
  ])
  const [outcome] = [judge({ rule, ...near }, at('12:00:02'), context({ clockSkew: 1 }))]
  t.equal(outcome.outcome, 'failed', 'the declared skew counts')
})

t.test('what is not judged', async (t) => {
  const token = answer('{"access_token":"x"}')
  table(t, [
    [{ given: 'refusal', status: 400 }, token, undecided('the answer yields a token: no error to judge')],
    [{ given: 'refusal', status: 400 }, answer('{}', { status: 400 }), holds],
    [{ given: 'success', status: 200 }, answer('no', { status: 200 }), holds],
    [{ given: 'success', status: 400 }, answer('{"access_token":"x"}', { status: 400 }), holds],
    [
      { given: 'success', status: 401 },
      answer('', { status: 401 }),
      undecided('the request was refused (401): no token response to judge'),
    ],
    [
      { given: 'success', status: 302 },
      answer('', { status: 302 }),
      undecided('the request was refused (302): no token response to judge'),
    ],
    [{ status: 200 }, answer('', { truncated: true }), undecided('the body is longer than 1 MiB')],
    [{ status: 200 }, { reason: 'Nobody listens.' }, undecided('Nobody listens.')],
  ])
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
