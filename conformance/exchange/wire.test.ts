import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { readJson } from '../../spec/load/read-json.js'
import { duplicateMembers, type JsonNode, memberOf } from '../../spec/model/json.js'
import type { HeaderList } from '../../spec/model/report.js'
import { encodeFormText, type FormSpelling, orderPairs } from './form.js'
import { canonicalList, canonicalMediaType, imfFixdateProblem, instantOf, parseMediaType } from './headers.js'
import { HttpResponse, responseOf } from './http-response.js'
import { jsonEquals, sameJson } from './json-values.js'
import { decodeUtf8, encodeUtf8 } from './utf8.js'

/** Holds for every value, or throws with the smallest that breaks it. */
function always<T>(arbitrary: fc.Arbitrary<T>, condition: (value: T) => boolean, numRuns = 1000): void {
  fc.assert(fc.property(arbitrary, condition), { numRuns, seed: 20260401 })
}

/** Surrogates among them. */
function fromUnits(units: readonly number[]): string {
  return String.fromCharCode(...units)
}

/** What `JSON.parse` would give: the last of several members, each as an own property. */
function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object': {
      const object = {}
      for (const { name, value } of node.members) {
        const property = { value: plainValue(value), enumerable: true, writable: true, configurable: true }
        Object.defineProperty(object, name, property)
      }
      return object
    }
    case 'array':
      return node.items.map(plainValue)
    case 'number':
      return Number(node.raw)
    default:
      return node.value
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Read as `JSON.parse` reads it: the same value and no problem, or a problem where that throws. */
function readAlike(text: string): boolean {
  const expected = parsed(text)
  const { root, problems } = readJson(text)
  if (expected === undefined) return problems.length > 0
  return root !== undefined && problems.length === 0 && isDeepStrictEqual(plainValue(root), expected.value)
}

/** U+2028 in a title would end its line. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, '?')
}

const jsonTexts = fc.oneof(
  fc.json({ stringUnit: 'binary', noUnicodeString: false }),
  fc.tuple(fc.jsonValue(), fc.constantFrom(0, 1, '\t', ' \t')).map(([value, indent]) => {
    const text = JSON.stringify(value, null, indent)
    return indent === 1 ? `\r\n ${text.replaceAll('\n', '\r\n')}\t ` : text
  }),
)

t.test('UTF-8 is decoded as the Encoding Standard does, and what is none is known', async (t) => {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  const strict = new TextDecoder('utf-8', { fatal: true })
  const isValid = (bytes: Uint8Array): boolean => {
    try {
      strict.decode(bytes)
      return true
    } catch {
      return false
    }
  }
  always(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0xd7ff, max: 0xe001 })).map(fromUnits),
    ),
    (text) => isDeepStrictEqual(encodeUtf8(text), new TextEncoder().encode(text)),
  )
  const agrees = (bytes: Uint8Array): boolean =>
    isDeepStrictEqual(decodeUtf8(bytes), { text: lenient.decode(bytes), isValid: isValid(bytes) })
  // The bytes at which the ranges of a sequence begin and end, three and four in every order.
  const edges = [
    0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4, 0xf5,
  ]
  const byte = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 255 }))
  always(
    fc.array(byte, { maxLength: 12 }).map((bytes) => new Uint8Array(bytes)),
    agrees,
    20_000,
  )
  always(
    fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
    agrees,
  )
  t.ok(agrees(new TextEncoder().encode('\ufeffä€😀'.repeat(5000))), 'longer than one part')
})

t.test('JSON is read as JSON.parse reads it', async (t) => {
  t.doesNotThrow(() => always(jsonTexts, (text) => parsed(text) !== undefined && readAlike(text)), 'valid')
  const near = fc
    .tuple(
      jsonTexts,
      fc.nat(),
      fc.nat(2),
      fc.constantFrom(...'{}[]",:\\0-.eE+tun \n\u0001\ufeff\u00a0'.split('')),
    )
    .map(([text, at, remove, insert]) => {
      const position = at % (text.length + 1)
      return text.slice(0, position) + insert + text.slice(position + remove)
    })
  t.doesNotThrow(() => always(near, readAlike, 5000), 'one edit away')
  const soup = fc.string({ unit: fc.constantFrom(...'{}[]",:\\/u01.-+eEtrfalsn \n\ud83d'.split('')) })
  t.doesNotThrow(() => always(soup, readAlike, 5000), 'random characters')
  const table = [
    '01',
    '-',
    '-0',
    '1.',
    '.5',
    '+1',
    '1e5',
    '1E+5',
    '1e',
    'NaN',
    'Infinity',
    '0x1',
    'nul',
    'True',
  ]
  const strings = [
    '"\\ud800"',
    '"\\u12"',
    '"\\x41"',
    '"\\',
    '"',
    '"\t"',
    '"\u2028"',
    '"\\u00E9"',
    "'a'",
    '"\\/"',
  ]
  const structures = [
    '',
    ' ',
    '{}',
    '{} {}',
    '[]]',
    '[1,]',
    '[,]',
    '{"a":1,}',
    '{"a"}',
    '{a:1}',
    '{"__proto__":1}',
  ]
  const wrapped = [
    '\ufeff{}',
    '{}\0',
    ")]}'\n{}",
    '{} // x',
    '[1 2]',
    '{"a":1 "b":2}',
    '\u00a0{}',
    '[',
    '{"a":',
  ]
  for (const text of [...table, ...strings, ...structures, ...wrapped]) t.ok(readAlike(text), inAscii(text))
})

t.test('what JSON.parse forgets is kept', async (t) => {
  const text = ' {"b":1, "a" : [1.50, -0, 1E2], "b":{"c":"x","c":"y"}}'
  const { root, problems } = readJson(text)
  if (root?.kind !== 'object') throw new TypeError('an object was read')
  t.strictSame(problems, [])
  t.strictSame(
    root.members.map(({ name }) => name),
    ['b', 'a', 'b'],
  )
  for (const { name, start, value } of root.members) {
    t.ok(text.startsWith(JSON.stringify(name), start), `${name} begins at ${start}`)
    t.ok(parsed(text.slice(value.start, value.end)) !== undefined, 'its value is a JSON text of its own')
  }
  t.strictSame([root.start, root.end], [1, text.length])
  const list = memberOf(root, 'a')?.value
  t.strictSame(list?.kind === 'array' && list.items.map((item) => item.kind === 'number' && item.raw), [
    '1.50',
    '-0',
    '1E2',
  ])
  t.equal(memberOf(root, 'b')?.value.kind, 'object', 'the last of several')
  t.equal(memberOf(list, 'b'), undefined)
  t.strictSame(
    duplicateMembers(root)
      .map(({ name }) => name)
      .sort(),
    ['b', 'c'],
  )
  t.strictSame(
    duplicateMembers(readJson('[{"a":1},{"a":2}]').root ?? root),
    [],
    'in two objects: no duplicate',
  )
})

t.test('a flaw does not hide what else there is', async (t) => {
  for (const text of [
    '{"access_token":"x",}',
    '{"access_token":"x"} trailing',
    ')]}\'\n{"access_token":"x"}',
  ]) {
    const { root, problems } = readJson(text)
    const token = memberOf(root, 'access_token')?.value
    t.equal(token?.kind === 'string' && token.value, 'x', text)
    t.equal(problems.length, 1, problems.join())
  }
  t.equal(readJson('<p>access_token</p>').root, undefined)
  t.match(readJson('').problems, ['the body is empty'])
})

t.test('deep and long texts are read quickly, without recursion', async (t) => {
  const depth = 100_000
  const mebibyte = 'x'.repeat(1024 * 1024)
  const texts: readonly (readonly [string, string, boolean])[] = [
    ['arrays', '['.repeat(depth) + ']'.repeat(depth), true],
    ['objects', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, true],
    ['open arrays', '['.repeat(depth), false],
    ['open objects', '{"a":'.repeat(depth), false],
    ['a string of 1 MiB', `"${mebibyte}"`, true],
    ['an open string of 1 MiB', `{"a":"${mebibyte}`, false],
    ['1 MiB of escapes', `"${'\\u0041'.repeat(mebibyte.length / 6)}"`, true],
    ['1 MiB of braces in a string', `x"${'{'.repeat(mebibyte.length)}`, false],
    ['a number of 1 MiB', '9'.repeat(mebibyte.length), true],
    ['1 MiB of white space', ' '.repeat(mebibyte.length), false],
    ['many members', `{${Array.from({ length: depth }, (_, index) => `"${index}":1`).join()}}`, true],
  ]
  for (const [name, text, valid] of texts) {
    const before = process.cpuUsage()
    const { root, problems } = readJson(text)
    t.equal(problems.length === 0, valid, name)
    if (root !== undefined) {
      t.strictSame(duplicateMembers(root), [])
      t.ok(sameJson(root, root))
    }
    // What is quadratic takes minutes.
    t.ok(process.cpuUsage(before).user < 10_000_000, 'quickly')
  }
})

t.test('JSON values are compared by value', async (t) => {
  const read = (text: string): JsonNode =>
    readJson(text).root ?? { kind: 'literal', value: null, start: 0, end: 0 }
  const pairs = fc.tuple(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }))
  // -0 and 0 are one JSON number; `isDeepStrictEqual` tells them apart.
  const spelled = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  t.doesNotThrow(() =>
    always(pairs, ([a, b]) => {
      const [left, right] = [read(JSON.stringify(a)), read(JSON.stringify(b, null, 1))]
      const same = isDeepStrictEqual(spelled(a), spelled(b))
      return sameJson(left, right) === same && sameJson(left, read(JSON.stringify(a)))
    }),
  )
  const table: readonly (readonly [string, string, boolean])[] = [
    ['{"a":1,"b":2}', '{"b":2.0,"a":1e0}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1,"a":2}', '{"a":2}', false],
    ['{"a":1,"a":1}', '{"a":1,"b":2}', false],
    ['[1,2]', '[2,1]', false],
    ['[1]', '[1,1]', false],
    ['"1"', '1', false],
    ['null', 'false', false],
    ['{}', '[]', false],
    ['"\\u0061"', '"a"', true],
  ]
  for (const [a, b, same] of table) {
    t.equal(sameJson(read(a), read(b)), same, `${a} and ${b}`)
    t.equal(sameJson(read(b), read(a)), same, `${b} and ${a}`)
    t.equal(jsonEquals(read(a), JSON.parse(b)), same, `${a} equals ${b}`)
  }
  t.equal(jsonEquals(undefined, null), false)
})

t.test('media types', async (t) => {
  const one = 'application/json;charset=utf-8'
  for (const same of [
    'application/json;charset=UTF-8',
    'application/json; charset=utf-8',
    'Application/JSON ; CHARSET="UTF-8"',
    '\tapplication/json\t;\tcharset="utf\\-8" ',
    'application/json;;charset=utf-8;',
  ])
    t.equal(canonicalMediaType(same), canonicalMediaType(one), same)
  for (const other of [
    'application/json',
    'application/json;charset=utf-16',
    'application/json;charset=utf8',
    'application/json;charset=utf-8;v=1',
    'application/json;charset=utf-8;charset=utf-8',
    'application/json;v=UTF-8',
    'text/json;charset=utf-8',
    'application/json2;charset=utf-8',
  ]) {
    t.not(canonicalMediaType(other), canonicalMediaType(one), other)
    t.ok(parseMediaType(other), 'valid all the same')
  }
  for (const invalid of [
    '',
    'json',
    'application/',
    '/json',
    'application /json',
    'application/json charset=utf-8',
    'application/json,text/plain',
    'application/json;charset',
    'application/json;charset=',
    'application/json;charset =utf-8',
    'application/json;charset= utf-8',
    'application/json;charset="utf-8',
    'application/json;charset="utf-8"x',
    'application/json;charset=utf-8 x',
    'application/json;cha rset=utf-8',
    'application/jsön',
    'application/json\r\n',
  ])
    t.equal(canonicalMediaType(invalid), undefined, JSON.stringify(invalid))
  t.strictSame(parseMediaType('a/b; X="a;\\"b\\\\"; y=C'), {
    essence: 'a/b',
    parameters: [
      ['x', 'a;"b\\'],
      ['y', 'C'],
    ],
  })
  t.equal(canonicalMediaType('a/b;x=1;y=2'), canonicalMediaType('a/b;Y=2;X=1'), 'parameters have no order')
  t.not(canonicalMediaType('a/b;x=A'), canonicalMediaType('a/b;x=a'), 'but their values have case')
})

t.test('an IMF-fixdate is what RFC 9110 5.6.7 says', async (t) => {
  // RFC 9110's own example, and the weekday, day, month and year of others reckoned by hand.
  const valid: readonly (readonly [string, string])[] = [
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Thu, 01 Jan 1970 00:00:00 GMT', '1970-01-01T00:00:00Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59Z'],
    ['Tue, 29 Feb 2000 00:00:00 GMT', '2000-02-29T00:00:00Z'],
    ['Mon, 01 Jan 0001 00:00:00 GMT', '0001-01-01T00:00:00Z'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59Z'],
    // The leap second that ended 1998 is the one before 1999.
    ['Thu, 31 Dec 1998 23:59:60 GMT', '1999-01-01T00:00:00Z'],
  ]
  for (const [text, iso] of valid) {
    t.equal(imfFixdateProblem(text), undefined, text)
    t.equal(instantOf(text), Date.parse(iso), iso)
  }
  const invalid: readonly (readonly [string, RegExp])[] = [
    ['Mon, 06 Nov 1994 08:49:37 GMT', /names `Mon`, but that day is a Sun/],
    ['Sun, 6 Nov 1994 08:49:37 GMT', /not of the form/],
    ['Sun, 06 Nov 1994 08:49:37 gmt', /not of the form/],
    ['Sun, 06 Nov 1994 08:49:37 UTC', /not of the form/],
    ['Sun, 06 Nov 1994 08:49:37 +0000', /not of the form/],
    ['Sun, 06 Nov 1994 08:49:37', /not of the form/],
    ['Sun, 06 Nov 1994 08:49:37 GMT ', /not of the form/],
    ['Sun, 06 Nov 1994 08:49:37 GMT\n', /not of the form/],
    ['sun, 06 nov 1994 08:49:37 GMT', /not of the form/],
    ['SUN, 06 NOV 1994 08:49:37 GMT', /not of the form/],
    ['Sun 06 Nov 1994 08:49:37 GMT', /not of the form/],
    ['Sunday, 06-Nov-94 08:49:37 GMT', /not of the form/],
    ['Sun Nov  6 08:49:37 1994', /not of the form/],
    ['1994-11-06T08:49:37Z', /not of the form/],
    ['So., 06 Nov 1994 08:49:37 GMT', /not of the form/],
    ['Son, 06 Nov 1994 08:49:37 GMT', /no day `Son`/],
    ['Sun, 06 Okt 1994 08:49:37 GMT', /no month `Okt`/],
    ['Sun, 06 Nov 94 08:49:37 GMT', /not of the form/],
    ['Sun, 06 Nov 1994 24:00:00 GMT', /time of day/],
    ['Sun, 06 Nov 1994 08:60:00 GMT', /time of day/],
    ['Sun, 06 Nov 1994 08:49:61 GMT', /time of day/],
    ['Sun, 06 Nov 1994 08:49:37.000 GMT', /not of the form/],
    ['Wed, 31 Apr 2024 00:00:00 GMT', /no day of that month/],
    ['Wed, 29 Feb 2023 00:00:00 GMT', /no day of that month/],
    ['Thu, 29 Feb 1900 00:00:00 GMT', /no day of that month/],
    ['Sun, 00 Jan 2023 00:00:00 GMT', /no day of that month/],
    ['Mon, 32 Jan 2023 00:00:00 GMT', /no day of that month/],
  ]
  for (const [text, problem] of invalid)
    t.match(imfFixdateProblem(text) ?? 'none', problem, JSON.stringify(text))
  // Every day of eight years: each weekday and month, and two leap days.
  let wrong = 0
  for (let day = Date.UTC(2020, 0, 1); day < Date.UTC(2028, 0, 1); day += 86_400_000) {
    const text = new Date(day + 45_296_000).toUTCString()
    if (imfFixdateProblem(text) !== undefined || instantOf(text) !== day + 45_296_000) wrong++
  }
  t.equal(wrong, 0)
})

t.test('an instant does not depend on the local time zone', async (t) => {
  const own = process.env.TZ
  t.teardown(() => {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  })
  const noon = Date.parse('2024-07-01T12:00:00Z')
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    process.env.TZ = zone
    for (const text of [
      'Mon, 01 Jul 2024 12:00:00 GMT',
      'Mon, 1 Jul 2024 12:00:00 gmt',
      'Mon, 01 Jul 2024 12:00:00 UTC',
      'Mon, 01 Jul 2024 14:00:00 +0200',
      'Mon, 01 Jul 2024 12:00:00',
      'Monday, 01-Jul-24 12:00:00 GMT',
      'Mon Jul  1 12:00:00 2024',
      '2024-07-01T12:00:00Z',
      '2024-07-01T12:00:00.000Z',
      '2024-07-01T12:00:00',
      '2024-07-01T12:00:00.000',
      '2024-07-01 12:00:00',
      '2024-07-01T07:00:00-05:00',
      '7/1/2024 12:00:00 PM',
      '12:00:00 01-Jul-2024',
      'Mon, 01 Jul 2024 17:30:00.0+05:30',
    ])
      t.equal(instantOf(text), noon, `${text} in ${zone}`)
    t.equal(instantOf('2024-07-01'), Date.parse('2024-07-01T00:00:00Z'), `a day in ${zone}`)
  }
  for (const none of ['', 'soon', 'GMT', '‹date›']) t.equal(instantOf(none), undefined, JSON.stringify(none))
})

t.test('every spelling of a form is read back as the same pairs', async (t) => {
  const spellings: fc.Arbitrary<FormSpelling> = fc.record({
    plusForSpace: fc.boolean(),
    lowerCaseHex: fc.boolean(),
    escapeEvery: fc.nat(4),
    salt: fc.nat(6),
    order: fc.nat(5),
  })
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...(' +%&=;*-._~!\'()"\n\0aZ9ü€😀'.match(/./gsu) ?? [])) }),
  )
  const pairs = fc.array(fc.tuple(text, text), { maxLength: 5 })
  t.doesNotThrow(() =>
    always(fc.tuple(pairs, spellings), ([list, spelling]) => {
      const ordered = orderPairs(list, spelling.order)
      const encode = (part: string): string => encodeFormText(part, spelling)
      const body = ordered.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
      // The platform's parser passes over an empty piece, and `=` is the pair of two empty texts.
      return (
        /^[\x21-\x7e]*$/.test(body) &&
        isDeepStrictEqual(
          [...new URLSearchParams(body)],
          ordered.map((pair) => [...pair]),
        )
      )
    }),
  )
  t.doesNotThrow(() =>
    always(fc.tuple(fc.uniqueArray(fc.nat(), { maxLength: 6 }), fc.nat(10_000)), ([list, order]) =>
      isDeepStrictEqual([...orderPairs(list, order)].sort(), [...list].sort()),
    ),
  )
  const orders = Array.from({ length: 6 }, (_, order) => orderPairs(['a', 'b', 'c'], order).join(''))
  t.strictSame([...orders].sort(), ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'], 'each order once')
  t.equal(orders[0], 'abc', 'the usual one first')
  const usual = { plusForSpace: true, lowerCaseHex: false, escapeEvery: 0, salt: 0, order: 0 }
  t.equal(encodeFormText('a b+ü*', usual), 'a+b%2B%C3%BC*')
  t.equal(encodeFormText('a b+ü*', { ...usual, plusForSpace: false, lowerCaseHex: true }), 'a%20b%2b%c3%bc*')
  t.equal(encodeFormText('ab', { ...usual, escapeEvery: 1 }), '%61%62')
  t.equal(encodeFormText('\ud800', usual), '%EF%BF%BD')
})

function answer(body: string | Uint8Array, headers: HeaderList = [], status = 200): HttpResponse {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return new HttpResponse({
    request: { method: 'POST', path: '/Token', headers: [] },
    response: { status, headers, body: bytes, truncated: false },
    startedAt: 0,
    receivedAt: Date.parse('2024-07-01T12:00:00.500Z'),
    durationMs: 1,
  })
}

t.test('an answer yields a token when somebody could use it', async (t) => {
  const yields: readonly HttpResponse[] = [
    answer('{"access_token":"x"}'),
    answer('{"access_token":"x"}', [], 400),
    answer('{"access_token":"x"}', [['content-type', 'text/html']], 500),
    answer('\ufeff{"access_token":"x"}'),
    answer('{"access_token":"x","access_token":""}'),
    answer('{"access_token":"","access_token":"x"}'),
    answer('{"access_token":5}'),
    answer('{"access_token":"x",}'),
    answer('', [['location', 'https://app.example/#access_token=x&token_type=bearer']], 302),
    answer('', [['Location', '/cb?state=1&access_token=x']], 302),
    answer('', [['location', '/cb?access_token=#access_token=x']], 302),
    answer(
      '',
      [
        ['location', '/'],
        ['LOCATION', '?access_token=x'],
      ],
      302,
    ),
  ]
  const doesNot: readonly HttpResponse[] = [
    answer(''),
    answer('{"access_token":""}'),
    answer('{"access_token":null}'),
    answer('{"access_token":false}'),
    answer('{"access_token":{}}'),
    answer('{"Access_Token":"x"}'),
    answer('[{"access_token":"x"}]'),
    answer('{"data":{"access_token":"x"}}'),
    answer('"access_token"'),
    answer('access_token=x'),
    answer('no access_token for you: {"error":"access_token"}'),
    answer('', [['location', '/access_token=x']], 302),
    answer('', [['location', '/cb?access_token=']], 302),
    answer('', [['location', '/cb?xaccess_token=x']], 302),
    answer('', [['link', '/cb?access_token=x']], 302),
  ]
  for (const [index, one] of yields.entries()) t.equal(one.yieldsToken, true, `yields ${index}: ${one.text}`)
  for (const [index, one] of doesNot.entries()) t.equal(one.yieldsToken, false, `not ${index}: ${one.text}`)
})

t.test('headers, time and bytes of an answer', async (t) => {
  const date = 'Mon, 01 Jul 2024 12:00:00 GMT'
  t.equal(answer('', [['DATE', date]]).header('date'), date)
  t.equal(
    answer('', [
      ['Date', date],
      ['date', date],
    ]).header('Date'),
    date,
    'repeated alike',
  )
  t.equal(
    answer('', [
      ['Date', date],
      ['date', 'x'],
    ]).header('date'),
    undefined,
    'contradicting',
  )
  t.equal(answer('').header('date'), undefined)
  t.strictSame(answer('', [['Date', date]]).time, {
    instant: Date.parse('2024-07-01T12:00:00Z'),
    source: 'Date',
  })
  const local = { instant: Date.parse('2024-07-01T12:00:00.500Z'), source: 'local clock' }
  t.strictSame(answer('').time, local)
  t.strictSame(answer('', [['Date', 'soon']]).time, local)

  const problems: readonly (readonly [string | Uint8Array, RegExp | undefined])[] = [
    ['{"a":1}', undefined],
    [' \r\n{"a":1}\n', undefined],
    ['{"a":"\ufffd"}', undefined],
    ['\ufeff{"a":1}', /byte order mark/],
    [Buffer.from('{"a":"\xe9"}', 'latin1'), /no valid UTF-8/],
    [Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), /no valid UTF-8/],
    ['{"a":1,"a":1}', /more than one member is named `a`/],
    ['{"x":{"a":1,"a":1}}', /more than one member is named `a`/],
    ['{"a":1}{}', /text after the JSON value/],
    ['for(;;);{"a":1}', /text before the JSON value/],
    ['', /empty/],
  ]
  for (const [body, problem] of problems) {
    const found = answer(body).json.problems
    if (problem === undefined) t.strictSame(found, [], String(body))
    else t.match(found.join(), problem, String(body))
  }
})

t.test('a body of very many values is not read', (t) => {
  const depth = 400_000
  for (const text of [
    '['.repeat(depth) + ']'.repeat(depth),
    `[${'{"a":1},'.repeat(depth / 8)}1]`,
    '['.repeat(depth),
  ]) {
    t.strictSame(readJson(text, 50_000), {
      problems: ['the body holds more than 50,000 JSON values'],
      isTooLarge: true,
    })
    t.match(responseOf(exchangeOf(text)), { reason: 'the body holds more than 50,000 JSON values' })
  }
  t.ok(responseOf(exchangeOf(`[${'1,'.repeat(49_000)}1]`)) instanceof HttpResponse)
  const { problems } = readJson(`"${'\u0001'.repeat(1_000_000)}"`)
  t.equal(problems.length, 20, 'of a million problems some say enough')
  t.end()
})

t.test('of large bodies, text and tree are read again when they are asked for again', (t) => {
  const large = Array.from({ length: 40 }, (_, index) =>
    responseOf(exchangeOf(`{"a":"${index}${'x'.repeat(8000)}"}`)),
  )
  const [first] = large
  t.ok(first instanceof HttpResponse)
  if (!(first instanceof HttpResponse)) return
  const { root } = first.json
  t.equal(first.json.root, root, 'soon after it is still there')
  for (const pass of [1, 2])
    for (const [index, response] of large.entries()) {
      const value = response instanceof HttpResponse ? response.member('a')?.value : undefined
      t.match(value?.kind === 'string' ? value.value : '', new RegExp(`^${index}x`), `time ${pass}`)
    }
  t.not(first.json.root, root)
  t.end()
})

function exchangeOf(body: string) {
  return {
    request: { method: 'POST', path: '/Token', headers: [] },
    response: { status: 200, headers: [], body: Buffer.from(body), truncated: false },
    startedAt: 0,
    receivedAt: 0,
    durationMs: 0,
  }
}

t.test('the order of a list that is a set means nothing', async (t) => {
  t.equal(canonicalList('allow', 'POST,OPTIONS'), canonicalList('Allow', 'OPTIONS, POST'))
  t.equal(canonicalList('vary', 'Origin'), 'Origin')
  t.equal(canonicalList('cache-control', 'private="b, a"'), 'private="b, a"', 'a quoted text is no list')
  t.equal(canonicalList('accept-ranges', 'b, a'), 'b, a')
})
