import fc from 'fast-check'
import t from 'tap'
import { parseForm as servedForm } from '../../reference/http/form.js'
import { isMediaType as servedMediaType } from '../../reference/http/media-type.js'
import { effort } from '../../tests/fixtures/effort.js'
import { isMediaType } from './headers.js'
import { formValues, parseForm } from './parse-form.js'

const FORM = 'application/x-www-form-urlencoded'
const bytes = (text: string) => Buffer.from(text, 'latin1')

t.test('a form, strictly', async (t) => {
  t.strictSame(parseForm(bytes('a=1&b=%2B+%25&&a=&c&=d&e=f=g')), {
    pairs: [
      ['a', '1'],
      ['b', '+ %'],
      ['a', ''],
      ['c', ''],
      ['', 'd'],
      ['e', 'f=g'],
    ],
    malformed: false,
  })
  t.strictSame(formValues(parseForm(bytes('a=1&A=2&a=%c3%a9')), 'a'), ['1', 'é'])
  for (const text of ['a=%', 'a=%2', 'a=%zz', '%ff=a', 'a=\xff', 'a=%ed%a0%80'])
    t.strictSame(parseForm(bytes(`x=y&${text}`)), { pairs: [['x', 'y']], malformed: true }, text)
  t.equal(parseForm(bytes('a=b&'.repeat(1000))).malformed, false)
  t.equal(parseForm(bytes('a=b&'.repeat(1001))).malformed, true)
})

t.test('the suite and the reference server read the same', async (t) => {
  const piece = fc.oneof(
    fc.constantFrom(
      '&',
      '=',
      '+',
      '%',
      '%2',
      '%41',
      '%C3%a9',
      '%ff',
      '\xef\xbb\xbf',
      '%EF%BB%BF',
      '%00',
      '\0',
      '%80',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  const form = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''), 'utf8'))
  fc.assert(
    fc.property(form, (body) => t.strictSame(parseForm(body), servedForm(body))),
    { seed: 1, numRuns: effort(2000) },
  )
  const parameter = fc.constantFrom(
    ';',
    ' ; charset=UTF-8',
    ';charset="utf-8"',
    '; charset=latin1',
    ';a="b;c"',
    ';=',
    'x',
    '\t',
  )
  const type = fc
    .tuple(
      fc.constantFrom(FORM, FORM.toUpperCase(), ` ${FORM}`, 'text/plain', ''),
      fc.array(parameter, { maxLength: 4 }),
    )
    .map(([essence, parameters]) => essence + parameters.join(''))
  fc.assert(
    fc.property(type, (text) => t.equal(isMediaType(text, FORM), servedMediaType(text, FORM), text)),
    { seed: 1, numRuns: effort(2000) },
  )
})
