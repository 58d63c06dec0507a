import { createPrivateKey } from 'node:crypto'
import { join, relative } from 'node:path'
import { rootCertificates } from 'node:tls'
import forge from 'node-forge'
import t, { type Test } from 'tap'
import { selfSigned } from '../../reference/tls/self-signed.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { Redactor } from '../evidence/redact.js'
import { passwordWarnings, plainHttpWarnings } from './check-target.js'
import type { Environment } from './environment.js'
import { resolveTarget, withBaseUrl } from './target.js'
import { loadTargetFile, readTargetText } from './target-file.js'
import type { TargetInput } from './target-input.js'

const [PEM = ''] = rootCertificates

const minimal = { baseUrl: 'http://127.0.0.1:5000', accounts: [{ userName: 'alice', password: 'Secret-1' }] }

/** The error of something that throws one; its message with the folder taken out of it. */
function errorOf(act: () => unknown, folder = ''): { readonly code: string; readonly message: string } {
  try {
    act()
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    const { code, message } = error
    return { code, message: folder === '' ? message : message.replaceAll(`${folder}/`, '') }
  }
  return { code: 'none', message: 'nothing was thrown' }
}

function fileError(t: Test, name: string, text: string, env: Environment = {}): string {
  const folder = t.testdir({ [name]: text })
  return errorOf(() => loadTargetFile(join(folder, name), env), folder).message
}

t.test(
  'of what the environment holds, a value of one or two characters hides no ordinary text',
  async (t) => {
    const input = {
      baseUrl: 'http://127.0.0.1:1',
      accounts: [{ userName: 'a', password: '${PW}' }],
      headers: { 'X-Version': '1' },
      start: { command: ['./x'], env: { FLAKY: '${FLAKY}' } },
    }
    const file = join(t.testdir({ 'target.json': JSON.stringify(input) }), 'target.json')
    const { secrets } = loadTargetFile(file, { PW: 'x1', FLAKY: '0' })
    const redactor = new Redactor(secrets)
    t.equal(redactor.output('0 accounts, 1 free'), '0 accounts, 1 free')
    t.equal(redactor.text('{"count":"0"}'), '{"count":"0"}')
    t.equal(redactor.output('password x1'), 'password ‹password of a›', 'a password is one, however short')
  },
)

t.test('defaults are those of the specification', async (t) => {
  const target = resolveTarget(minimal)
  t.match(target, {
    name: 'http://127.0.0.1:5000',
    deployments: [
      {
        name: 'default',
        baseUrl: 'http://127.0.0.1:5000',
        tokenLifetime: 1209600,
        includesUserId: false,
        additionalGrantTypes: [],
        clockSkew: 60,
        timeoutMs: 10000,
        headers: [],
        runsShare: 1,
      },
    ],
  })
  t.same(target.secrets, [{ value: 'Secret-1', label: 'password of alice' }])
  t.notOk('registration' in target.deployments[0])
  const registration = { request: { path: '/accounts' }, policy: { minimumLength: 8 } }
  t.same(resolveTarget({ ...minimal, registration }).deployments[0].registration, {
    request: { method: 'POST', path: '/accounts' },
    immediate: true,
    loginName: '$userName',
    emailDomain: 'example.com',
    policy: {
      minimumLength: 8,
      requireNonLetterOrDigit: true,
      requireDigit: true,
      requireLowercase: true,
      requireUppercase: true,
      alphanumericUserNamesOnly: false,
      uniqueEmail: true,
    },
  })
})

t.test('a whole file', async (t) => {
  const folder = t.testdir({
    'ca.pem': PEM,
    'token-assay.yaml': `
name: Contoso accounts
baseUrl: http://127.0.0.1:5000/api/
accounts:
  - { userName: alice, password: "\${ALICE_PASSWORD}", userId: 7d1f }
  - { userName: bob, password: "a$\${b" }
headers: { X-Api-Key: "key \${KEY}", Authorization: Basic Zm9v }
tls: { ca: ./ca.pem }
start: { command: [node, server.js], env: { PORT: "5000" } }
registration:
  request: { path: /accounts, json: { userName: $userName, email: $email, password: $password, key: "\${KEY}", price: "$$5" } }
  accepted: [200, 201]
  rejectedWhen: { /succeeded: false }
  cleanUp: { method: DELETE, path: /accounts/$userName }
externalLogin:
  prepare: { request: { url: "http://127.0.0.1:6000/code", json: { user: $userName } }, capture: { code: /code } }
  request: { path: /external-login, json: { provider: acme, code: $code } }
  account: alice
deployments:
  default: {}
  with-user-id: { baseUrl: http://127.0.0.1:5001, includesUserId: true, externalLogin: null }
`,
  })
  const env = { ALICE_PASSWORD: 'Alice$userName', KEY: `\${OTHER}$email` }
  const { name, deployments, secrets } = loadTargetFile(join(folder, 'token-assay.yaml'), env)
  const [first, second] = deployments
  t.equal(name, 'Contoso accounts')
  t.same(
    deployments.map((deployment) => [deployment.name, deployment.baseUrl, deployment.includesUserId]),
    [
      ['default', 'http://127.0.0.1:5000/api', false],
      ['with-user-id', 'http://127.0.0.1:5001', true],
    ],
  )
  t.same(first.accounts[0], {
    userName: 'alice',
    password: 'Alice$userName',
    userId: '7d1f',
    variable: 'ALICE_PASSWORD',
  })
  t.equal(first.accounts[1]?.password, `a\${b`, `$\${ is literal`)
  t.same(first.headers[0], ['X-Api-Key', `key \${OTHER}$email`], 'a substituted value is not scanned again')
  t.match(first.registration?.request.json, { key: `\${OTHER}$$email`, price: '$$5', email: '$email' })
  t.same(first.registration?.rejectedWhen, { '/succeeded': false })
  t.match(first, {
    tls: { ca: PEM, rejectUnauthorized: true, files: { ca: relative('', join(folder, 'ca.pem')) } },
    start: { cwd: folder, readyTimeoutMs: 30000 },
  })
  t.equal(first.externalLogin?.prepare?.request.url, 'http://127.0.0.1:6000/code')
  t.notOk(second && 'externalLogin' in second, 'null takes a key away')
  t.match(first.declared, {
    accounts: [{ userName: 'alice', password: '‹password of alice›' }, { password: '‹password of bob›' }],
    headers: { 'X-Api-Key': 'key ‹KEY from the environment›', Authorization: '‹value of Authorization›' },
    registration: { request: { json: { key: '‹KEY from the environment›' } } },
  })
  for (const { value } of secrets)
    t.notOk(JSON.stringify(deployments.map((one) => one.declared)).includes(value))
  t.same(
    secrets.map(({ label }) => label),
    [
      'password of alice',
      'password of bob',
      'value of Authorization',
      'KEY from the environment',
      'value of X-Api-Key',
    ],
  )
})

t.test(
  'what comes from the environment is shown by its name, and what is declared as it is by its place',
  async (t) => {
    const target = {
      baseUrl: 'http://${HOST}:${PORT}/${TENANT}/',
      accounts: [
        { userName: '${USER}', password: '$PASSWORD' },
        { userName: 'bob', password: 'Bob-and-1' },
      ],
      headers: { 'X-Key': 'literal-key' },
      start: { command: ['node', 'server.js'], env: { DB_PASSWORD: 'literal-db', WHO: '${USER}' } },
      registration: {
        emailDomain: '${HOST}.test',
        request: {
          path: '/a',
          json: { clientSecret: 'literal-secret', password: '$password', plan: 'free' },
          headers: { Accept: 'text/html', 'X-House': 'literal-house', 'X-Who': '$userName' },
        },
      },
      externalLogin: {
        account: 'bob',
        prepare: {
          request: {
            url: 'http://127.0.0.1:6000/code?key=pa$$word&of=$userName',
            form: { user: 'bob', pin: '42' },
          },
          capture: { code: '/code', key: '/key' },
        },
        request: { path: '/b', json: { provider: 'acme', code: '$code', key: '$key' } },
      },
    }
    const folder = t.testdir({ 'target.json': JSON.stringify(target) })
    const env = { HOST: 'db', PORT: '81', TENANT: 't7', USER: 'al' }
    const { deployments, secrets } = loadTargetFile(join(folder, 'target.json'), env)
    const [first] = deployments
    t.equal(first.baseUrl, 'http://db:81/t7')
    const shownUrl =
      'http://‹HOST from the environment›:‹PORT from the environment›/‹TENANT from the environment›'
    t.equal(first.shownBaseUrl, shownUrl)
    t.strictSame(plainHttpWarnings(deployments), [
      `${shownUrl} uses plain http: others on the network can read passwords and tokens`,
    ])
    t.match(passwordWarnings(first.accounts), [
      /^the password of USER from the environment looks like a variable/,
    ])
    t.match(first.declared, {
      start: { env: { DB_PASSWORD: '‹value of DB_PASSWORD›', WHO: '‹USER from the environment›' } },
      registration: {
        request: { json: { clientSecret: '‹value of clientSecret›', password: '$password', plan: 'free' } },
      },
    })
    t.equal(first.registration?.shownEmailDomain, '‹HOST from the environment›.test')
    t.strictSame(first.registration?.request.shown?.headers, {
      Accept: 'text/html',
      'X-House': '‹value of X-House›',
      'X-Who': '$userName',
    })
    t.equal(first.registration?.request.headers?.['X-House'], 'literal-house')
    t.match(first.externalLogin?.prepare?.request.shown, {
      url: 'http://127.0.0.1:6000/code?key=‹value of key›&of=$userName',
      form: { user: 'bob', pin: '‹value of pin›' },
    })
    t.equal(first.externalLogin?.request.shown, undefined)
    t.strictSame(secrets.map(({ value }) => value).sort(), [
      '$PASSWORD',
      '42',
      '81',
      'Bob-and-1',
      'al',
      'db',
      'literal-house',
      'literal-key',
      'literal-secret',
      'pa$word',
      't7',
    ])
  },
)

t.test('of a long password the beginning is a secret too', async (t) => {
  const password = 'Correct-horse-battery-1'
  const { secrets } = resolveTarget({
    baseUrl: 'http://127.0.0.1:1',
    accounts: [{ userName: 'alice', password }],
  })
  const trace = `#0 Login.php(12): login('alice', 'Correct-horse-b...')`
  t.equal(new Redactor(secrets).text(trace), `#0 Login.php(12): login('alice', '‹password of alice›...')`)
  t.equal(new Redactor(secrets).text(password), '‹password of alice›')
  const long = resolveTarget({
    baseUrl: 'http://127.0.0.1:1',
    accounts: [{ userName: 'alice', password: 'Grünkohl-Über7-Straße' }],
  })
  // PHP counts bytes, and may divide a character.
  for (const [begin, rest] of [
    ['Grünkohl-Über', '...'],
    ['Grünkohl-Über', '\ufffd...'],
  ])
    t.equal(new Redactor(long.secrets).text(`('${begin}${rest}')`), `('‹password of alice›${rest}')`)
})

t.test('a file that does not fit gets one message with its place', async (t) => {
  const account = 'accounts: [{ userName: alice, password: x }]'
  const base = 'baseUrl: http://127.0.0.1:1'
  const cases: readonly (readonly [text: string, message: string])[] = [
    [
      `bseUrl: http://x\n${account}`,
      't.yaml:1:1: expected a known key, found "bseUrl"; did you mean "baseUrl"?',
    ],
    [`${base}\n${base}\n${account}`, 't.yaml:2:1: expected each key once, found it a second time'],
    [
      `${base}\naccounts:\n  - userName: alice\n    password: 12345`,
      't.yaml:4:15: expected a string, found a number (put it in quotes)',
    ],
    [base, 't.yaml:1:1: expected at least one account with a password, found none'],
    [`${base}\naccounts: [{ userName: a }]`, 't.yaml:2:12: expected the key "password", found none'],
    ['', 't.yaml:1:1: expected a map of the keys of a target, found nothing'],
    [`${base}\n${account}\nheaders: &a { b: *a }`, 't.yaml:3:18: expected no alias inside its own anchor'],
    [account, 't.yaml:1:1: expected the key "baseUrl", found none'],
    ...['key:Secret-123xyz', 'Secret-123xyz', '"Secret-123xyz"', 'key Secret-123xyz'].map(
      (text) =>
        [
          `${base}\naccounts: [{ userName: alice, password: x, ${text} }]`,
          't.yaml:2:44: expected one of the keys userName, password, userId, found a key without a value: is a space missing after a colon, or are quotes?',
        ] as const,
    ),
    [
      `${base}\naccounts: [{ userName: alice, password: x,Secret: 1 }]`,
      't.yaml:2:43: expected one of the keys userName, password, userId, found another key',
    ],
    [
      `${base}\n${account}\nheaders: { X-Key "Secret": x }`,
      't.yaml:3:12: expected a header name, found another text',
    ],
    [
      `${account}\nbaseUrl: ftp://x`,
      't.yaml:2:10: expected a base URL such as http://127.0.0.1:5000 (http or https)',
    ],
    [
      `${base}\n${account}\ntls: { ca: missing.pem }`,
      't.yaml:3:12: expected a PEM file that can be read, found none',
    ],
    [
      `${base}\n${account}\ndeployments:\n  two: { clockSkew: -1 }`,
      't.yaml:4:21: expected a number of at least 0, found -1',
    ],
    [`${base}\n${account}\nmaxRequestsPerSecond: 0`, 't.yaml:3:23: expected a number above 0, found 0'],
    [`${base}\n${account}\ntls: { cert: a.pem }`, 't.yaml:3:6: expected the key "key", found none'],
    [
      `${base}\n${account}\ndeployments: { Two: {} }`,
      't.yaml:3:16: expected a name of a-z, 0-9 and -, found "Two"',
    ],
    [
      `${base}\n${account}\nregistration: { request: { path: /a/$usrName } }`,
      't.yaml:3:34: expected one of $userName, $email, $password ($$ for a literal $), found "$usrName"; did you mean "userName"?',
    ],
    [
      `${base}\n${account}\nregistration: { request: { path: /a, json: {}, form: {} } }`,
      't.yaml:3:26: expected `json` or `form`, found both',
    ],
    [
      `${base}\n${account}\nexternalLogin: { account: alice, request: { path: /e }, prepare: { request: {}, capture: { c: /c } } }`,
      't.yaml:3:77: expected exactly one of `path` and `url`, found an empty map',
    ],
    [
      `${base}\n${account}\nexternalLogin: { account: bob, request: { path: /e } }`,
      't.yaml:3:27: expected the user name of a declared account, found another name',
    ],
    [
      `${base}\naccounts: [{ userName: a, password: b }, { userName: a, password: c }]`,
      't.yaml:2:54: expected each user name once, found one a second time',
    ],
    [
      `${base}\n${account}\nregistration: { request: { path: /a }, accepted: [200, 409], rejected: [409] }`,
      't.yaml:3:72: expected each status in one list, found 409 in `accepted` too',
    ],
    [
      `${base}\n${account}\nregistration: { request: { path: /a }, rejectedWhen: { succeeded: false } }`,
      't.yaml:3:56: expected a JSON pointer such as /succeeded, found "succeeded"',
    ],
    [
      `${base}\n${account}\nregistration: { request: { path: /a }, rejectedWhen: { /errors: [] } }`,
      't.yaml:3:65: expected a text, a number, true or false, found an empty list',
    ],
    [
      `${base}\n${account}\nheaders: { A~B: "a\\nb" }`,
      't.yaml:3:17: expected a value for A~B in Latin-1, without line breaks and control characters',
    ],
    [
      `${base}\n${account}\nregistration: { request: { path: accounts } }`,
      't.yaml:3:34: expected a path that begins with / and has no white space and no fragment',
    ],
    [
      `${base}\n${account}\nexternalLogin: { account: alice, request: { path: /e }, prepare: { request: { url: /c }, capture: { c: /c } } }`,
      't.yaml:3:84: expected a URL such as http://127.0.0.1:6000/code (http or https, no user name, no fragment)',
    ],
    [
      `${base}\n${account}\nname: "\${NAME} $\{"`,
      [
        't.yaml:3:7: the environment variable NAME is not set',
        `t.yaml:3:7: expected a variable such as \${NAME} ($\${ for a literal \${)`,
      ].join('\n'),
    ],
  ]
  for (const [text, message] of cases) t.equal(fileError(t, 't.yaml', text), message, text)
  t.match(fileError(t, 't.yaml', `name: \${N}`, { N: '' }), 't.yaml:1:7: the environment variable N is empty')
  t.equal(fileError(t, 't.json', "{\n  'a': 1 }"), 't.json:2:3: expected JSON, found another character')
  t.equal(fileError(t, 't.json', '{"a": 1,'), 't.json:1:9: expected JSON, found the end of the file')
  t.match(
    fileError(t, 't.json', '{"a": 1, "a": 2}'),
    't.json:1:10: expected each key once, found it a second time',
  )
  t.same(
    errorOf(() => loadTargetFile('/nowhere/t.yaml', {})),
    {
      code: 'missing-file',
      message: '/nowhere/t.yaml: expected a target file, found no file that can be read',
    },
  )
})

t.test('a password that breaks the file is not quoted', async (t) => {
  const spellings = [
    '*S3cret',
    '!S3cret',
    '@S3cret',
    '%S3cret',
    '"a"S3cret',
    "'a'S3cret",
    '"\\S3cret"',
    '{S3cret',
    '|S3cret',
    '- S3cret: x: y',
    '&S3cret',
  ]
  for (const password of spellings) {
    const message = fileError(
      t,
      't.yaml',
      `baseUrl: http://x\naccounts:\n  - userName: alice\n    password: ${password}\n`,
    )
    t.match(message, /^t\.yaml:[45]:\d+: expected /, password)
    t.notMatch(message, /S3cret/, message)
  }
  const json = fileError(t, 't.json', '{"accounts": [{"password": "S3cret" x}]}')
  t.equal(json, 't.json:1:37: expected JSON, found another character')
})

t.test('a target of a program names the place by its pointer', async (t) => {
  const wrong = { ...minimal, accounts: [{ userName: 'alice', password: 5, pasword: '' }] }
  // As a program without types would hand it over.
  const { message } = errorOf(() => resolveTarget(wrong as unknown as TargetInput))
  t.equal(
    message,
    [
      'target at /accounts/0/pasword: expected a known key, found "pasword"; did you mean "password"?',
      'target at /accounts/0/password: expected a string, found a number (put it in quotes)',
    ].join('\n'),
  )
})

t.test('what JSON would leave out without a word is refused', async (t) => {
  const target = { baseUrl: 'http://127.0.0.1', accounts: [{ userName: 'alice', password: 'a' }] }
  const circular: { self?: object } = {}
  circular.self = circular
  for (const [headers, problem] of [
    [new Map([['X-Key', 'x']]), '`headers` is a Map'],
    [new Headers({ 'X-Key': 'x' }), '`headers` is a Headers'],
    [{ 'X-Key': () => 'x' }, '`X-Key` is a Function'],
    [{ 'X-Key': Symbol('x') }, '`X-Key` is a Symbol'],
    [{ 'X-Key': 1n }, '`X-Key` is a BigInt'],
    [circular, 'Converting circular structure to JSON'],
  ] as const)
    t.throws(() => resolveTarget({ ...target, headers: headers as never }), {
      code: 'bad-target',
      message: `expected a target that is plain JSON data: ${problem}`,
    })
  t.strictSame(resolveTarget({ ...target, headers: Object.create(null) }).deployments[0].headers, [])
})

t.test('a URL with credentials, which would not be sent, is refused without a word of them', async (t) => {
  const target = { baseUrl: 'http://127.0.0.1', accounts: [{ userName: 'alice', password: 'a' }] }
  const externalLogin = (url: string) => ({
    account: 'alice',
    prepare: { request: { method: 'POST', url }, capture: { code: '/code' } },
    request: { method: 'POST', path: '/external', json: { code: '$code' } },
  })
  for (const url of ['http://a.example/x?at=a@b', 'https://a.example:6000', 'http://[::1]/@x'])
    t.ok(resolveTarget({ ...target, externalLogin: externalLogin(url) }), url)
  for (const url of [
    'http://me:Canary-9@a.example/x',
    'http://Canary-9@a.example',
    'http://a.example/#x',
    'a',
  ])
    t.throws(() => resolveTarget({ ...target, externalLogin: externalLogin(url) }), {
      message: /^target at \/externalLogin\/prepare\/request\/url: expected a URL such as (?!.*Canary)/,
    })
})

t.test('base URLs', async (t) => {
  const good = [
    ['http://localhost/', 'http://localhost'],
    ['HTTPS://Example.com/a/b/', 'https://example.com/a/b'],
    ['http://[::1]:80', 'http://[::1]'],
  ] as const
  for (const [text, baseUrl] of good)
    t.equal(resolveTarget({ ...minimal, baseUrl: text }).deployments[0].baseUrl, baseUrl)
  const bad = [
    'localhost:5000',
    'ftp://x',
    'http:x',
    'http://',
    'http://a@b',
    'http://@b',
    'http://b?',
    'http://b#',
    'http://b/ c',
    '/x',
  ]
  for (const baseUrl of bad)
    t.match(
      errorOf(() => resolveTarget({ ...minimal, baseUrl })).message,
      /^target at \/baseUrl: expected a base URL/,
      baseUrl,
    )
})

t.test('another base URL', async (t) => {
  const moved = withBaseUrl(resolveTarget(minimal), 'http://other/')
  t.match(moved, {
    name: 'http://other',
    deployments: [{ baseUrl: 'http://other', declared: { baseUrl: 'http://other' } }],
  })
  t.equal(withBaseUrl(resolveTarget({ ...minimal, name: 'n' }), 'http://other').name, 'n')
  const own = resolveTarget({ ...minimal, deployments: { a: { baseUrl: 'http://a' } } })
  t.match(
    errorOf(() => withBaseUrl(own, 'http://other')),
    { code: 'bad-base-url' },
  )
  t.match(
    errorOf(() => withBaseUrl(resolveTarget(minimal), 'other')),
    { code: 'bad-base-url' },
  )
})

t.test('a certificate and a key that cannot be used are refused where they are read', async (t) => {
  const [own, other] = [await selfSigned('localhost'), await selfSigned('localhost')]
  const weak = forge.pki.rsa.generateKeyPair(512)
  const ofWeak = forge.pki.createCertificate()
  ofWeak.publicKey = weak.publicKey
  ofWeak.sign(weak.privateKey, forge.md.sha256.create())
  const encrypted = createPrivateKey(own.key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'Pass-phrase-1',
  })
  const dir = t.testdir({
    'own.pem': own.cert,
    'own-key.pem': own.key,
    'other-key.pem': other.key,
    'weak.pem': forge.pki.certificateToPem(ofWeak) + forge.pki.privateKeyToPem(weak.privateKey),
    'encrypted.pem': encrypted,
    'both.pem': own.key + own.cert,
    'empty.pem': '',
    'note.txt': 'Secret-note-1',
  })
  const read = (cert: string, key: string) =>
    readTargetText(
      join(dir, 't.yaml'),
      `baseUrl: http://127.0.0.1:1\naccounts: [{ userName: a, password: b }]\ntls:\n  cert: ${cert}\n  key: ${key}\n`,
      {},
    )
  for (const [cert, key] of [
    ['own.pem', 'own-key.pem'],
    ['both.pem', 'both.pem'],
  ] as const)
    t.equal(read(cert, key).deployments[0].tls?.files?.key?.endsWith(key), true)
  const refusals: readonly (readonly [cert: string, key: string, message: string])[] = [
    ['note.txt', 'own-key.pem', '4:9: expected a PEM file with a certificate, found none'],
    ['empty.pem', 'own-key.pem', '4:9: expected a PEM file with a certificate, found none'],
    ['own-key.pem', 'own-key.pem', '4:9: expected a PEM file with a certificate, found none'],
    ['own.pem', 'note.txt', '5:8: expected a PEM file with a private key, found none'],
    ['own.pem', 'empty.pem', '5:8: expected a PEM file with a private key, found none'],
    ['own.pem', 'own.pem', '5:8: expected a PEM file with a private key, found none'],
    ['own.pem', 'encrypted.pem', '5:8: expected a private key without a passphrase, found an encrypted one'],
    [
      'own.pem',
      'other-key.pem',
      '5:8: expected the private key of the certificate in `tls.cert`, found another',
    ],
    [
      'weak.pem',
      'weak.pem',
      '4:9: expected a certificate and a key that TLS can use, found others (ERR_SSL_EE_KEY_TOO_SMALL)',
    ],
  ]
  for (const [cert, key, message] of refusals)
    t.throws(() => read(cert, key), { message: `${join(dir, 't.yaml')}:${message}` }, `${cert} ${key}`)
})
