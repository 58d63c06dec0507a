import t from 'tap'
import { type ReferenceServer, startReferenceServer } from '../server.js'

const form = 'application/x-www-form-urlencoded'
const password = 'Canary-7-in-a-mine'
const accounts = [{ userName: 'Ann', password, email: 'ann@example.com' }]
const server = await startReferenceServer({ accounts, hashing: 'fast', basePath: '/auth' })
t.teardown(() => server.close())

interface TestRequest {
  readonly method?: string
  readonly path?: string
  readonly type?: string | null
  readonly body?: string
  readonly authorization?: string
  readonly encoding?: string
}

const grant = (changes: Record<string, string> = {}): string =>
  new URLSearchParams({ grant_type: 'password', username: 'Ann', password, ...changes }).toString()

/** The reason in the journal, which must be the log's and the event's too. */
async function reasonOf(
  server: ReferenceServer,
  {
    method = 'POST',
    path = '/auth/Token',
    type = form,
    body = grant(),
    authorization,
    encoding,
  }: TestRequest,
): Promise<string | undefined> {
  let reported: string | undefined
  server.once('refused', ({ reason }) => {
    reported = reason
  })
  const { origin } = new URL(server.url)
  const response = await fetch(origin + path, {
    method,
    headers: {
      ...(type !== null && { 'content-type': type }),
      ...(authorization !== undefined && { authorization }),
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    // Bytes, since fetch gives a text a media type of its own.
    ...(method === 'GET' ? {} : { body: Buffer.from(body) }),
  })
  await response.text()
  const reason = server.journal.entries().at(-1)?.reason
  t.equal(reported, reason)
  return reason
}

const must = 'it must be exactly "password"'
const name = (wanted: string): string => `it must be exactly "${wanted}"`
const cases: readonly (readonly [TestRequest, string])[] = [
  // The media type
  [{ type: null }, `there is no Content-Type: it must be ${form}`],
  [{ type: 'application/json' }, `the Content-Type is application/json: it must be ${form}`],
  [{ type: 'application/x-www-form-urlencode' }, `the Content-Type is misspelt: it must be ${form}`],
  [{ type: 'text/html' }, `the Content-Type is another one: it must be ${form}`],
  [{ type: 'x' }, `the Content-Type cannot be read: it must be ${form}`],
  [{ type: `${form}, ${form}` }, `there is more than one Content-Type: it must be ${form}`],
  [
    { type: `${form};charset=latin1` },
    'the charset of the Content-Type is latin1: it must be UTF-8, or absent',
  ],
  [{ type: `${form};charset=utf8` }, 'the charset of the Content-Type is utf8: it must be UTF-8, or absent'],
  [
    { type: `${form};charset=klingon` },
    'the charset of the Content-Type is another one: it must be UTF-8, or absent',
  ],
  [
    { type: `${form};charset=" utf-8"` },
    'the charset of the Content-Type begins with a space: it must be UTF-8, or absent',
  ],
  // The grant type
  [{ body: grant({ grant_type: 'password ' }) }, `the grant_type ends with a space: ${must}`],
  [
    { body: grant({ grant_type: '\tpassword\n' }) },
    `the grant_type begins and ends with a line break: ${must}`,
  ],
  [{ body: grant({ grant_type: 'Password' }) }, `the grant_type differs in case: ${must}`],
  [{ body: grant({ grant_type: '"password"' }) }, `the grant_type is in quotes: ${must}`],
  [
    { body: grant({ grant_type: 'pass word' }) },
    `the grant_type holds white space or an invisible character: ${must}`,
  ],
  [
    { body: grant({ grant_type: '\uFEFFpassword' }) },
    `the grant_type begins with a byte order mark: ${must}`,
  ],
  [
    { body: grant({ grant_type: 'ｐassword' }) },
    `the grant_type is written in other characters that look alike: ${must}`,
  ],
  [{ body: grant({ grant_type: 'p%61ssword' }) }, `the grant_type is escaped twice: ${must}`],
  [{ body: grant({ grant_type: '' }) }, `the grant_type is empty: ${must}`],
  [{ body: grant({ grant_type: 'refresh_token' }) }, `the grant_type is refresh_token: ${must}`],
  [{ body: grant({ grant_type: password }) }, 'the grant_type is not exactly "password"'],
  [{ body: '' }, 'the body is empty: it must be a form with grant_type=password'],
  [{ path: `/auth/Token?${grant()}`, body: '' }, 'the grant_type is in the query: it belongs in the body'],
  [
    { body: JSON.stringify({ grant_type: 'password', username: 'Ann', password }) },
    'the body is JSON: it must be a form, as its Content-Type says',
  ],
  [
    { body: grant().replace('grant_type', 'Grant_Type') },
    `the form holds no grant_type, but a parameter whose name differs in case: ${name('grant_type')}`,
  ],
  [
    { body: grant().replace('grant_type', 'grantType') },
    `the form holds no grant_type, but granttype: the name must be exactly "grant_type"`,
  ],
  [
    { body: encodeURIComponent(grant()) },
    'the body is escaped as a whole: names and values are, but not the = and & between them',
  ],
  [
    { body: grant().replaceAll('&', ';') },
    'the grant_type goes on after "password": pairs are separated by & alone',
  ],
  [{ body: grant().replaceAll('&', '&amp;') }, 'the form separates its pairs by &amp;: it must be & alone'],
  [
    { body: 'x', encoding: 'gzip' },
    'the body has a Content-Encoding, which is not undone: it must be sent plain',
  ],
  // The credentials
  [
    { body: grant().replace('username', 'userName') },
    `the form holds no username, but a parameter whose name differs in case: ${name('username')}`,
  ],
  [
    { body: grant().replace('username', 'user_name') },
    'the form holds no username, but user_name: the name must be exactly "username"',
  ],
  [
    { body: grant().replace('&password=', '&pwd=') },
    'the form holds no password, but pwd: the name must be exactly "password"',
  ],
  [{ body: `${grant()}&password=x&username=y` }, 'username and password occur more than once'],
  [{ body: `${grant()}&username=Ann` }, 'username occurs more than once'],
  [{ body: `${grant()}%` }, 'the form holds a bad % escape: a % itself must be written %25'],
  [{ body: `${grant()}%FF` }, 'the form holds bytes that are not UTF-8: it may be in ISO-8859-1'],
  [{ body: `${grant()}${'&a'.repeat(1000)}` }, 'the form holds more than 1000 pairs'],
  [
    { body: 'grant_type=password', authorization: 'Basic QW5uOkNhbmFyeS03LWluLWEtbWluZQ==' },
    'the form holds no username: it is read from there alone, not from the header Authorization',
  ],
  [{ body: grant({ username: 'ann' }) }, 'no account has this user name: it differs from one in case'],
  [{ body: grant({ username: 'Ann ' }) }, 'no account has this user name, which ends with a space'],
  [{ body: grant({ username: '' }) }, 'the username is empty'],
  [
    { body: grant({ username: 'ann@example.com' }) },
    'no account has this user name: it is the e-mail address of one',
  ],
  [{ body: grant({ username: 'carl' }) }, 'no account has this user name'],
  [
    { body: grant({ username: 'CORP\\Ann' }) },
    'no account has this user name: it is one with a domain before it',
  ],
  [
    { body: grant({ username: password, password: 'Ann' }) },
    'no account has this user name, but the password is one: they may be swapped',
  ],
  [
    { body: grant({ password: `${password}\n` }) },
    'the password is not that of the account: what was sent ends with a line break',
  ],
  [{ body: grant({ password: '' }) }, 'the password is empty'],
  [{ body: grant({ password: 'x' }) }, 'the password is not that of the account'],
  ...[
    ['"Secret 1"', 'is in quotes'],
    ['Secret%211', 'holds a % escape, and may be escaped twice'],
    ['100% Secret', 'holds a space: a + within it must be written %2B'],
  ].map(([sent = '', odd]): readonly [TestRequest, string] => [
    { body: grant({ password: sent }) },
    `the password is not that of the account: what was sent ${odd}`,
  ]),
  [
    { body: 'grant_type=password&username=Ann&password=Secret&1' },
    'the password is not that of the account: what was sent may have been cut short: an & within it must be written %26',
  ],
  [
    { body: 'grant_type=password&username=Ann&password=Secret&scope=' },
    'the password is not that of the account',
  ],
  // The door
  [{ method: 'GET' }, 'the method is GET: it must be POST'],
  [{ path: '/auth/token' }, 'the path differs in case: it must be exactly /auth/Token'],
  [{ path: '/auth/Token/' }, 'the path has a slash at its end: it must be exactly /auth/Token'],
  [{ path: '/auth//Token' }, 'the path has a slash twice: it must be exactly /auth/Token'],
  [{ path: '/auth/%54oken' }, 'the path holds a % escape: it must be exactly /auth/Token'],
  [{ path: '/auth/Token%20' }, 'the path ends with a space: it must be exactly /auth/Token'],
  [{ path: '/v1/Token' }, 'the path has another base path: it must be exactly /auth/Token'],
  [{ path: '/auth/auth/Token' }, 'the path has another base path: it must be exactly /auth/Token'],
  [{ path: '/auth/Accounts' }, 'the path differs in case: it must be exactly /auth/accounts'],
  [{ path: '/oauth2/token' }, 'nothing is served at this path: tokens are at /auth/Token'],
  [{ path: '/Token' }, 'the path lacks the base path: it must be exactly /auth/Token'],
  [{ path: `/${password}` }, 'nothing is served at this path: tokens are at /auth/Token'],
  // The reference server's own
  [
    { path: '/auth/accounts', type: 'application/json', body: '{}' },
    'the new account is not allowed: The body is no JSON object with the strings that it needs.',
  ],
  [
    {
      path: '/auth/accounts',
      type: 'application/json',
      body: JSON.stringify({ userName: 'Ann', email: 'ann@example.com', password: 'mine-7' }),
    },
    "the new account is not allowed: Passwords must have at least one uppercase ('A'-'Z'). Name ‹withheld› is already taken. Email '‹withheld›' is already taken.",
  ],
  [
    {
      path: '/auth/accounts',
      type: 'application/json',
      body: JSON.stringify({ userName: `${password}\n is invalid,`, email: password, password: 'Mine-7' }),
    },
    "the new account is not allowed: Email '‹withheld›' is invalid.",
  ],
  [{ path: '/auth/accounts' }, `the Content-Type is ${form}: it must be application/json`],
]

t.test('every refusal says why, to the author of the client', async (t) => {
  for (const [sent, reason] of cases) t.equal(await reasonOf(server, sent), reason)
})

t.test('and shows nothing that it does not know itself', async (t) => {
  server.journal.clear()
  const swapped = [
    grant({ grant_type: password, username: 'Ann', password: 'password' }),
    grant({ username: password, password: 'Ann' }),
    new URLSearchParams({ [password]: password }).toString(),
    password,
  ]
  for (const body of swapped) await reasonOf(server, { body })
  await reasonOf(server, { type: 'application/json', body: JSON.stringify({ username: password }) })
  await reasonOf(server, { type: `text/${password}` })
  const reported = JSON.stringify(server.journal.entries())
  t.notOk(reported.includes(password))
  t.match(server.journal.entries(), [
    { parameters: { grant_type: '‹withheld›', username: 'Ann', password: '‹withheld›' } },
    { parameters: { grant_type: 'password', username: '‹withheld›' } },
    { parameters: { '‹another›': '‹withheld›' } },
    { parameters: { '‹another›': '‹withheld›' } },
    { parameters: { username: '‹withheld›' }, contentType: 'application/json' },
    { contentType: '‹another›' },
  ])
})

t.test('a scope that there is none of: where it was named', async (t) => {
  await using server = await startReferenceServer({ hashing: 'fast' })
  server.scopes.create('w')
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<string | undefined> => {
    await fetch(server.url + path, { method: 'POST', headers })
    return server.journal.entries().at(-1)?.reason
  }
  const none = 'a scope that there is none of, or no more'
  t.equal(await ask(`/scopes/${password}/Token`), `the path names ${none}`)
  t.equal(
    await ask('/Token', { 'token-assay-scope': password }),
    `the header Token-Assay-Scope names ${none}`,
  )
  t.equal(await ask('/Token', { 'token-assay-scope': '' }), 'the header Token-Assay-Scope is empty')
  t.equal(
    await ask('/Token', { 'token-assay-scope': 'w, w' }),
    'there is more than one header Token-Assay-Scope',
  )
})

t.test('no request keeps the server busy with the question why it was refused', async (t) => {
  const accounts = Array.from({ length: 200 }, (_, index) => ({ userName: `user-${index}`, password }))
  await using server = await startReferenceServer({ accounts, hashing: 'fast' })
  const long = (text: string): string => text.repeat(60_000 / text.length)
  const texts = [`x${long(' ')}x`, `${long(' ')}x`, long('/'), long('\ufdfa'), `"${long(' ')}`, long('%41')]
  const before = process.cpuUsage()
  for (const text of texts)
    for (const name of ['grant_type', 'username', 'password'])
      for (const type of [form, 'application/json'])
        await reasonOf(server, {
          path: '/Token',
          type,
          body: grant({ username: 'user-1', password: 'x', [name]: text }).slice(0, 65_000),
        })
  for (const blanks of [' '.repeat(15_000), '\t'.repeat(15_000)])
    for (const type of [`a/b${blanks}x`, `${form};charset="${blanks}x"`])
      for (const _ of Array.from({ length: 15 })) await reasonOf(server, { path: '/Token', type })
  // Of one of these texts the first version took minutes.
  t.ok(process.cpuUsage(before).user < 5_000_000, 'microseconds')
})
