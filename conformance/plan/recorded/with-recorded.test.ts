import t from 'tap'
import { loadSpecification } from '../../../spec/load/specification.js'
import type { RequestTemplate } from '../../../spec/model/case.js'
import { harOf, type RecordedEntry } from '../../../tests/fixtures/har.js'
import { resolveTarget } from '../../target/target.js'
import type { TargetInput } from '../../target/target-input.js'
import { withRecorded } from './with-recorded.js'

const BASE = loadSpecification()
const URL = 'https://app.example/api/Token'
const FORM = 'application/x-www-form-urlencoded'
const TYPED = { 'Content-Type': FORM }
const WHOLE = { url: URL, text: 'grant_type=password&username=real&password=Real-secret-1' }

function record(entries: readonly RecordedEntry[], target: Partial<TargetInput> = {}) {
  const accounts = [{ userName: 'alice', password: 'Correct-horse-1' }]
  const { deployments } = resolveTarget({ baseUrl: 'http://127.0.0.1/api', accounts, ...target })
  const found = withRecorded(BASE, 'x.har', harOf(entries), deployments)
  const cases = found.specification.cases.slice(BASE.cases.length)
  const observations = found.specification.observations.slice(BASE.observations.length)
  return { ...found, cases, observations }
}

/** The one request, as it is sent. */
function sent(entry: RecordedEntry, target: Partial<TargetInput> = {}): RequestTemplate | undefined {
  const { cases, observations } = record([entry], target)
  return (cases[0] ?? observations[0])?.steps.at(-1)?.send
}

const USUAL = [
  ['grant_type', 'password'],
  ['username', '$account.userName'],
  ['password', '$account.password'],
]

t.test('an account of the target takes the place of the user, in every spelling', async (t) => {
  const usual = { form: USUAL }
  const bodies: readonly (readonly [text: string, template: object])[] = [
    ['grant_type=password&username=real%40example.com&password=Real-secret-1', usual],
    ['grant_type=password&username=real&password=R%20s', { ...usual, spelling: 'percent-20' }],
    ['grant_type=password&username=real&password=R+s%20t', usual],
    ['grant_type=password&username=r%c3%a9al&password=Real', { ...usual, spelling: 'lower-hex' }],
    ['&grant_type=password&&username=r&password=Real', usual],
    ['grant_type=password&username=r&password=%E9-not-UTF-8', usual],
    ['grant_type=password&username=r&password=‹password of bob›', usual],
    [
      'grant%5Ftype=p%61ssword&username=real&password=Real&scope=a%20b$',
      {
        spelling: 'as-written percent-20',
        form: [
          ['grant%5Ftype', 'p%61ssword'],
          ['username', '$account.userName'],
          ['password', '$account.password'],
          ['scope', 'a%20b$$'],
        ],
      },
    ],
    [
      'grant_type=password&username=&password=',
      { contentType: FORM, body: 'grant_type=password&username=&password=' },
    ],
    ['grant_type=%zz&x=$', { contentType: FORM, body: 'grant_type=%zz&x=$$' }],
    ['', { contentType: FORM, body: '' }],
    [
      'grant_type=password&UserName=real&Password=Real-1&confirm=Real-1&email=real',
      {
        form: [
          ['grant_type', 'password'],
          ['UserName', '$account.userName'],
          ['Password', '$account.password'],
          ['confirm', '$account.password'],
          ['email', '$account.userName'],
        ],
      },
    ],
  ]
  for (const [text, template] of bodies) t.strictSame(sent({ url: URL, text }), template, text)
  const params = [
    ['grant_type', 'password'],
    ['username', 'a b'],
    ['password', 'R+s'],
  ] as const
  for (const text of ['', null]) t.strictSame(sent({ url: URL, params, text }), usual, 'pairs without a text')
})

t.test('method, path and query are kept; a secret in a query is replaced', async (t) => {
  const text = 'grant_type=password&username=real&password=Real-1'
  t.match(sent({ url: 'https://app.example/api/token/?x=%41', text }), { path: '/token/?x=%41' })
  t.match(sent({ url: 'http://other.example:99/api//To%6Ben', text }), { path: '//To%6Ben' })
  const query = sent({ method: 'GET', url: `${URL}?${text}`, headers: {} })
  t.strictSame(query, {
    method: 'GET',
    query: [
      ['grant_type', 'password'],
      ['username', '$account.userName'],
      ['password', '$account.password'],
    ],
    contentType: null,
  })
  t.equal(
    sent({ url: 'https://app.example/api/oauth', text }, { tokenRequest: { path: '/oauth' } })?.path,
    undefined,
  )
})

t.test('a session, a signature or the like in a form or a query is not sent', async (t) => {
  const grant = 'grant_type=password&username=real&password=Real-1'
  const names = ['sid', 'sig', 'session_id', 'PHPSESSION', 'x_auth', 'signature', 'csrf', 'credentials']
  for (const name of names) {
    for (const recorded of [
      { url: URL, text: `${grant}&${name}=Secret-1` },
      { url: `${URL}?${name}=Secret-1`, text: grant },
    ])
      t.throws(() => record([recorded]), /nothing can take the place of/, name)
  }
  for (const name of ['pw', 'psw', 'pswd'])
    t.notMatch(JSON.stringify(sent({ url: URL, text: `${grant}&${name}=Other-1` })), 'Other-1', name)
})

t.test('a value of a name that no list has is made up, in the form that it had', async (t) => {
  const made = {
    kennwort: ['Geheim-Österreich-9', 'Xxxxxx-Xxxxxxxxxx-1'],
    ticket: ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '1a1111a1-1a11-11a1-1a1a-1111a11a1111'],
    note: ['x-Real-secret-1-x', 'x-Xxxx-xxxxxx-1-x'],
    k: ['1234', '1111'],
    back: ['https://app.example/cb', 'https://xxx.xxxxxxx/xx'],
    scope: ['a;kennwort=Geheim-9', 'x;xxxxxxxx=Xxxxxx-1'],
    audience: ['of:real', 'xx:xxxx'],
  }
  const asRecorded = {
    remember: 'true',
    locale: 'de-AT',
    'x-tenant_id': 'acme',
    n: '128',
    v: '10.4.2',
    day: '2026-01-31',
    at: '2026-01-31T10:00:00.5+01:00',
  }
  const pairs = [
    ...Object.entries(made).map(([name, [value]]) => [name, value]),
    ...Object.entries(asRecorded),
  ]
  const own = pairs.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')
  const form = [
    ['grant_type', 'password'],
    ['username', '$account.userName'],
    ['password', '$account.password'],
  ]
  const text = `grant_type=password&username=real&password=Real-secret-1&${own}`
  const expected = [
    ...Object.entries(made).map(([name, [, value]]) => [name, value]),
    ...Object.entries(asRecorded),
  ]
  t.strictSame(sent({ url: URL, text })?.form, [...form, ...expected])
  t.strictSame(record([{ url: URL, text }]).changed, [
    '`kennwort`',
    '`ticket`',
    '`note`',
    '`k`',
    '`back`',
    '`scope`',
    '`audience`',
  ])
  t.match(
    record([{ url: URL, text }]).cases[0]?.title,
    /\(entry 1; made up: `kennwort`, `ticket`, `note`, `k`, `back`, …\)$/,
  )
  const expectations = record([{ url: URL, text }]).cases[0]?.steps.at(-1)?.expect ?? []
  t.ok(
    expectations.every(({ hint }) =>
      /if the service checks what is made up here \(`kennwort`/.test(hint ?? ''),
    ),
  )
  const json = {
    grant_type: 'password',
    username: 'real',
    password: 'Real-secret-1',
    k: 1234,
    n: 128,
    v: 1.5,
    far: -12.25,
    t: 'Hi-2',
  }
  const { json: ours } =
    sent({ url: URL, text: JSON.stringify(json), headers: { 'Content-Type': 'application/json' } }) ?? {}
  t.strictSame(ours, {
    grant_type: 'password',
    username: '$account.userName',
    password: '$account.password',
    ...{ k: 1111, n: 128, v: 1.5, far: -11.11, t: 'Xx-1' },
  })
})

t.test('headers are kept, but for those of a connection, of one request, and secret ones', async (t) => {
  const headers = {
    ':authority': 'app.example',
    Host: 'app.example',
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'Content-Length': '49',
    'Content-Encoding': 'gzip',
    Connection: 'keep-alive',
    Cookie: 'session=Cookie-1',
    Authorization: 'Basic UmVhbDox',
    'X-Api-Key': 'Key-1',
    Authentication: 'Key-2',
    DPoP: 'Proof-1',
    'X-Shown': '‹redacted›',
    'X-User': 'real',
    'X-Declared': 'recorded',
    traceparent: '00-1-2-01',
    'X-Request-Id': '7',
    'user-agent': 'App/1 $x',
    Referer: 'https://ann:Pass-1@app.example/reset/Link-1;jsessionid=S1?ticket=1',
    'Accept-Encoding': 'gzip, br;q=0.5, zstd',
    'X-App-Version': '7.0.1',
    'If-None-Match': '"gh7i"',
    'X-Device': 'abc45def-67aa',
    'Bad name': 'x',
    'X-Bad': 'a\nb',
  }
  const text = 'grant_type=password&username=real&password=Real-1'
  const target = { headers: { 'X-Declared': 'ours' } }
  t.strictSame(sent({ url: URL, text, headers }, target)?.headers, {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'user-agent': 'App/1 $$x',
    Referer: 'https://app.example/',
    'Accept-Encoding': 'gzip, br;q=0.5',
    'X-User': 'xxxx',
    'X-App-Version': '7.0.1',
    'If-None-Match': '"xx1x"',
    'X-Device': 'aaa11aaa-11aa',
  })
  const { dropped, changed } = record([{ url: URL, text, headers }], target)
  t.strictSame(dropped, [
    '`Authorization`',
    '`X-Api-Key`',
    '`Authentication`',
    '`DPoP`',
    '`X-Shown`',
    '`Bad?name`',
    '`X-Bad`',
  ])
  t.strictSame(changed, ['`X-User`', '`If-None-Match`', '`X-Device`'])
})

t.test('other bodies', async (t) => {
  const json = '{"grant_type": "password", "username": "real", "password": 123456, "deep": [{"x": "real"}]}'
  t.strictSame(sent({ url: URL, text: json, headers: { 'Content-Type': 'application/json' } }), {
    contentType: 'application/json',
    json: {
      grant_type: 'password',
      username: '$account.userName',
      password: '$account.password',
      deep: [{ x: '$account.userName' }],
    },
  })
  const part = (name: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = 'Content-Disposition: form-data; name="f"; filename="Anns-1.txt"'
  t.equal(
    sent({
      url: URL,
      text: `--b\r\n${file}\r\n\r\n\r\n--b--`,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    })?.body,
    `--b\r\n${file.replace('Anns-1.txt', 'Xxxx-1.xxx')}\r\n\r\n\r\n--b--`,
  )
  const parts = `${part('grant_type', 'password')}${part('username', 'real')}${part('password', 'Real-$1')}--b--\r\n`
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  t.equal(
    sent({ url: URL, text: parts, headers })?.body,
    parts.replace('real', '$account.userName').replace('Real-$1', () => '$account.password'),
  )
})

t.test('a body that cannot be taken apart, or is not recorded, is not sent', async (t) => {
  const bodies = [
    '"Geheim-1"',
    '{"kennwort":"Geheim-1",}',
    '\ufeff{"kennwort":"Geheim-1"}',
    '{"nutzer":"a"}\n{"kennwort":"Geheim-1"}',
    'nutzer: ann\nkennwort: Geheim-1',
    'ann:Geheim-1',
    'mutation{login(u:"a",k:"Geheim-1"){t}}',
    '--b\r\nContent-Type: text/plain\r\n\r\nGeheim-1\r\n--b--',
  ]
  for (const text of bodies) {
    const { leftOut } = record([WHOLE, { url: URL, text, headers: { 'Content-Type': 'application/json' } }])
    t.strictSame([...leftOut], [['its body is neither a form, JSON nor parts', [2]]], text)
  }
  const unrecorded = { url: URL, text: '', headers: { 'Content-Type': FORM, 'Content-Length': '72' } }
  t.strictSame([...record([WHOLE, unrecorded]).leftOut], [['its body is not recorded', [2]]])
  const chunked = { url: URL, headers: { 'Content-Type': FORM, 'Transfer-Encoding': 'chunked' } }
  t.strictSame([...record([WHOLE, chunked]).leftOut], [['its body is not recorded', [2]]])
  const empty = { url: URL, text: '', headers: { 'Content-Type': FORM, 'Content-Length': '0' } }
  t.strictSame([...record([WHOLE, empty]).leftOut], [])
})

t.test('a form of which the recorder kept the beginning alone is not sent', async (t) => {
  const headers = { 'Content-Type': FORM, 'Content-Length': '61' }
  const cut = [
    'grant_type=pass',
    'grant_type=password&scope=a',
    'grant_type=password&username=real&password=Real-1',
    'grant_type=password&username=real&password=',
  ]
  for (const text of cut)
    t.strictSame(
      [...record([WHOLE, { url: URL, text, headers }]).leftOut],
      [['less of its body is recorded than was sent', [2]]],
      text,
    )
  const pairs: readonly (readonly [string, string])[] = [
    ['grant_type', 'password'],
    ['username', 'r-1'],
    ['password', 'Real secret'],
  ]
  const cutOf = (params: typeof pairs, length: string) =>
    record([WHOLE, { url: URL, params, headers: { ...headers, 'Content-Length': length } }]).leftOut.size
  // Of 53 octets, as most write them, and of 59 with each sign escaped.
  t.strictSame([cutOf(pairs, '53'), cutOf(pairs, '59'), cutOf(pairs, '60')], [0, 0, 1])
  t.equal(cutOf(pairs.slice(0, 1), '56'), 1)
  const hidden = [
    'grant_type=password&username=r&password=***',
    'grant_type=password&username=r&password=%5BFiltered%5D',
    'grant_type=password&username=r&password=‹password›',
    'grant_type=refresh_token&refresh_token=***',
  ]
  for (const text of [...hidden, `grant_type=password&scope=${'a'.repeat(60)}`])
    t.strictSame([...record([WHOLE, { url: URL, text, headers }]).leftOut], [], text)
})

t.test('of a form, the media type may be recorded beside the body alone', (t) => {
  t.strictSame(sent({ ...WHOLE, headers: {}, mimeType: FORM }), sent(WHOLE))
  t.strictSame(sent({ ...WHOLE, headers: {}, mimeType: 'application/octet-stream' })?.contentType, null)
  t.end()
})

t.test('a parameter without a value is one whose value was taken out', (t) => {
  const params: readonly (readonly [string, string?])[] = [['grant_type'], ['username', 'real'], ['password']]
  const grant = [['grant_type', 'password'], ...params.slice(1), ['scope']] as typeof params
  t.strictSame(sent({ url: URL, params: grant })?.form, USUAL)
  t.strictSame([...record([WHOLE, { url: URL, params }]).leftOut], [['its grant type is not recorded', [2]]])
  t.end()
})

t.test('what was written in the place of secrets is neither a password nor a value', async (t) => {
  const bare = ['***', 'xxxxxxxx', '••••', '****1234', '{{secret}}']
  const named = [
    '[REDACTED]',
    '[Filtered]',
    '<password removed>',
    '[client_id redacted]',
    '<REDACTED:client_id>',
    'VALUE_REMOVED',
  ]
  for (const marker of [...bare, ...named]) {
    const hidden = encodeURIComponent(marker)
    const text = `username=${hidden}&password=${hidden}&scope=${hidden}&client_id=${hidden}`
    t.strictSame(sent({ url: URL, text: `grant_type=password&${text}` })?.form, USUAL, marker)
    const { leftOut, dropped } = record([WHOLE, { url: URL, text: `grant_type=${hidden}&${text}` }])
    t.strictSame([[...leftOut], dropped], [[['its grant type is not recorded', [2]]], []], marker)
  }
  const { dropped } = record([{ url: URL, text: `${WHOLE.text}&scope=***` }])
  t.strictSame(dropped, ['`scope`'])
  for (const word of [
    'hide-and-seek',
    'Max',
    'filterhouse-7',
    'xx',
    '--',
    'view_hidden',
    'keep_it_hidden',
    'app-redacted',
  ])
    t.match(
      sent({ url: URL, text: `${WHOLE.text}&scope=${word}` })?.form,
      [[], [], [], ['scope', word]],
      word,
    )
  const repeated = 'grant_type=password&username=password&password=Real-secret-1'
  t.strictSame(
    [...record([WHOLE, { url: URL, text: repeated }]).leftOut],
    [['its grant type repeats the user name', [2]]],
  )
})

t.test('a body in base64 is read; of what is none, or no UTF-8, nothing is judged', async (t) => {
  const encoded = (text: string) => [WHOLE, { url: URL, text, encoding: 'base64' }]
  const form = 'grant_type=password&username=real&password=Real-secret-1?'
  const inBase64 = Buffer.from(form).toString('base64')
  for (const text of [inBase64, inBase64.replace(/=+$/, ''), inBase64.replace(/.{20}/g, '$&\r\n')])
    t.strictSame(record(encoded(text)).leftOut.size, 0, text)
  const latin1 = Buffer.from('username=\u00e9', 'latin1').toString('base64')
  t.strictSame([...record(encoded(latin1)).leftOut], [['its body is not text in UTF-8', [2]]])
  for (const text of ['!!!!', 'a', 'abc=d', `${inBase64}=`])
    t.strictSame([...record(encoded(text)).leftOut], [['its body is not in base64, as it claims', [2]]], text)
})

t.test('a request is judged as the case of the suite that it is an instance of', async (t) => {
  const form = (text: string, headers: Readonly<Record<string, string>> = TYPED): RecordedEntry => ({
    url: URL,
    text,
    headers,
  })
  const right = 'grant_type=password&username=real&password=Real-1'
  const kinds: readonly (readonly [entry: RecordedEntry, rules: readonly string[]])[] = [
    [form(right), ['4.1-R3', '4.1-path', '4.1-success', '1-exchange', '2.1-token_type']],
    [form(`${right}&scope=read`), ['4.1-R3', '2.1-userName']],
    [form(right, { 'content-type': FORM }), ['4.1-R3']],
    [
      form(right, { 'Content-Type': `${FORM};charset=utf-8` }),
      ['4.1-content-type-spelling', '2.1-token_type'],
    ],
    [form(right, { 'Content-Type': 'application/json' }), ['4.1-content-type', '7-token-error-body']],
    [form(right, {}), ['4.1-content-type', '7-token-error-status']],
    [form('grant_type=refresh_token&refresh_token=Token-1'), ['4.1-grant_type', '7-token-error-status']],
    [form('username=real&password=Real-1'), ['4.1-R2']],
    [form('grant_type=password&password=Real-1'), ['4.1-username']],
    [form('grant_type=password&username=real&password='), ['4.1-password']],
    [form(''), ['4.1-R2']],
    [form('grant_type=own'), ['4.1-grant_type']],
    [{ ...form(right), method: 'PUT' }, ['4.1-method']],
  ]
  const { cases, observations } = record(kinds.map(([entry]) => entry))
  t.equal(cases.length, kinds.length)
  t.strictSame(observations, [])
  for (const [index, [, rules]] of kinds.entries()) {
    const { id, control, steps } = cases[index] ?? { steps: [] }
    t.strictSame([id, control], [`har:request/${index + 1}`, '4.1/password-grant'])
    const judged = steps.at(-1)?.expect?.map(({ rule }) => rule) ?? []
    t.strictSame(
      rules.filter((rule) => !judged.includes(rule)),
      [],
      id ?? '',
    )
  }
  const ofCharset = cases[3]?.steps.at(-1)?.expect?.filter(({ rule }) => rule !== '4.1-content-type-spelling')
  t.strictSame(
    new Set(ofCharset?.map(({ given }) => given)),
    new Set(['success']),
    'a refusal is a "should" alone',
  )
  t.match(cases[7]?.steps[0]?.send, { contentType: 'application/json', body: '' }, 'R2 compares with R1')
})

t.test('what the specification leaves open is observed', async (t) => {
  const open: readonly RecordedEntry[] = [
    { method: 'OPTIONS', url: URL, headers: {} },
    { url: 'https://app.example/api/token', text: 'grant_type=password&username=r&password=Real-1' },
    { url: URL, text: 'Grant_Type=password&UserName=real&Password=Real-1' },
    { url: URL, text: 'grant_type=password&username=r&username=s&password=Real-1' },
  ]
  const { cases, observations } = record(open)
  t.strictSame(cases, [])
  t.strictSame(
    observations.map(({ id, shows, failedLogin }) => [id, shows, failedLogin]),
    [
      ['har:request/1', 'answer', undefined],
      ['har:request/2', 'grant', undefined],
      ['har:request/3', 'grant', true],
      ['har:request/4', 'grant', undefined],
    ],
  )
  const own = { url: URL, text: 'grant_type=own&ticket=1' }
  t.equal(record([own], { additionalGrantTypes: ['own'] }).observations.length, 1, 'a declared grant type')
  t.equal(record([own]).cases.length, 1)
})

t.test('equal requests are one, and what cannot be replaced is left out', async (t) => {
  const text = (user: string, more = ''): string =>
    `grant_type=password&username=${user}&password=${user}-Secret${more}`
  const found = record([
    { url: URL, text: text('ann') },
    { url: 'https://app.example/page', method: 'GET' },
    { url: URL, text: text('bob') },
    { url: URL, text: text('carl', '&client_secret=Client-1') },
    { url: URL, text: text('dora', '&%zz=1') },
    { url: URL, text: text('ed', '&Session-1-of-ed') },
    { url: URL, text: text('fay', '&device=‹redacted›') },
    { url: `https://app.example/api/Token;jsessionid=Session-1`, text: text('gus') },
    { url: `${URL}?lang=${'x'.repeat(8000)}`, text: text('hal') },
  ])
  t.match(found, { requests: 3, distinct: 1, dropped: ['`device`'], changed: [] })
  t.strictSame(
    [...found.leftOut],
    [
      ['nothing can take the place of `client_secret`: declare it in `tokenRequest`', [4]],
      ['the name of a parameter cannot be decoded', [5]],
      ['the name of a parameter may be a secret', [6]],
      ['its path cannot be sent', [8]],
      ['its path and query are longer than a service must read', [9]],
    ],
  )
  t.equal(
    found.cases[0]?.title,
    'a form with grant_type password and right credentials is granted, as recorded (entry 1, 3 times)',
  )
  t.strictSame(
    found.secrets.map(({ value }) => value),
    ['ann-Secret', 'bob-Secret', 'fay-Secret'],
    'a name of three letters is in other texts by chance',
  )
  const declared = record([{ url: URL, text: text('ann', '&client_id=web&client_secret=C') }], {
    tokenRequest: { form: { client_id: 'own', client_secret: 'Own' } },
  })
  t.match(
    declared.cases[0]?.steps[0]?.send?.form,
    [['grant_type'], ['username'], ['password']],
    'the target adds its own',
  )
})

t.test(
  'a file that is none, or has nothing to send, is refused in a sentence that repeats none of it',
  async (t) => {
    const { deployments } = resolveTarget({
      baseUrl: 'http://127.0.0.1/api',
      accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
    })
    const entry = (request: unknown): string => JSON.stringify({ log: { entries: [{ request }] } })
    const files: readonly (readonly [text: string, message: RegExp])[] = [
      ['{"log": Secret-1', /^x\.har: expected a HAR file, found text that is not JSON$/],
      ['{"log":{"entries":{}}}', /expected a HAR file, an object with `log.entries`/],
      ['[]', /expected a HAR file, an object/],
      ['null', /expected a HAR file, an object/],
      ['{"log":{"entries":[1]}}', /entry 1: expected `request`, an object/],
      [entry({ url: 'Secret-1' }), /entry 1: expected `request.url`, an absolute URL/],
      [entry({ url: URL, method: 'Secret 1' }), /entry 1: expected `request.method`/],
      [entry({ url: URL, method: 'POST', headers: { a: 1 } }), /entry 1: expected `request.headers`/],
      [entry({ url: URL, method: 'POST', postData: 'Secret-1' }), /entry 1: expected `request.postData`/],
      ...[['password=Secret-1'], [null], [{ value: 'Secret-1' }], [{ name: 'a', value: 1 }], { a: 1 }].map(
        (params) =>
          [
            entry({ url: URL, method: 'POST', postData: { params } }),
            /entry 1: expected `request.postData.params`/,
          ] as const,
      ),
      [
        entry({ url: URL, method: 'POST', postData: { text: 'x'.repeat(70_000) } }),
        /at most 65536 characters/,
      ],
      [JSON.stringify({ log: { entries: new Array(50_001).fill(0) } }), /at most 50000 entries, found 50001/],
      [
        harOf([{ url: 'https://app.example/connect/token?Secret-1', text: '' }]),
        /expected a request to \/api\/Token, found none among 1; the nearest is to \/connect\/token: is/,
      ],
      [
        harOf([{ url: 'https://app.example/token/Secret-1', text: '' }]),
        /expected a request to \/api\/Token, found none among 1; the nearest is to \/token: is/,
      ],
      [
        harOf([{ url: URL, text: 'grant_type=password&username=a&password=Secret-1&otp=1' }]),
        /no token request can be sent: entry 1: nothing can take the place of `otp`/,
      ],
      [
        harOf(Array.from({ length: 201 }, (_, n) => ({ url: URL, text: `n=${n}` }))),
        /at most 200 distinct token requests, found 201/,
      ],
      [
        harOf([{ url: URL, text: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }]),
        /entry 1: its JSON is nested too deeply/,
      ],
    ]
    for (const [text, message] of files) {
      t.throws(() => withRecorded(BASE, 'x.har', text, deployments), { message }, String(message))
      t.throws(() => withRecorded(BASE, 'x.har', text, deployments), { message: /^(?!.*Secret)/ })
    }
  },
)

t.test('no spelling of a recorded password is sent', async (t) => {
  const text = 'grant_type=password&username=real&password=Real-secret-1'
  for (const value of [
    'REAL-SECRET-1',
    'x Real%2dsecret%2D1',
    Buffer.from('Real-secret-1').toString('hex'),
  ]) {
    const { dropped, changed } = record([
      { url: URL, text, headers: { ...TYPED, 'X-Told': value, 'User-Agent': value } },
    ])
    t.strictSame([changed, dropped], [['`X-Told`'], ['`User-Agent`']])
  }
  const form = { 'Content-Type': 'multipart/form-data; boundary=b' }
  t.match(sent({ url: URL, text, headers: form })?.form, [[], [], ['password', '$account.password']])
  const refused: Readonly<Record<string, RegExp>> = {
    'grant_type=password;username=real;password=Real-secret-1': /`grant_type` has a password in it$/,
    [Buffer.from(text).toString('base64')]: /the name of a parameter may be a secret$/,
    [`${text}&Real-secret-1`]: /the name of a parameter repeats a password$/,
    '{"grant_type":"password","username":"real","password":"Real-secret-1"':
      /neither a form, JSON nor parts$/,
    "{'password':'Real-secret-1'}": /neither a form, JSON nor parts$/,
    'username: real\npassword: Real-secret-1': /neither a form, JSON nor parts$/,
    '<input name=password value="Real-secret-1">': /neither a form, JSON nor parts$/,
    '\x01\x02Real-secret-1\0': /neither a form, JSON nor parts$/,
    [encodeURIComponent(text)]: /neither a form, JSON nor parts$/,
    [`${encodeURIComponent('{"kennwort":"Geheim-1"}')}=`]: /neither a form, JSON nor parts$/,
    'grant_type=password&username=real&password=Geheim&-of-Ann!7': /neither a form, JSON nor parts$/,
    'grant_type=password&username=real&password=Geheim&ofAnn': /the name of a parameter may be a secret$/,
    '[["password","Real-secret-1"]]': /is the name of a password/,
    '[{"name":"password","value":"Real-secret-1"}]': /is the name of a password/,
    [`${text}&g-recaptcha-response=once`]: /nothing can take the place of `g-recaptcha-response`/,
  }
  for (const [body, message] of Object.entries(refused))
    t.throws(() => record([{ url: URL, text: body }]), { message })
  for (const query of ['%7B%22kennwort%22%3A%22Geheim-1%22%7D', 'x=Geheim&ofAnn'])
    t.throws(() => record([{ url: `${URL}?${query}`, text }]), { message: /a parameter may be a secret$/ })
  const wide = 'grant_type=password&username=real&\uff50assword=Real-secret-1'
  t.match(sent({ url: URL, text: wide })?.form, [[], [], [/^/, '$account.password']], 'in fullwidth letters')
})
