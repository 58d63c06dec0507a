import t from 'tap'
import type { Judgement } from '../../../spec/model/report.js'
import { fingerprint } from './fingerprint.js'

const failed = (id: string, judgement: Omit<Judgement, 'outcome'>): string =>
  fingerprint({ case: id }, { outcome: 'failed', ...judgement })

const taken = (wrong: string): string =>
  failed('4.1/wrong-password', {
    rule: '4.1-credentials',
    message: 'the answer yields a token',
    expected: 'no token',
    actual: '200 with a non-empty access_token',
    pointer: '/access_token',
    counterexample: { values: { wrong }, seed: 1, path: '0', shrinks: 0 },
  })

t.test('a waiver of one wrong password that is taken is none of another', async (t) => {
  const flipped = taken('‹password of alice: case of character 2 flipped›')
  for (const other of [
    "‹a password that is no account's›",
    '‹password of alice: a character appended›',
    '‹password of alice: character 2 changed›',
    '‹password of alice: cut to 8 characters›',
    '‹password of bob›',
  ])
    t.not(taken(other), flipped, other)
})

t.test('the same mistake is the same for another account, elsewhere in its password', async (t) => {
  t.equal(
    taken('‹password of the new account: case of last character flipped›'),
    taken('‹password of alice: case of character 2 flipped›'),
  )
})

t.test('other generated values do not count', async (t) => {
  t.equal(taken('Password'), taken('password\u0000'))
})

const issued = (actual: string): string =>
  failed('2.1/token-response', {
    rule: '2.1-issued',
    message: '`.issued` is not of the form `Sun, 06 Nov 1994 08:49:37 GMT`',
    expected: 'an IMF-fixdate, such as "Sun, 06 Nov 1994 08:49:37 GMT"',
    actual: JSON.stringify(actual),
  })

t.test('a date in any wrong form is the same failure at any time, and another form is another', async (t) => {
  const FORMS = [
    ['Tue, 24 Nov 2026 13:06:45 UTC', 'Wed, 06 Jan 2027 01:59:00 UTC'],
    ['Tue, 24 11 2026 13:06:45 GMT', 'Wed, 06 01 2027 01:59:00 GMT'],
    ['Tuesday, 24-Nov-26 13:06:45 GMT', 'Wednesday, 06-Jan-27 01:59:00 GMT'],
    ['Tue Nov 24 13:06:45 2026', 'Wed Jan  6 01:59:00 2027'],
    ['mar., 24 nov. 2026 13:06:45 CET', 'mer., 06 janv. 2027 01:59:00 CET'],
    ['11/24/2026 1:06:45 PM', '1/6/2027 1:59:00 AM'],
    ['24.11.2026 13:06', '06.01.2027 01:59'],
    ['2026-11-24', '2027-01-06'],
    // A fraction of zero is left out by some.
    ['2026-11-24T13:06:45.120Z', '2027-01-06T01:59:00Z'],
    ['2026-11-24T13:06:45+01:00', '2027-07-06T01:59:00+02:00'],
    ['2026-11-24T13:06:45', '2027-01-06T01:59:00'],
    ['2026-11-24 13:06:45', '2027-01-06 01:59:00'],
    ['1796072400', '1796072500'],
    ['1796072400123', '1796072500456'],
  ] as const
  for (const [one, other] of FORMS) t.equal(issued(one), issued(other), one)
  t.equal(new Set(FORMS.map(([one]) => issued(one))).size, FORMS.length)
  t.not(issued('version 1.2.3'), issued('version 1.2.4'), 'no date')
})

t.test('an id of one answer is the same failure, another member is another', async (t) => {
  const error = (actual: string): string =>
    failed('7/unknown-grant-type', { rule: '7-token-error-body', message: 'another error', actual })
  const SAME = [
    ['{"traceId":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}', '{"traceId":"|4a.1."}'],
    ['{"requestId":17}', '{"requestId":18}'],
    ['"{\\"spanId\\":\\"a\\"}"', '"{\\"spanId\\":\\"b\\"}"'],
    ['{"correlation_id":"ab-1"}', '{"correlation_id":"ab-2"}'],
    ['{"x":"0HN7KQ2VFB1A3:00000001"}', '{"x":"0HN7KQ2VFB1A4:0000000F"}'],
    ['"3f2504e0-4f89-11d3-9a0c-0305e82c3301"', '"9B2504E0-4F89-11D3-9A0C-0305E82C3399"'],
    ['<p>Error 9f86d081884c7d65</p>', '<p>Error 60303ae22b998861</p>'],
  ] as const
  for (const [one, other] of SAME) t.equal(error(one), error(other), one)
  t.not(error('{"traceId":"a"}'), error('{"requestId":"a"}'))
  t.not(error('{"expires_in":3600}'), error('{"expires_in":7200}'))
  t.not(error('{"error":"invalid_grant"}'), error('{"error":"invalid_client"}'))
})

t.test('half of an id or a date, at which a text was cut, does not count', async (t) => {
  const extra = (actual: string): string =>
    failed('7/documented-error', { rule: '7-token-error-body', expected: '{"error":"x"}', actual })
  for (const [one, other] of [
    [
      '{"error":"x","traceId":"00-3b3f… (240 characters)',
      '{"error":"x","traceId":"00-9c01… (240 characters)',
    ],
    ['{"id":"a1b2c3d4-e5f6-4… (240 characters)', '{"id":"b7b2c3d4-05f6-4… (241 characters)'],
    ['{"at":"Tue, 24 Nov 2026 13:0… (300 characters)', '{"at":"Wed, 06 Jan 2027 01:5… (300 characters)'],
    ['…3f7a","error":"y"} (300 characters)', '…aa01","error":"y"} (300 characters)'],
  ] as const)
    t.equal(extra(one), extra(other), one)
  t.not(extra('{"error":"x","why… (240 characters)'), extra('{"error":"y","why… (240 characters)'))
  t.not(extra('…3f7a","error":"y"} (300 characters)'), extra('…3f7a","error":"z"} (300 characters)'))
})

t.test('how far a time is off counts as about as much, and an instant in any number does not', async (t) => {
  const lives = (seconds: number, date: string): string =>
    failed('2.1/token-response', {
      rule: '2.1-R2',
      message: `\`.expires\` is ${seconds} s later than \`.issued\`, not 1209600 s`,
      expected: '1209600 s',
      actual: `${seconds} s ("${date}" to "${date}")`,
    })
  t.equal(
    lives(1_209_601, 'Tue, 24 Nov 2026 13:06:45 GMT'),
    lives(1_209_601, 'Wed, 06 Jan 2027 01:59:00 GMT'),
  )
  t.equal(
    lives(1_209_601, 'Tue, 24 Nov 2026 13:06:45 GMT'),
    lives(1_209_602, 'Tue, 24 Nov 2026 13:06:45 GMT'),
  )
  t.equal(lives(3600, 'Tue, 24 Nov 2026 13:06:45 GMT'), lives(3601, 'Tue, 24 Nov 2026 13:06:45 GMT'))
  const isOff = (seconds: number, side = 'before'): string =>
    failed('2.1/token-response', {
      rule: '2.1-issue-time',
      message: `\`.issued\` is ${seconds} s ${side} the response's Date`,
      expected: 'within 5 s of Tue, 24 Nov 2026 13:06:45 GMT',
      actual: '"Tue, 24 Nov 2026 13:06:45 GMT"',
    })
  for (const [one, other] of [
    [60, 62],
    [120, 122],
    [300, 303],
    [3600, 3610],
    [7200, 7199],
  ] as const)
    t.equal(isOff(one), isOff(other), `${one}`)
  t.equal(new Set([60, 600, 3600, 86_400, 63_072_000].map((seconds) => isOff(seconds))).size, 5)
  t.not(isOff(120), isOff(120, 'after'))
  for (const other of [60, 1_209_599, 1_213_200, 1_209_599_000])
    t.not(lives(other, 'Tue, 24 Nov 2026 13:06:45 GMT'), lives(1_209_601, 'Tue, 24 Nov 2026 13:06:45 GMT'))
  const wrongBy = (actual: string): string =>
    failed('2.1/token-response', { rule: '2.1-expires_in', message: 'another', actual })
  for (const [one, other] of [
    ['1795525605', '1799200740'],
    ['1795525605123', '1799200740000'],
    ['20261124130645', '20270106015900'],
    ['639312916051234567', '639312916999999999'],
  ] as const)
    t.equal(wrongBy(one), wrongBy(other), one)
  t.not(wrongBy('1209599000'), wrongBy('1209600000'), 'milliseconds of a lifetime')
})

t.test('which name the suite made up does not count', async (t) => {
  const named = (actual: string): string =>
    failed('8/user-name-beyond-ascii', { rule: '2.1-userName', message: 'another', actual })
  t.equal(named('"Żbdxbbkk‹run›@example.com"'), named('"Żbdxbbee‹run›@example.com"'))
  t.not(named('"bdxbbkk‹run›@example.com"'), named('"bdxbbkk‹run›"'))
  t.not(named('"bob"'), named('"ann"'))
})

t.test('it takes time in proportion to what was found, also to white space', async (t) => {
  /** Microseconds of the processor, with a floor: so exactly it is counted. */
  const cost = (characters: number): number => {
    const before = process.cpuUsage()
    failed('1/exchange', { rule: '1-exchange', actual: ' '.repeat(characters) })
    return Math.max(process.cpuUsage(before).user, 4000)
  }
  cost(1000)
  // Linear is 4, quadratic 16.
  t.ok(cost(2 ** 17) < 8 * cost(2 ** 15))
})
