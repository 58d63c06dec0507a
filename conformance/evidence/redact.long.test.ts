import fc from 'fast-check'
import t from 'tap'
import { loadSpecification } from '../../spec/load/specification.js'
import { spellings as echoes } from '../../tests/fixtures/canaries.js'
import { effort } from '../../tests/fixtures/effort.js'
import type { Account, Secret } from '../target/deployment.js'
import { withExcerpts } from '../target/password-excerpts.js'
import { secretWarnings, vocabularyOf, vocabularyWith } from './describe.js'
import { Redactor } from './redact.js'

const hex = (char: string, lower: boolean): string => {
  const code = char.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${lower ? code : code.toUpperCase()}`
}

/** Every spelling that 'Secrets' of the architecture page names, made by other means than the redactor's. */
function spellings(secret: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(secret)
  const lowerHex = (text: string): string => text.replace(/%../g, (code) => code.toLowerCase())
  const percent = encodeURIComponent(secret)
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = (text: string, lower: boolean): string =>
    text.replace(/[^\x20-\x7e]/g, (char) => hex(char, lower))
  return {
    raw: secret,
    percent,
    'percent in lower case': lowerHex(percent),
    'percent, every byte': [...bytes]
      .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join(''),
    'percent, RFC 3986': percent.replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
    form,
    'form in lower case': lowerHex(form),
    json,
    'json in ASCII': ascii(json, true),
    'json in ASCII, upper case': ascii(json, false),
    'json in a string of json': JSON.stringify(json).slice(1, -1),
    'json with escaped slashes': json.replaceAll('/', '\\/'),
    'json in ASCII with escaped slashes': ascii(json.replaceAll('/', '\\/'), true),
    base64: bytes.toString('base64'),
    'base64 without padding': bytes.toString('base64').replace(/=+$/, ''),
    base64url: bytes.toString('base64url'),
  }
}

/** Where the secret is inside what was encoded, as in the value of `Authorization: Basic`. */
function basic(userName: string, secret: string): string {
  return Buffer.from(`${userName}:${secret}`).toString('base64')
}

const label = '‹password of alice›'
const redactorOf = (value: string): Redactor => new Redactor([{ value, label: 'password of alice' }])

t.test('a password is found in every spelling', async (t) => {
  for (const secret of [
    'Correct/horse & 9+bätterÿ "quoted"',
    "<O'Neil>-`42`_(x)*!",
    '12345678',
    '😀-pass-wörd',
    'tab\tand\\back',
  ]) {
    const redactor = redactorOf(secret)
    for (const [name, spelled] of Object.entries(spellings(secret))) {
      const shown = redactor.text(`before ${spelled} after`)
      t.notOk(shown.includes(spelled), `${name} of ${secret}`)
      t.ok(shown.startsWith('before ') && shown.endsWith(' after'), 'the rest is as it was')
    }
    t.equal(redactor.text(`x=${secret}&y`), `x=${label}&y`, 'its label is in its place')
    for (const userName of ['a', 'al', 'ali', 'alice'])
      t.notOk(
        redactor.text(basic(userName, secret)).includes(Buffer.from(secret).toString('base64').slice(4, -4)),
      )
  }
})

t.test(
  'a password is found where its UTF-8 was read in another encoding, and as languages escape it',
  (t) => {
    for (const [secret, ...echoes] of [
      // Windows-1252, which has no characters of its own for the second bytes of `ü` and `é`; then once more.
      ['Straße-Zq7-Kw9!x', 'StraÃŸe-Zq7-Kw9!x', 'StraÃƒÅ¸e-Zq7-Kw9!x', 'StraÃ\u0083Â\u009fe-Zq7-Kw9!x'],
      ['Zq7-Kw9-€uro', 'Zq7-Kw9-â‚¬uro', 'Zq7-Kw9-Ã¢â€šÂ¬uro', 'Zq7-Kw9-%u20ACuro', 'Zq7-Kw9-\\x{20ac}uro'],
      // What one encoding has and another has not, in one password; and the undefined bytes of Windows-1252 in Java.
      ['Zoë-5€-Kw9!x', 'Zo%EB-5%u20AC-Kw9%21x', 'Zoë-5?-Kw9!x', 'Zoë-5\ufffd-Kw9!x', 'ZoÃ«-5â‚¬-kw9!x'],
      ['PasswÁrt-Kw9!x', 'PasswÃ\ufffdrt-Kw9!x', 'PasswГЃrt-Kw9!x', 'PasswA\u00cc\u0081rt-Kw9!x'],
      ['Passwört-Zq7-Kw9', 'PasswÃ¶rt-Zq7-Kw9', 'PasswÃ\u0083Â¶rt-Zq7-Kw9', 'Passw\\u{f6}rt-Zq7-Kw9'],
      [
        'Zq7-😀-Kw9!',
        'Zq7-%uD83D%uDE00-Kw9!',
        'Zq7-\\u{1f600}-Kw9!',
        'Zq7-\\ud83d\\ude00-Kw9!',
        'Zq7-ðŸ˜€-Kw9!',
      ],
    ])
      for (const echoed of echoes) {
        t.equal(redactorOf(secret ?? '').text(`no ${echoed} here`), `no ${label} here`, echoed)
        t.equal(redactorOf(secret ?? '').text(JSON.stringify(echoed)), `"${label}"`, `${echoed} as JSON`)
      }
    t.end()
  },
)

t.test('a password is found where an encoding took a letter of ASCII with what is beyond it', (t) => {
  for (const [secret, ...echoes] of [
    ['5€Zq7-Kw9!xyz', '5鈧琙q7-Kw9!xyz', '5�柬q7-Kw9!xyz', '5琙q7-Kw9!xyz'],
    ['のPassw0rd-Zq7!', '銇甈assw0rd-Zq7!', '�娑assw0rd-Zq7!'],
    ['密码Abc-Kw9!xyz', '蟇��、bc-Kw9!xyz'],
    // Decomposed before.
    ['Zoë5€Zq7-Kw9!xyz', 'Zoe虉5鈧琙q7-Kw9!xyz'],
    ['Grüße1-Kw9xyz!', 'Gruﾌ暗歹1-Kw9xyz!'],
  ])
    for (const echoed of echoes)
      t.equal(redactorOf(secret ?? '').text(`no ${echoed} here`), `no ${label} here`, echoed)
  for (const form of ['NFD', 'NFKD'])
    t.equal(redactorOf('Zoë-5€-Zq7-Kw9!x').text('ZoÃ«-5â\u0082¬-Zq7-Kw9!x'.normalize(form)), label, form)
  t.end()
})

t.test('what is left of a password without what is beyond ASCII is searched for where that is much', (t) => {
  const redactor = redactorOf('Пароль2026')
  t.equal(redactor.text('Mon, 30 Nov 2026 15:57:52 GMT'), 'Mon, 30 Nov 2026 15:57:52 GMT')
  t.equal(redactor.text('no ??????2026 here'), `no ${label} here`)
  t.equal(redactorOf('Zöe-Kw9-Zq7!').text('no Ze-Kw9-Zq7! here'), `no ${label} here`)
  const words = { has: (word: string) => word === 'error', hasPart: () => false, isShown: () => false }
  const beside = new Redactor([{ value: '密码error', label: 'password of alice' }], words)
  t.equal(beside.text('“error” in /p?error=1'), '“error” in /p?error=1', 'no word of the reports is')
  t.equal(beside.text('no 密码error here'), `no ${label} here`)
  t.end()
})

t.test('a password is found where an encoding lost a part of it', async (t) => {
  const secret = 'Zq7vKüxPw9Lm-Tr5łb'
  const utf8 = Buffer.from(secret)
  const echoes = {
    'ISO 8859-2 as UTF-8': secret.replace(/[üł]/g, '\ufffd'),
    'written as ASCII': secret.replace(/[üł]/g, '?'),
    'read as ASCII': [...utf8].map((byte) => (byte > 127 ? '?' : String.fromCharCode(byte))).join(''),
    'read as ASCII, with marks': [...utf8]
      .map((byte) => String.fromCharCode(byte > 127 ? 0xfffd : byte))
      .join(''),
    'read as ASCII, and dropped': [...utf8]
      .map((byte) => (byte > 127 ? '' : String.fromCharCode(byte)))
      .join(''),
    'seven bits of each byte': [...utf8].map((byte) => String.fromCharCode(byte & 127)).join(''),
    'the low byte of each character': secret.replace('ł', 'B'),
  }
  for (const [name, echoed] of Object.entries(echoes)) {
    t.equal(redactorOf(secret).text(`no ${echoed} here`), `no ${label} here`, name)
    t.equal(redactorOf(secret).text(encodeURIComponent(echoed)), label, `${name}, in a form`)
  }
  t.equal(
    redactorOf('пароль').text('what ?????? is'),
    'what ?????? is',
    'where it says nothing of the password',
  )
})

t.test(
  'a password is found without the white space that a file or a secret store put around it',
  async (t) => {
    for (const secret of [
      'Corr-horse-1\n',
      'Corr-horse-1\r\n',
      ' \tCorr-horse-1 \n',
      '\u00a0Corr-hörse-1\u3000',
    ])
      for (const echoed of [
        secret.trim(),
        secret.trimStart(),
        secret.trimEnd(),
        encodeURIComponent(secret.trim()),
      ])
        t.match(redactorOf(secret).text(`no ${echoed} here`), /^no\s*‹[^›]*›\s*here$/, JSON.stringify(echoed))
  },
)

t.test('a password is found in the escapes of Python, Java and shells', async (t) => {
  const secret = "Lk'mv🔑nq7wyz!"
  for (const [name, echoed] of Object.entries({
    'eight digits': "Lk'mv\\U0001f511nq7wyz!",
    'eight digits, in JSON': "Lk'mv\\\\U0001F511nq7wyz!",
    'a pair of entities': "Lk'mv&#xd83d;&#xdd11;nq7wyz!",
    'a pair of decimal entities': "Lk'mv&#55357;&#56593;nq7wyz!",
    'entities without their ends': [..."Lk'mv🔑nq7wyz!"].map((char) => `&#${char.codePointAt(0)}`).join(''),
    'hexadecimal entities without their ends': [..."Lk'mv🔑nq7wyz!"]
      .map((char) => `&#x${char.codePointAt(0)?.toString(16)}`)
      .join(''),
    'a quote of a shell': "Lk'\\''mv🔑nq7wyz!",
    'another quote of a shell': `Lk'"'"'mv🔑nq7wyz!`,
    'a quote of a shell, in JSON': "Lk'\\\\''mv🔑nq7wyz!",
    'another quote of a shell, in JSON': String.raw`Lk'\"'\"'mv🔑nq7wyz!`,
  }))
    t.equal(redactorOf(secret).text(`x ${echoed} y`), `x ${label} y`, name)
})

t.test('a password is found where its punctuation is written as PHP writes it in HTML', async (t) => {
  const secret = '!"#$%&\'()*+,./:;<=>?@[\\]^_`{|}'
  // What `htmlentities($text, ENT_QUOTES | ENT_HTML5)` makes of it.
  const spelled =
    '&excl;&quot;&num;&dollar;&percnt;&amp;&apos;&lpar;&rpar;&ast;&plus;&comma;&period;&sol;&colon;&semi;&lt;&equals;' +
    '&gt;&quest;&commat;&lbrack;&bsol;&rsqb;&Hat;&lowbar;&grave;&lbrace;&vert;&rcub;'
  t.equal(redactorOf(secret).text(`is ${spelled} wrong`), `is ${label} wrong`)
  t.equal(redactorOf('Correct-horse!7%x').text('Correct-horse&excl;7&percnt;x'), label)
})

/** Printable and not, ASCII and not; no lone surrogates, which no encoding but JSON can carry. */
const character = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom(...' %+&=/\\"\'<>`~!*()üßÿ€\n\t\0'.split('')) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((text) => text.toWellFormed()),
  },
)
const password = fc.array(character, { minLength: 8, maxLength: 24 }).map((parts) => parts.join(''))

t.test('no password of eight characters or more comes through, wherever it is', async (t) => {
  const planted = fc.tuple(
    password,
    fc.string({ unit: 'grapheme-ascii' }),
    fc.string({ unit: 'grapheme-ascii' }),
  )
  const leaks: string[] = []
  fc.assert(
    fc.property(
      planted,
      fc.string({ unit: 'grapheme-ascii', maxLength: 9 }),
      ([secret, before, after], userName) => {
        const redactor = redactorOf(secret)
        const all = Object.entries(spellings(secret))
        const shown = redactor.text(all.map(([, spelled]) => `${before} ${spelled} ${after}`).join('\n'))
        for (const [name, spelled] of all) {
          // What the label and the text around it hold of their own accord is no leak.
          const innocent = label.includes(spelled) || before.includes(spelled) || after.includes(spelled)
          if (!innocent && shown.includes(spelled)) leaks.push(`${name} of ${JSON.stringify(secret)}`)
        }
        const credentials = basic(userName, secret)
        const decoded = Buffer.from(redactor.text(`Basic ${credentials}`).slice(6), 'base64').toString()
        if (decoded.includes(secret)) leaks.push(`user:password of ${JSON.stringify([userName, secret])}`)
      },
    ),
    { numRuns: effort(500), seed: 11 },
  )
  t.strictSame(leaks.slice(0, 10), [])
})

t.test('an issued token is found in running text', async (t) => {
  const opaque = 'k3J-2mQ_9zXv.Lw~Ab'
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl'
  const base64 = 'ab+cd/efghIJKL0123==' // with every character that needs an escape
  const odd = 'tok en:"with" spaces'
  for (const token of [opaque, jwt, base64, odd, '17|plain-text-part', 'x'.repeat(8)]) {
    const redactor = redactorOf('Another-password')
    redactor.learnToken('some-other-token')
    redactor.learnToken(token)
    const encoded = encodeURIComponent(token)
    const texts: readonly string[] = [
      token,
      `issued ${token} today`,
      `the token is ${token}.`,
      `(${token}), "${token}"; <${token}>`,
      `/callback#access_token=${token}&token_type=bearer`,
      `/callback?access_token=${encoded}`,
      `/callback?access_token=${encoded.replace(/%../g, (code) => code.toLowerCase())}&x=1`,
      `Bearer%20${encoded}`,
      `Bearer+${encoded}`,
      `token%3D${encoded}%26x`,
      `/tokens/${token}/revoke`,
      `${token}/${token}`,
      `id.${token}`,
      JSON.stringify({ message: `granted ${token}` }),
      JSON.stringify({ token }).replaceAll('/', '\\/'),
      new URLSearchParams({ token }).toString(),
      Buffer.from(token).toString('base64'),
      Buffer.from(token).toString('base64url'),
      `token:${Buffer.from(token).toString('base64')}.`,
    ]
    for (const text of texts) {
      const shown = redactor.text(text)
      const spelled = [
        token,
        encoded,
        JSON.stringify(token).slice(1, -1),
        token.replaceAll('/', '\\/'),
        encoded.toLowerCase(),
      ]
      const left = spelled.filter(
        (form) => shown.includes(form) || shown.toLowerCase().includes(form.toLowerCase()),
      )
      t.strictSame(left, [], text)
      t.match(shown, '‹access token›')
    }
  }
})

t.test('what is no secret is left alone', async (t) => {
  const redactor = new Redactor([
    { value: 'a-1', label: 'password of bob' },
    { value: 'bear', label: 'password of carol' },
    { value: 'Long-enough-1', label: 'password of alice' },
  ])
  redactor.learnToken('t-1')
  redactor.learnToken('A'.repeat(43))
  for (const text of [
    'a-1 and t-1 are left to the first net',
    'bearer, Bear and forbear: a plain word is one in its own letter case alone',
    'Long-enough-2',
    'A'.repeat(15),
    '{"error":"unsupported_grant_type"}',
    'grant_type=password&username=alice&password=‹password of alice›',
    'Mon, 01 Jul 2024 12:00:00 GMT',
    '',
  ])
    t.equal(redactor.text(text), text)
})

t.test('what was shown before is a secret from when it is learned', async (t) => {
  const redactor = redactorOf('another password')
  t.equal(redactor.text('X-Echo: Horse-9-battery'), 'X-Echo: Horse-9-battery')
  redactor.learn('Horse-9-battery', label)
  t.equal(redactor.text('X-Echo: Horse-9-battery'), `X-Echo: ${label}`)
})

t.test('short secrets, and plain words', async (t) => {
  const redactor = new Redactor(
    [
      { value: 'a-1', label: 'password of bob' },
      { value: 'a1b2', label: 'KEY from the environment' },
      { value: '1234', label: 'password of carol' },
      { value: 'error', label: 'password of dan' },
      { value: 'registra', label: 'password of eve' },
    ],
    vocabularyOf(loadSpecification()),
  )
  redactor.learnToken('tkn-1')
  for (const [text, shown] of [
    ['a-1', '‹password of bob›'],
    ['{"echo":"a-1","a-1 b":1}', '{"echo":"‹password of bob›","a-1 b":1}'],
    ['heard a1b2, or A1B2.', 'heard ‹KEY from the environment›, or ‹KEY from the environment›.'],
    ['da1b2c', 'da1b2c'],
    ['1234 of 12345', '‹password of carol› of 12345'],
    ['{"error":"unsupported_grant_type"}', '{"error":"unsupported_grant_type"}'],
    ['registra: a registered user', '‹password of eve›: a registered user'],
    ['issued tkn-1.', 'issued ‹access token›.'],
    ['issued tkn-12.', 'issued tkn-12.'],
  ] as const)
    t.equal(redactor.text(text), shown)
  t.equal(
    redactor.output('no user with a-1: error'),
    'no user with ‹password of bob›: ‹password of dan›',
    'what a program printed is no report',
  )
  t.equal(redactor.output('a-12 and terror'), 'a-12 and terror')
})

t.test('labels, and secrets inside secrets', async (t) => {
  const redactor = new Redactor([{ value: 'Secret-of-1', label: 'password of alice' }])
  redactor.learn('Secret-of-1x', '‹password of alice: a character appended›')
  redactor.learn('0123456789', '‹run›')
  redactor.learn('Secret-of-1', '‹another label›')
  t.equal(
    redactor.text('Secret-of-1x Secret-of-1'),
    '‹password of alice: a character appended› ‹password of alice›',
  )
  t.equal(redactor.text('absent0123456789'), 'absent‹run›')
  t.equal(redactor.text('Secret-of-1Secret-of-1'), '‹password of alice›‹password of alice›')
  redactor.learn('$& and (.*)', '‹$&›')
  t.equal(redactor.text('$& and (.*)'), '‹$&›', 'neither is a pattern')
})

t.test('every string inside a value, and nothing else of it', async (t) => {
  const redactor = redactorOf('Secret-of-1')
  const value = { a: ['Secret-of-1', 1, null, true], b: { 'Secret-of-1': 'x Secret-of-1 y' }, c: undefined }
  t.strictSame(redactor.value(value), {
    a: [label, 1, null, true],
    b: { 'Secret-of-1': `x ${label} y` },
    c: undefined,
  })
})

t.test('a hostile text is searched quickly', async (t) => {
  const redactor = redactorOf('Correct-horse-9-battery')
  for (let index = 0; index < 50_000; index++) redactor.learnToken(`token-number-${index}`)
  const size = 1024 * 1024
  for (const unit of ['a', '-', '%41', '=', 'token-number-', 'Correct-horse-9-batter', 'a.'])
    for (const text of [unit.repeat(size / unit.length)]) {
      // Not by the clock: the machine may be busy.
      const before = process.cpuUsage()
      redactor.text(text)
      t.ok(process.cpuUsage(before).user < 10_000_000, unit)
    }
})

t.test('an access token with every byte escaped, needlessly, is one all the same', async (t) => {
  const redactor = new Redactor([])
  redactor.learnToken('abcdefgh-0123456789_tok')
  const escaped = [...Buffer.from('abcdefgh-0123456789_tok')].map((byte) => `%${byte.toString(16)}`).join('')
  t.equal(redactor.text(`Location: /home?t=${escaped}&x=1`), 'Location: /home?t=‹access token›&x=1')
  t.equal(redactor.text('/search?q=100%25%20of%20all%20that%20is'), '/search?q=100%25%20of%20all%20that%20is')
})

t.test('what is linear and bounded stays so, whatever the answer is', async (t) => {
  const redactor = new Redactor([
    { value: '\\'.repeat(12), label: 'password of alice' },
    { value: `${'ab'.repeat(40)}c`, label: 'password of bob' },
  ])
  redactor.learnToken(`${'A'.repeat(15_000)}B`)
  for (let length = 100; length < 400; length++) redactor.learnToken(`${'C'.repeat(length)}D`)
  const size = 256 * 1024
  for (const unit of ['A', 'C', '\\', 'ab', '%25', '&amp;', '\\u00', '00', '%5C', 'BAAA']) {
    const before = process.cpuUsage()
    redactor.text(unit.repeat(size / unit.length))
    t.ok(process.cpuUsage(before).user < 10_000_000, unit)
  }
})

t.test('a text that was read before is read again for a secret that is shorter', async (t) => {
  const redactor = redactorOf('Correct-horse-9-battery')
  const text = `echo ${Buffer.from('Sh0rt!').toString('base64')}`
  t.equal(redactor.text(text), text)
  redactor.learn('Sh0rt!', '‹another›')
  t.equal(redactor.text(text), 'echo ‹another›')
})

t.test('a password is found in a form, or in JSON, that is packed as a whole', async (t) => {
  for (const secret of ['Correct/horse & 9+bätterÿ "quoted"', 'tab\tand\\back', '%41lready-%2B-escaped']) {
    const redactor = redactorOf(secret)
    for (const [name, spelled] of Object.entries(spellings(secret))) {
      const whole = Buffer.from(`username=alice&password=${spelled}`)
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const shown = redactor.text(`echo ${whole.toString(encoding)}`)
        // Packed twice is not found.
        const isPacked = name.startsWith('base64')
        t.ok(isPacked || shown.includes(label), `${name} of ${secret} in ${encoding}`)
      }
    }
  }
})

const shownOf = (account: Account) => ({
  accounts: [account],
  shownBaseUrl: 'https://id.fabrikam-prod.example:8443/auth',
})

t.test(
  'user names and base URLs are shown, also where they are passwords, or have one in them',
  async (t) => {
    const specification = loadSpecification()
    for (const [userName, password] of [
      ['admin', 'admin'],
      ['sa', 'sa'],
      ['Admin123', 'Admin123'],
      ['demo@demo.local', 'demo'],
      ['demo@demo.local', 'demo@demo.local'],
      ['administrator', 'administ'],
      ['svc-account-prod', 'svc-account'],
      ['jürgen müller', 'müller'],
      ['Jürgen', 'Jürgen'],
    ] as const) {
      const vocabulary = vocabularyWith([shownOf({ userName, password })], specification)
      const redactor = new Redactor([{ value: password, label: 'password' }], vocabulary)
      redactor.learn(password.toUpperCase(), '‹password in capitals›')
      for (const text of [userName, `{"userName":"${userName}"}`, `username=${encodeURIComponent(userName)}`])
        t.equal(redactor.text(text), text, password)
    }
    const hidden = { userName: 'admin', password: 'admin', shownName: '‹NAME from the environment›' }
    const redactor = new Redactor(
      [{ value: 'admin', label: 'password' }],
      vocabularyWith([shownOf(hidden)], specification),
    )
    t.equal(redactor.text('{"userName":"admin"}'), '{"userName":"‹password›"}', 'a name that is not shown')
    for (const password of [
      'fabrikam',
      'Fabrikam',
      'fabrikam-prod',
      'prod',
      'id.fabrikam-prod.example',
      'auth',
    ]) {
      const vocabulary = vocabularyWith([shownOf(hidden)], specification)
      const text = `in ${shownOf(hidden).shownBaseUrl}/Token`
      t.equal(new Redactor([{ value: password, label: 'password' }], vocabulary).text(text), text, password)
    }
  },
)

t.test('canaries of 4 to 64 characters are found in every spelling of a careless echo', async (t) => {
  const leaks: string[] = []
  for (let length = 4; length <= 64; length++) {
    const secret = 'Q7-zK w%9"x+V/é=M'.repeat(4).slice(0, length)
    const redactor = redactorOf(secret)
    for (const [name, spelled] of Object.entries(echoes(secret))) {
      if (name === 'utf-16' && /[^\x00-\x7f]/.test(secret)) continue
      const shown = redactor.text(`{"echo":"${spelled}"}`)
      if (!shown.includes(label)) leaks.push(`${name} of ${secret}: ${shown}`)
    }
  }
  t.strictSame(leaks.slice(0, 10), [])
})

t.test('the user is warned of secrets that are not looked for', (t) => {
  const dan = { userName: 'dan.7@example.com', password: 'dan' }
  const secrets = [
    { value: 'abc', label: 'password of alice' },
    { value: 'abd', label: 'KEY from the environment' },
    { value: 'Bearer', label: 'password of bob' },
    { value: 'Long-enough-1', label: 'password of carol' },
    { value: 'fabrikam-prod.example-2026!', label: 'password of frank' },
    // Its first 15 bytes.
    { value: 'fabrikam-prod.e', label: 'password of frank' },
    { value: 'dan', label: 'password of dan' },
    { value: 'fabrikam-prod', label: 'password of erin' },
    { value: '0', label: 'FLAKY from the environment', isOrdinary: true },
    // A word of a name, too: one warning is enough.
    { value: '7', label: 'SEVEN from the environment', isOrdinary: true },
  ] as const
  const warningsOf = (some: readonly Secret[]) => secretWarnings(some, [shownOf(dan)], loadSpecification())
  t.strictSame(warningsOf(secrets), [
    'FLAKY from the environment, SEVEN from the environment: one or two characters, so not treated as a secret',
    'password of alice, KEY from the environment: shorter than 4 characters, so not hidden inside what the service repeats',
    'password of dan, password of erin: a word of a user name or of the base URL, so reports show it',
    'password of bob: an ordinary word of reports, so reports show it',
  ])
  t.strictSame(warningsOf(secrets.slice(3, 4)), [])
  t.end()
})

t.test('of a very long secret the rest is hidden too', async (t) => {
  const plain = Array.from({ length: 6000 }, (_, at) => 'Kw3-_9'.charAt((at * at) % 6)).join('')
  const text = plain.replaceAll('-', '\n')
  for (const [secret, after] of [
    [plain, ' and more'],
    [text, ''],
  ] as const) {
    const redactor = new Redactor([{ value: secret, label: 'KEY from the environment' }])
    t.equal(redactor.text(`It is ${secret}${after}`), `It is ‹KEY from the environment›${after}`)
    const tokens = new Redactor([])
    tokens.learnToken(secret)
    t.equal(tokens.text(`It is ${secret}${after}`), `It is ‹access token›${after}`)
  }
})

t.test('of a password that a service cuts or changes, what is left is hidden too', async (t) => {
  for (const length of [20, 30, 90]) {
    const password = Array.from({ length: 30 }, (_, index) => `q${index}Zt`)
      .join('')
      .slice(0, length)
    const redactor = new Redactor(withExcerpts(password).map((value) => ({ value, label: 'password' })))
    const changed = `${password.slice(0, -4)}~é!${password.slice(-3)}`
    for (const left of [password.slice(0, -1), password.slice(0, -3), changed, `${changed}=`])
      t.equal(redactor.text(`no "${left}" here`), 'no "‹password›" here', left)
    t.equal(redactor.text(`('${password.slice(0, 15)}...')`), "('‹password›...')", 'as PHP shows it')
    t.equal(redactor.text(`${password} is, and q0Z`), '‹password› is, and q0Z')
  }
})

t.test(
  'so it is where what is left has punctuation, in the spellings in which secrets are found',
  async (t) => {
    const password = 'Kq8Zx3Wv9Bn2Lm7,PtR5;yHd4:Gs6{J"f1}Ck0[Q&w]x(z)<é€>T\\u'
    const redactor = new Redactor(withExcerpts(password).map((value) => ({ value, label: 'password' })))
    for (const length of [17, 22, 30, 45, 50]) {
      const left = password.slice(0, length)
      for (const spell of [
        (text: string) => text,
        encodeURIComponent,
        (text: string) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
        (text: string) => text.replace(/[^a-z]/gi, (char) => `&#${char.charCodeAt(0)};`),
        (text: string) =>
          text.replace(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
        (text: string) => Buffer.from(text).toString('hex'),
      ])
        t.equal(redactor.text(`no ${spell(left)} here`), 'no ‹password› here', spell(left))
    }
  },
)

t.test(
  'the rest of two such beginnings is hidden, also where the first one goes on into the second',
  async (t) => {
    const password = '!Kq8$Zx3&Wv9=Bn2+Lm7%Pt#R5y/Hd4?Gs6*Jf1^Ck'
    const redactor = new Redactor(withExcerpts(password).map((value) => ({ value, label: 'password' })))
    const left = password.slice(0, 35)
    t.equal(redactor.text(`/login/${left}/err?d=${left}&tail=1`), '/login/‹password›&tail=1')
  },
)

t.test('what is no part of it stays, and a near miss keeps its name', async (t) => {
  const password = 'Correct-horse-battery-staple'
  const redactor = new Redactor(withExcerpts(password).map((value) => ({ value, label: 'password' })))
  redactor.learn('Correct-horse-battery-stapl', '‹password, cut›')
  const cut = password.slice(0, 20)
  for (const [text, shown] of [
    [`{"password":"${cut}","next":1}`, '{"password":"‹password›","next":1}'],
    [`<b>${cut}</b>`, '<b>‹password›</b>'],
    [`for ${cut}, or “${cut}”`, 'for ‹password›, or “‹password›”'],
    [`${password.slice(0, -1)} ${password}`, '‹password, cut› ‹password›'],
  ] as const)
    t.equal(redactor.text(text), shown)
})
