import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import {
  type Author,
  hideHeaders,
  hideParameters,
  hideSecretMembers,
  hideSecrets,
  hideTokenParameter,
} from './hidden-fields.js'
import { Redactor } from './redact.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What stands in the place of a secret. */
const PLACEHOLDER = /‹(?:redacted|access token|password|secret)›/
const HIDING = ['conformance/evidence/hidden-fields.ts', 'conformance/evidence/redact.ts']

const VALUE = 'Zq9secretValue7'
/** A word, which a token may be too. */
const SHORT = 'wombat'
const BESIDE_ITS_NAME: Readonly<Record<string, string>> = {
  XML: `<r><access_token>${VALUE}</access_token><userName>alice</userName></r>`,
  'a namespace': `<o:AccessToken xmlns:o="urn:o">${VALUE}</o:AccessToken>`,
  'a type': `<a:token i:type="xs:string">${VALUE}</a:token>`,
  CDATA: `<access_token><![CDATA[${VALUE}]]></access_token>`,
  'XML-RPC': `<member>\n <name>access_token</name>\n <value><string>${VALUE}</string></value>`,
  'a property list': `<key>refresh_token</key>\n<string>${VALUE}</string>`,
  'a hidden field': `<input type="hidden" name="access_token" value="${VALUE}"/>`,
  'a field, its value first': `<input value='${VALUE}' id="x" name=access_token>`,
  'a form in parts': `Content-Disposition: form-data; name="password"\r\n\r\n${VALUE}\r\n--b--`,
  PHP: `s:12:"access_token";s:15:"${VALUE}";`,
  'a dump of PHP': `["access_token"]=>\n  string(15) "${VALUE}"`,
  'an arrow': `'access_token' => '${VALUE}'`,
  Python: `{u'access_token': u'${VALUE}'}`,
  'HTML entities': `{&quot;access_token&quot;:&quot;${VALUE}&quot;}`,
  'XML in HTML': `&lt;access_token&gt;${VALUE}&lt;/access_token&gt;`,
  'XML in JSON': JSON.stringify({ d: `<access_token>${VALUE}</access_token>` }),
  'names and values': JSON.stringify([{ name: 'access_token', value: VALUE }]),
  'a value, then its name': JSON.stringify({ Value: VALUE, Key: 'access_token' }),
  'a value, far from its name': String.raw`{"key":"pass\u0077ord","a":1,"b":"of more words","c":[],"value":"${VALUE}"}`,
  'a pair that is cut': `{"value":"${VALUE}","type":"x","name":"access_token"`,
  'a session': JSON.stringify({
    sid: VALUE,
    session_id: VALUE,
    sessionId: VALUE,
    PHPSESSID: VALUE,
    _csrf: VALUE,
  }),
  'a list of tokens': JSON.stringify({ tokens: [VALUE], jwt: VALUE, apiKey: VALUE }),
  'half an object': `"access_token":"${SHORT}"`,
  'a second value': `{"a":1}{"b":2} {"access_token":"${SHORT}"}`,
  'text after the value': `{"a":1} password=${SHORT}`,
  pairs: JSON.stringify([['access_token', VALUE]]),
  'a scheme': `Bearer ${VALUE}`,
  'UTF-16': Buffer.from(JSON.stringify({ access_token: VALUE }), 'utf16le').toString('latin1'),
  'UTF-16, the other way': Buffer.from(`<token>${VALUE}</token>`, 'utf16le').swap16().toString('latin1'),
}

t.test('a secret beside its name is hidden in whatever a service writes', async (t) => {
  for (const [what, text] of Object.entries(BESIDE_ITS_NAME)) {
    t.notMatch(hideSecretMembers(text).replaceAll('\0', ''), VALUE, what)
    t.notMatch(hideSecretMembers(text), SHORT, what)
    t.notMatch(hideSecretMembers(`${text}\n${text}`).replaceAll('\0', ''), VALUE, `${what}, twice`)
  }
})

t.test('what is no secret stays', async (t) => {
  for (const text of [
    '{"error":"invalid_token","error_description":"Send the token again, please."}',
    '<r><access_token/><token_type>bearer</token_type><expires_in>1209599</expires_in></r>',
    "<li>Passwords must have at least one digit ('0'-'9').</li>",
    '<label>Password</label> must be longer <input type="password" name="pw">',
    '{"token_type":"bearer","refreshTokenExpiresIn":1209599,"error":"invalid_token","correlationId01":1}',
    '{"name":"expires_in","value":"1209599"}',
    '{"field":"password","code":"too_short","value":"Passwords must have at least one digit."}',
    '{"required":["username","password","grant_type"]}',
    'The secret of this server is registered elsewhere.\0',
  ])
    t.equal(hideSecretMembers(text), text)
})

t.test('no other file hides a secret', async (t) => {
  const sources = ['conformance', 'reports', 'cli'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .map((name) => join(room, name).replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/fixtures\/|\/generated\//.test(name)),
  )
  const hiding = sources.filter((name) => PLACEHOLDER.test(readFileSync(join(ROOT, name), 'utf8')))
  t.strictSame(hiding.sort(), HIDING)
})

t.test('a URL shows no token, under whatever name or spelling', async (t) => {
  for (const url of [
    ...['/cb?accessToken=T-1', '/cb#ACCESS_TOKEN=T-1', '/cb?access%5Ftoken=T-1', '/cb#%61ccess_token=T-1'],
    ...[
      '/cb?jwt=T-1',
      '/cb?ticket=T-1',
      '/cb#at=T-1',
      '/cb?session_id=T-1&x=1',
      '/cb?auth[access_token]=T-1',
      ...['/cb?x-api-key=T-1', '/cb?client_assertion=T-1'],
    ],
    ...[
      '/cb?next=%2Fcb%23access_token%3DT-1',
      '/cb?next=%252Fcb%2523access_token%253DT-1',
      'https://u:T-1@host/',
      '/cb?jwt=‹T-1',
      'access_token=‹access-token›T-1',
    ],
  ])
    t.notMatch(hideTokenParameter(url), 'T-1', url)
  for (const url of [
    '/cb?state=1&error=access_denied&next=%2Fhome%3Fx%3D1#top',
    '/?a=1?b=2',
    'https://host/a@b',
  ])
    t.equal(hideTokenParameter(url), url)
})

t.test("a client's own secrets are hidden, also in what is nearly JSON", async (t) => {
  for (const text of [
    'a=b&client_secret=T-1&c=d',
    '{client_secret:"T-1",c:1}',
    `{'api-key' : 'T-1'}`,
    '{"client_assertion": "T-1 \\"T-1", }',
  ])
    t.notMatch(hideParameters(text), 'T-1', text)
  for (const text of ['{token: "‹access token›"}', 'key: value', '{"monkey":1}'])
    t.equal(hideParameters(text), text)
})

t.test('what is shown of a header depends on who wrote it', async (t) => {
  const token = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA'
  const redactor = new Redactor([])
  redactor.learnToken(token)
  const shown = (author: Author, name: string, value: string) =>
    hideHeaders([[name, value]], author, redactor)[0]?.[1]
  const cases: readonly (readonly [
    name: string,
    value: string,
    suite: string,
    client: string,
    anyone: string,
  ])[] = [
    ['Content-Type', 'text/plain', 'text/plain', 'text/plain', 'text/plain'],
    ['User-Agent', 'curl', 'curl', 'curl', '‹redacted›'],
    ['Authorization', 'Basic eDp5', '‹redacted›', '‹redacted›', '‹redacted›'],
    ['Authorization', `Bearer ${token}`, '‹redacted›', 'Bearer ‹access token›', '‹redacted›'],
    ['X-Api-Key', 'own', '‹redacted›', '‹redacted›', '‹redacted›'],
    ['X-Authorization', 'own', '‹redacted›', '‹redacted›', '‹redacted›'],
    ['X-Request-Id', 'own', 'own', 'own', '‹redacted›'],
    ['X-Token', 'access_token=a; session=b', '‹redacted›', '‹redacted›', '‹redacted›'],
    ['X-Refresh-Token', 'unknown', '‹redacted›', '‹redacted›', '‹redacted›'],
    ['X-Token', token, '‹access token›', '‹access token›', '‹redacted›'],
    ['X-Token', '‹value of X-Token›', '‹value of X-Token›', '‹redacted›', '‹redacted›'],
    ['Set-Cookie', 'a=b', '‹redacted›', '‹redacted›', '‹redacted›'],
    [
      'Location',
      '/?access_token=abc#x',
      '/?access_token=‹access token›#x',
      '/?access_token=‹access token›#x',
      '‹redacted›',
    ],
  ]
  for (const [name, value, suite, client, anyone] of cases) {
    t.equal(shown('suite', name, value), suite, `${name} of the suite`)
    t.equal(shown('tested client', name, value), client, `${name} of a tested client`)
    t.equal(shown('anyone', name, value), anyone, `${name} of anyone`)
  }
})

t.test('no part of a known secret is shown, whatever it is beside', async (t) => {
  for (const secret of [
    'z2pb8md&h7tK3xB',
    'correct horse battery staple',
    'a1b2c3"d4e5f6',
    "a1b2c3'd4e5f6",
    'a1b2#c3d4',
  ]) {
    const redactor = new Redactor([{ value: secret, label: 'password of alice' }])
    for (const text of [
      `password=${secret}`,
      `Password: ${secret}, no`,
      `{password:${secret} user:alice}`,
      `access_token=${secret}`,
      `Server=db;Password="${secret}";`,
      `{"a":"password=${secret.replace('"', '\\"')}"}`,
    ]) {
      for (const shown of [
        hideSecrets(text, redactor),
        ...hideHeaders([['X-Who', text]], 'suite', redactor).map(([, value]) => value),
      ])
        for (const part of secret.split(/[^a-z\d]+/i)) t.notMatch(shown, part, `${text}: ${shown}`)
    }
  }
})

t.test('JSON in a string of JSON is hidden up to the end of its value', async (t) => {
  for (const password of ['Gr"xPw9Lm', 'ends with "', 'ends with \\', '\\"', '"""', '\\\\" "x', '']) {
    let text = JSON.stringify({ password, last: 'shown' })
    for (const depth of [1, 2, 3]) {
      text = JSON.stringify({ echo: text })
      const shown = hideSecretMembers(text)
      let inner: unknown = shown
      for (let left = depth; left > 0; left--) inner = JSON.parse(String(inner)).echo
      t.strictSame(
        JSON.parse(String(inner)),
        { password: '‹password›', last: 'shown' },
        `${password} ${depth} deep`,
      )
    }
  }
})

t.test(
  'a known password is hidden as a whole where JSON that a string quotes was escaped in another way',
  async (t) => {
    for (const password of ['Ab"cw9Lm7', 'Ab\\cw9Lm7"x', `Ab'"cw9Lm7`]) {
      const redactor = new Redactor([{ value: password, label: 'password of alice' }])
      const body = JSON.stringify({ grant_type: 'password', password })
      // As `repr` of Python writes it.
      const quoted = `'${body.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
      for (const text of [
        quoted,
        JSON.stringify({ error: `cannot read ${quoted}` }),
        JSON.stringify([[quoted]]),
      ]) {
        const shown = hideSecrets(text, redactor)
        t.notMatch(shown, 'cw9Lm7', text)
        t.match(shown, /‹password/)
      }
    }
  },
)
