import fc from 'fast-check'
import t from 'tap'
import { spellings } from '../../tests/fixtures/canaries.js'
import { effort } from '../../tests/fixtures/effort.js'
import { foldText } from './fold-text.js'
import { Redactor } from './redact.js'

/** What a service may make of a text's characters before it spells them in some way. */
const CASES: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  'upper, then lower': (text) => text.toUpperCase().toLowerCase(),
  'Turkish upper': (text) => text.toLocaleUpperCase('tr'),
  'Turkish lower': (text) => text.toLocaleLowerCase('tr'),
  'Lithuanian lower': (text) => text.toLocaleLowerCase('lt'),
  'first letter upper': (text) => text.replace(/./su, (first) => first.toUpperCase()),
  ...Object.fromEntries(
    ['NFC', 'NFD', 'NFKC', 'NFKD'].flatMap((form) => [
      [form, (text: string) => text.normalize(form)] as const,
      [`${form} in upper case`, (text: string) => text.normalize(form).toUpperCase()] as const,
    ]),
  ),
}

t.test('no letter case and no normal form of a character is another secret', async (t) => {
  const broken: string[] = []
  for (let point = 0; point <= 0x10ffff; point++) {
    const char = String.fromCodePoint(point)
    if (!char.isWellFormed()) continue
    const isPlain = [char.normalize('NFKD'), char.toUpperCase(), char.toLowerCase()].every(
      (same) => same === char,
    )
    if (isPlain) continue
    const folded = foldText(char)
    for (const [name, change] of Object.entries(CASES))
      if (foldText(change(char)) !== folded) broken.push(`${name} of U+${point.toString(16)}`)
  }
  t.strictSame(broken.slice(0, 10), [])
})

/** UTF-16 is searched for these alone, beyond ASCII. */
const IN_UTF_16 = ['as it is', 'upper', 'lower', 'Turkish upper', 'Turkish lower']

/** Every spelling of every case in which something of the secret is shown. */
function leaksOf(secret: string, label: string, learn: (redactor: Redactor) => void): readonly string[] {
  const redactor = new Redactor([])
  learn(redactor)
  return Object.entries(CASES).flatMap(([changed, change]) =>
    Object.entries(spellings(change(secret))).flatMap(([name, spelled]) => {
      const [before = '', after] = redactor.text(`{"echo":"${spelled}"}`).split(label)
      if (name === 'utf-16' && !IN_UTF_16.includes(changed)) return []
      // Of the text around it, base64 keeps some characters; a backslash at an end of the secret may be shown.
      const isHidden = after !== undefined && before.length <= 16 && after.length <= 9
      return isHidden ? [] : [`${name}, ${changed}, of ${secret}: ${before}${after ?? ''}`]
    }),
  )
}

function leaksOfPassword(secret: string): readonly string[] {
  const label = '‹password of alice›'
  return leaksOf(secret, label, (redactor) => redactor.learn(secret, label))
}

t.test('letters whose other case has another length', async (t) => {
  for (const secret of [
    'Straße-7-groß',
    'STRASSE-7-GROẞ',
    'ﬁne-ﬂour-7',
    'ŉegrito-ǰ-ẖ',
    'Ǆungla-ǅ-ǆ',
    'Σίσυφος-ΌΔΟΣ',
    'İstanbul-ışık',
    'KISS-ISIK-iii',
    'ΐ-ΰ-ᾳ-ᾼ-7',
    'ſafe-Kelvin-Å',
  ])
    t.strictSame(leaksOfPassword(secret).slice(0, 5), [], secret)
})

t.test('the language of this machine makes no difference', async (t) => {
  for (const name of ['toLocaleUpperCase', 'toLocaleLowerCase'] as const) {
    const own = String.prototype[name]
    const inTurkish = function (this: string, locale = 'tr'): string {
      return own.call(this, locale)
    }
    t.intercept(String.prototype, name, { value: inTurkish })
  }
  t.strictSame(leaksOfPassword('İstanbul-ışık'), [])
})

/** Characters that letter case or normalisation changes, and any others; of marks, none before a letter that bears it. */
const character = fc.oneof(
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.constantFrom(...'ßẞﬁﬃŉǄǅǆΣσςİıiIſKÅÜüéǰΐΰᾳ½ﾊ각'.split('')) },
  { weight: 1, arbitrary: fc.constantFrom('e\u0301', 'a\u0323\u0301', 's\u0307\u0323') },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 }) },
)
const password = fc.array(character, { minLength: 8, maxLength: 24 }).map((parts) => parts.join(''))

t.test('a password of any letters is found in any case, normal form and encoding', async (t) => {
  const leaks: string[] = []
  fc.assert(
    fc.property(password, (secret) => {
      leaks.push(...leaksOfPassword(secret))
    }),
    { numRuns: effort(200), seed: 11 },
  )
  t.strictSame(leaks.slice(0, 10), [])
})

t.test('so is a token', async (t) => {
  for (const secret of ['tokenß-ﬁ-İı-Σς', 'tok ü "é" 7'])
    t.strictSame(leaksOf(secret, '‹access token›', (redactor) => redactor.learnToken(secret)).slice(0, 5), [])
})

t.test('a word of the reports is not hidden, though another spelling of it is a secret', async (t) => {
  const words = ['first', 'error']
  const vocabulary = {
    isShown: () => false,
    has: (word: string) => words.includes(word.toLowerCase()),
    hasPart: (word: string) => words.some((one) => one.includes(word.toLowerCase())),
  }
  const redactor = new Redactor(
    ['ﬁrst', 'ｅｒｒｏｒ', 'ﬁrs'].map((value) => ({ value, label: value })),
    vocabulary,
  )
  for (const text of ['the first error', 'firstly']) t.equal(redactor.text(text), text)
  t.equal(redactor.text('the ﬁrst ｅｒｒｏｒ'), 'the ‹ﬁrst› ‹ｅｒｒｏｒ›')
})
