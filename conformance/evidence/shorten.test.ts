import t from 'tap'
import type { Judgement } from '../../spec/model/report.js'
import { shorten } from './shorten.js'

const RULE = { rule: '7-token-error-body', outcome: 'failed' } as const
const cut = (judgement: Omit<Judgement, 'rule' | 'outcome'>): readonly (string | undefined)[] => {
  const { expected, actual } = shorten({ ...RULE, ...judgement })
  return [expected, actual]
}
const LONG = 'a page that is the same up to here '.repeat(20)

t.test('two long texts are cut around the place where they differ', async (t) => {
  const [expected = '', actual = ''] = cut({ expected: `${LONG}left${LONG}`, actual: `${LONG}right${LONG}` })
  t.match(expected, /^….{60}left.{100,}… \(1404 characters\)$/)
  t.match(actual, /^….{60}right.{100,}… \(1405 characters\)$/)
  t.equal(expected.slice(0, 61), actual.slice(0, 61), 'both begin alike')
  const [, end = ''] = cut({ expected: LONG, actual: `${LONG}!` })
  t.match(end, /^….*! \(701 characters\)$/)
})

t.test('a long body is cut around what the message names', async (t) => {
  const body = `{"error":"x","padding":"${LONG}","trace":"here"}`
  t.match(
    cut({ expected: '{"error":"x"}', actual: body, message: 'extra member `trace`' })[1],
    /"trace":"here"}/,
  )
  t.match(cut({ expected: 'one', actual: body, message: '`x`', pointer: '/trace' })[1], /^{"error"/)
  t.match(cut({ expected: 'one', actual: body, pointer: '/trace' })[1], /"trace":"here"}/)
  const malformed = `{"padding":"${LONG}",}`
  const at = malformed.length - 2
  t.match(cut({ expected: 'one', actual: malformed, message: `a comma, at character ${at}` })[1], /,} \(/)
})

t.test('what is short, or has nothing in common, begins at its beginning', async (t) => {
  t.strictSame(cut({ expected: 'a', actual: 'b' }), ['a', 'b'])
  t.strictSame(cut({ expected: 'an accepted registration', actual: `400 with ${LONG}` }), [
    'an accepted registration',
    `${`400 with ${LONG}`.slice(0, 200)}… (709 characters)`,
  ])
  const [, paired = ''] = cut({ expected: '', actual: `x${'😀'.repeat(200)}` })
  t.equal(paired, `x${'😀'.repeat(99)}… (401 characters)`, 'no half of a character')
})

t.test('what a body names as a secret is hidden, and no label is divided', async (t) => {
  const shown = (actual: string) => cut({ actual })[1]
  t.equal(shown('200 with {"access_token":"x"'), '200 with {"access_token":"‹access_token›"')
  t.equal(shown('400 with password=some-secret&x=y'), '400 with password=‹password›&x=y')
  t.equal(shown('400 with password=‹password of alice›&x=y'), '400 with password=‹password of alice›&x=y')
  t.equal(
    shown('400 with {"password":"The password is too short."}'),
    '400 with {"password":"The password is too short."}',
  )
})
