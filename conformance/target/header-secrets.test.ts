import t from 'tap'
import { resolveTarget } from './target.js'

const accounts = [{ userName: 'alice', password: 'Alice-has-1-cat' }]

function secretsOf(settings: object, secrets: readonly { value: string; label: string }[] = []) {
  return resolveTarget({ baseUrl: 'http://127.0.0.1', accounts, ...settings }, { secrets }).secrets
}

t.test('a credential in a header is a secret without its scheme, a cookie without its name', async (t) => {
  for (const [name, text, part] of [
    ['Authorization', 'Bearer Qw9-lit-bearer-77', 'Qw9-lit-bearer-77'],
    ['Authorization', 'Token token="Qw9-lit-token-77"', 'Qw9-lit-token-77'],
    ['Authorization', `Basic ${Buffer.from('web:Qw9-basic').toString('base64')}`, 'Qw9-basic'],
    ['Proxy-Authorization', 'Bearer  Qw9-lit-proxy-77', 'Qw9-lit-proxy-77'],
    ['X-Api-Key', 'key=Qw9-lit-key-77', 'Qw9-lit-key-77'],
    ['X-Gate', 'Token Qw9-lit-gate-77', 'Qw9-lit-gate-77'],
    ['X-K', 'key=Qw9-lit-param-77', 'Qw9-lit-param-77'],
    ['X-Signature', 'HMAC id=web,sig=Qw9-lit-sig-77', 'Qw9-lit-sig-77'],
    ['X-Auth-Proxy', 'Digest username="web", response="6629fae49393"', '6629fae49393'],
    ['X-Amz', 'AWS4-HMAC-SHA256 Credential=AKID/1, Signature=5d672d79c15b', '5d672d79c15b'],
    ['X-Sso', 'Negotiate YIIGbgYGKwYBBQUC', 'YIIGbgYGKwYBBQUC'],
    ['Cookie', 'theme=1; ASP.NET_SessionId=9f8e7d6c5b', '9f8e7d6c5b'],
    ['Cookie', 'sid="9f8e7d6c5b"; theme=1', '9f8e7d6c5b'],
  ] as const) {
    const headers = { [name]: text }
    for (const [where, settings] of Object.entries({
      deployment: { headers },
      'token request': { tokenRequest: { headers } },
      registration: {
        registration: { request: { method: 'POST', path: '/accounts', json: { u: '$userName' }, headers } },
      },
      resource: { resource: { path: '/me', headers } },
    }))
      t.match(
        secretsOf(settings).filter(({ value }) => value === part),
        [{ label: `value of ${name}` }],
        `${where}: ${text}`,
      )
  }
})

t.test('what is a reference, or no credential, is none', async (t) => {
  const valuesOf = (settings: object) => secretsOf(settings).map(({ value }) => value)
  t.strictSame(valuesOf({ resource: { path: '/me', headers: { Authorization: 'Bearer $token' } } }), [
    'Alice-has-1-cat',
  ])
  t.ok(valuesOf({ headers: { Authorization: 'Bearer pa$Word-99' } }).includes('pa$Word-99'))
  t.notOk(valuesOf({ headers: { 'X-Tenant': 'Fabrikam Production' } }).includes('Production'))
})

t.test('a credential beside a reference is one, and not shown', async (t) => {
  for (const [name, template, part, shown] of [
    [
      'Cookie',
      'gate=Lit-cookie-40; session=$token',
      'Lit-cookie-40',
      'gate=‹value of Cookie›; session=$token',
    ],
    ['X-Key', 't=$token; k=Lit$$key-41', 'Lit$key-41', 't=$token; k=‹value of X-Key›'],
    ['Authorization', 'Bearer Reg$$4-tok-77', 'Reg$4-tok-77', '‹value of Authorization›'],
    ['Authorization', 'Bearer $token', undefined, 'Bearer $token'],
  ] as const) {
    const resource = { path: '/me', headers: { [name]: template } }
    const { deployments, secrets } = resolveTarget({ baseUrl: 'http://127.0.0.1', accounts, resource })
    t.match(deployments[0].declared, { resource: { headers: { [name]: shown } } })
    const values = secrets.map(({ value }) => value)
    if (part === undefined) t.strictSame(values, ['Alice-has-1-cat'])
    else t.ok(values.includes(part), template)
  }
})

t.test('what is declared beside a variable is a secret too, and not shown', async (t) => {
  const key = '‹KEY from the environment›'
  const whole = (name: string) => `‹value of ${name}›`
  for (const [name, template, part, asShown] of [
    ['Authorization', 'Bearer Lit-tok-5566.KEY', 'Lit-tok-5566.', whole('Authorization')],
    ['X-A6', 'key1=KEY; key2=Lit-556677', 'Lit-556677', whole('X-A6')],
    ['X-A7', 'Custom KEY Lit-990011', 'Lit-990011', whole('X-A7')],
    ['X-A8', 'Lit77889:KEY', 'Lit77889:', whole('X-A8')],
    ['X-A9', 'a-KEY', undefined, `a-${key}`],
    ['X-A10', 'Custom KEY, key2="KEY"', undefined, `Custom ${key}, key2="${key}"`],
  ] as const) {
    const settings = (value: string) => ({
      baseUrl: 'http://127.0.0.1',
      accounts,
      headers: { [name]: template.replaceAll('KEY', value) },
      tokenRequest: { form: { client_secret: template.replaceAll('KEY', value) } },
      registration: { request: { path: '/', headers: { [name]: template.replaceAll('KEY', value) } } },
      start: { command: ['x'], env: { CONNECTION: template.replaceAll('KEY', value) } },
    })
    const { deployments, secrets } = resolveTarget(settings('Qw9-env-77') as never, { shown: settings(key) })
    const [{ declared, shownHeaders, registration, tokenRequest }] = deployments
    const headers = { [name]: asShown }
    t.match(
      { declared, shownHeaders, registration, tokenRequest },
      {
        declared: { headers, registration: { request: { headers } } },
        shownHeaders: [[name, asShown]],
        registration: { request: { shown: { headers } } },
        tokenRequest: { shown: { form: { client_secret: '‹value of client_secret›' } } },
      },
    )
    if (part === undefined) continue
    t.ok(secrets.some(({ value, label }) => value === part && label === `value of ${name}`))
    t.notMatch(JSON.stringify([declared, shownHeaders]), part)
  }
})

t.test('of a member with the name of a secret, what is beside a reference is one', async (t) => {
  const json = { inviteKey: 'Lit-92-$userName', key: '$userName-1', userName: '$userName' }
  const registration = { request: { method: 'POST', path: '/accounts', json } }
  const { deployments, secrets } = resolveTarget({ baseUrl: 'http://127.0.0.1', accounts, registration })
  t.match(deployments[0].declared, {
    registration: { request: { json: { ...json, inviteKey: '‹value of inviteKey›$userName' } } },
  })
  t.ok(secrets.some(({ value }) => value === 'Lit-92-'))
})

t.test('excerpts of the password of a client are secrets, but for that of an assertion', async (t) => {
  const tokenRequest = {
    basic: { userName: 'web', password: 'Basic-password-1' },
    form: { client_secret: 'Client-secret-01', client_assertion: 'eyJhbGciOiJIUzI1NiJ9.e30.x' },
  }
  const shown = secretsOf({ tokenRequest }).map(({ value, label }) => `${label}: ${value}`)
  t.ok(shown.includes('value of Authorization: Basic-password-'))
  t.ok(shown.includes('value of client_secret: Client-secret-0'))
  t.notOk(shown.some((text) => text.endsWith(': eyJhbGciOiJIUzI')))
})

t.test('the label of the environment is the first', async (t) => {
  const secrets = [{ value: 'Qw9-env-77', label: 'KEY from the environment' }]
  const shown = secretsOf({ headers: { Authorization: 'Bearer Qw9-env-77' } }, secrets)
  t.strictSame(
    shown.filter(({ value }) => value === 'Qw9-env-77').map(({ label }) => label),
    ['KEY from the environment'],
  )
})
