import t from 'tap'
import { specifiedBehaviour as specified } from './behaviour.js'
import { createClock } from './clock.js'
import { parseMediaType } from './http/media-type.js'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

t.test('4.1-content-type: the one media type, in its legal spellings', async (t) => {
  const accepted = [
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-URLEncoded',
    ' application/x-www-form-urlencoded ',
    'application/x-www-form-urlencoded;',
    'application/x-www-form-urlencoded; charset=UTF-8',
    'application/x-www-form-urlencoded;CHARSET="utf-8"',
    'application/x-www-form-urlencoded ; charset="ut\\f-8" ; x=y',
    'application/x-www-form-urlencoded; note="a; charset=latin1"',
  ]
  const refused = [
    undefined,
    '',
    'application/json',
    'text/plain',
    'application/x-www-form-urlencode',
    'application/x-www-form-urlencoded2',
    'xapplication/x-www-form-urlencoded',
    'application/x-www-form-urlencoded, application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset',
    'application/x-www-form-urlencoded; charset=',
    'application/x-www-form-urlencoded; charset=utf8',
    'application/x-www-form-urlencoded; charset=ISO-8859-1',
    'application/x-www-form-urlencoded; charset=utf-8; charset=utf-16',
    'application /x-www-form-urlencoded',
    'multipart/form-data; boundary=application/x-www-form-urlencoded',
  ]
  for (const contentType of accepted) t.equal(specified.acceptsMediaType(contentType), true, contentType)
  for (const contentType of refused)
    t.equal(specified.acceptsMediaType(contentType), false, contentType ?? 'none')
  t.strictSame(parseMediaType('A/B;C="d\\"e"'), { essence: 'a/b', parameters: [['c', 'd"e']] })
})

t.test('4.1-form-encoding: pairs are decoded on their bytes', async (t) => {
  const pairs = (text: string): readonly (readonly [string, string])[] =>
    specified.parseForm(bytes(text)).pairs
  t.strictSame(pairs('a=1&b=2'), [
    ['a', '1'],
    ['b', '2'],
  ])
  t.strictSame(pairs('a=%2B+%26%3d%25&&'), [['a', '+ &=%']])
  t.strictSame(pairs('a=b=c&d&=e'), [
    ['a', 'b=c'],
    ['d', ''],
    ['', 'e'],
  ])
  t.strictSame(pairs('%61+%C3%A4=%e2%82%ac'), [['a ä', '€']], 'names too, hex in either case')
  t.strictSame(pairs('a=\xc3\xa4'), [['a', 'ä']], 'unescaped UTF-8')
  t.strictSame(pairs('a=%EF%BB%BFb'), [['a', '\ufeffb']], 'a byte order mark is a character')
  t.strictSame(pairs('a=%00'), [['a', '\0']])
  t.strictSame(pairs(''), [])
})

t.test('a form is not guessed at', async (t) => {
  for (const broken of [
    'a=%',
    'a=%4',
    'a=%zz',
    'a=%+1',
    'a=%-1',
    'a=%FF',
    'a=\xff',
    'a=%C3',
    'a=%C0%80',
    '%ED%A0%80=1',
  ]) {
    t.strictSame(
      specified.parseForm(bytes(`${broken}&b=2`)),
      { pairs: [['b', '2']], malformed: true },
      broken,
    )
  }
  const many = specified.parseForm(bytes('a=1&'.repeat(1001)))
  t.equal(many.pairs.length, 1000)
  t.equal(many.malformed, true)
  t.equal(specified.parseForm(bytes('a=1&'.repeat(1000))).malformed, false)
  const form = specified.parseForm(bytes('A=1&a=2&a=3'))
  t.strictSame(specified.formValues(form, 'a'), ['2', '3'], 'names are case-sensitive')
})

t.test('the near misses of path, method and grant type', async (t) => {
  t.equal(specified.isTokenPath('/Token', ''), true)
  t.equal(specified.isTokenPath('/auth/Token', '/auth'), true)
  for (const path of ['/token', '/Token/', '//Token', '/%54oken', '/auth/Token', 'Token', '/Token;x', '']) {
    t.equal(specified.isTokenPath(path, ''), false, path)
  }
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'post']) {
    t.equal(specified.acceptsMethod(method), false, method)
  }
  t.equal(specified.supportsGrantType('password'), true)
  for (const near of ['Password', ' password', 'password ', 'passwor', 'passwordd', 'password\0', '']) {
    t.equal(specified.supportsGrantType(near), false, JSON.stringify(near))
  }
})

t.test('2.1-R2: .expires is later than .issued by the lifetime to the second', async (t) => {
  // Sunday 2000-02-27 23:59:59.999; fourteen days on, past a leap day, is Sunday 2000-03-12.
  const issued = specified.issuedAt(Date.UTC(2000, 1, 27, 23, 59, 59, 999))
  t.equal(specified.formatDate(issued), 'Sun, 27 Feb 2000 23:59:59 GMT')
  t.equal(specified.formatDate(specified.expiresAt(issued, 1_209_600)), 'Sun, 12 Mar 2000 23:59:59 GMT')
  t.equal(specified.expiresIn(1_209_600), 1_209_599)
  t.equal(specified.formatDate(Date.UTC(2001, 8, 9)), 'Sun, 09 Sep 2001 00:00:00 GMT', 'a two-digit day')
})

t.test('a clock is moved, stopped and set right again', async (t) => {
  let ms = 1_000_000
  const clock = createClock(() => ms)
  clock.advance(1.5)
  t.equal(clock.now(), 1_001_500)
  ms += 10
  t.equal(clock.now(), 1_001_510)
  clock.freeze()
  ms += 10
  t.equal(clock.now(), 1_001_510)
  clock.advance(-1)
  t.equal(clock.now(), 1_000_510)
  clock.freeze(5)
  t.equal(clock.now(), 5)
  clock.reset()
  t.equal(clock.now(), 1_000_020)
  t.throws(() => clock.advance(Number.NaN), { code: 'bad-request' })
  t.throws(() => clock.advance(1e12), { code: 'bad-request' })
  t.throws(() => clock.freeze(-1), { code: 'bad-request' })
  // What a program without types may give.
  for (const odd of ['60', new Date(5), null]) {
    t.throws(() => Reflect.apply(clock.advance, clock, [odd]), { code: 'bad-request', message: /seconds/ })
    t.throws(() => Reflect.apply(clock.freeze, clock, [odd]), { code: 'bad-request', message: /atMs/ })
  }
  t.equal(clock.now(), 1_000_020)
})
