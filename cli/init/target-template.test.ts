import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import t, { type Test } from 'tap'
import type { Deployment } from '../../conformance/target/deployment.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { selfSigned } from '../../reference/tls/self-signed.js'
import { readPositioned } from '../../spec/load/positioned.js'
import { renderTargetFile, type TemplateValues } from './target-template.js'

const EXAMPLE: TemplateValues = { name: 'x', baseUrl: 'http://127.0.0.1:5000', userName: 'alice' }
const ENV = {
  TOKEN_ASSAY_PASSWORD: 'one',
  BOB_PASSWORD: 'two',
  API_KEY: 'three',
  CLIENT_ID: 'web',
  CLIENT_SECRET: 'four',
}
const OWN = await selfSigned('localhost')
const PEM = { 'ca.pem': rootCertificates[0] ?? '', 'client.pem': OWN.cert, 'client-key.pem': OWN.key }
const TEMPLATE = renderTargetFile(EXAMPLE)

function load(t: Test, text: string): Deployment {
  const file = join(t.testdir(PEM), 'token-assay.yaml')
  writeFileSync(file, text)
  return loadTargetFile(file, ENV).deployments[0]
}

/** What an editor does that takes a comment mark away. */
function uncomment(text: string): string {
  return text.replaceAll(/^#(?: |(?=#))/gm, '')
}

t.test('as written it is valid, and declares no more than it must', async (t) => {
  const { accounts, registration, externalLogin, start, tls, headers } = load(t, TEMPLATE)
  t.strictSame(accounts, [{ userName: 'alice', password: 'one', variable: 'TOKEN_ASSAY_PASSWORD' }])
  t.strictSame(
    [registration, externalLogin, start, tls, headers],
    [undefined, undefined, undefined, undefined, []],
  )
})

t.test('with its options un-commented it is valid, and declares everything', async (t) => {
  const { accounts, registration, externalLogin, tls } = load(t, uncomment(TEMPLATE))
  t.strictSame(
    accounts.map(({ password }) => password),
    ['one', 'two'],
  )
  t.match(tls, { ca: PEM['ca.pem'], ...OWN })
  t.match(registration, { accepted: [200, 201], policy: { minimumLength: 6, uniqueEmail: true } })
  t.match(externalLogin, { account: 'alice', prepare: { capture: { code: '/code' } } })
})

t.test(
  'at the path of the project template of ASP.NET Web API 2, its registration and its grant types are declared',
  async (t) => {
    const template = renderTargetFile({ ...EXAMPLE, registrationPath: '/api/Account/Register' })
    for (const text of [template, uncomment(template)]) {
      const { additionalGrantTypes, registration } = load(t, text)
      t.strictSame(additionalGrantTypes, ['client_credentials', 'refresh_token', 'authorization_code'])
      t.match(registration, {
        request: {
          method: 'POST',
          path: '/api/Account/Register',
          json: { Email: '$email', Password: '$password', ConfirmPassword: '$password' },
        },
        accepted: [200],
        rejected: [400],
        immediate: true,
        loginName: '$email',
      })
    }
    t.strictSame(load(t, TEMPLATE).additionalGrantTypes, [], 'of no other service')
  },
)

t.test('each option can be un-commented alone', async (t) => {
  const blocks = TEMPLATE.match(/(?:^# .*\n)+/gm) ?? []
  t.ok(blocks.length > 10)
  for (const block of blocks) {
    t.doesNotThrow(
      () =>
        load(
          t,
          TEMPLATE.replace(block, () => uncomment(block)),
        ),
      block,
    )
  }
})

t.test('it has every key that the schema has', async (t) => {
  const names = ['target', 'account-policy'].map(
    (name) => new URL(`../../spec/schemas/${name}.schema.json`, import.meta.url),
  )
  const known = names.flatMap((url) => [...propertiesIn(JSON.parse(readFileSync(url, 'utf8')))])
  t.ok(known.length > 50)
  const keys = new Set(keysIn(readPositioned('x.yaml', uncomment(TEMPLATE)).value))
  t.strictSame(
    [...new Set(known)].filter((name) => !keys.has(name)),
    [],
  )
})

t.test('it explains every option, on lines that can be read', async (t) => {
  for (const line of TEMPLATE.split('\n')) {
    t.ok(line.length <= 120, line)
    t.match(line, /^(?:$|## \S|# +[\w-]|[a-zA-Z]+:| {2})/, line)
  }
  for (const part of TEMPLATE.trim().split('\n\n')) t.match(part, /^## /)
})

t.test('texts of any characters are written so that they are read again', async (t) => {
  for (const userName of [
    '"quoted": # ${X} $${Y} \\',
    'a\nb: c\n# d',
    '\u202e\u001b[31m\u0085\u2028\ufeff',
    'Zoë 😀 \u{e0041}',
    'true',
  ]) {
    const text = renderTargetFile({ ...EXAMPLE, userName, userId: userName, name: userName })
    t.match(load(t, text).accounts, [{ userName, userId: userName }])
    t.equal(load(t, uncomment(text)).externalLogin?.account, userName)
    t.notMatch(text, /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u, 'nothing hidden')
  }
})

t.test('what was learnt is declared', async (t) => {
  const learnt = { tokenLifetime: 60, includesUserId: true, clockSkew: 120 }
  const paths = { registrationPath: '/register', externalLoginPath: '/api/Account/ExternalLogin' }
  const text = renderTargetFile({ ...EXAMPLE, ...learnt, ...paths })
  t.match(load(t, text), learnt)
  for (const key of Object.keys(learnt))
    t.match(text, new RegExp(`^${key}: \\S+ # seen in an answer: check`, 'm'), key)
  const usual = renderTargetFile({ ...EXAMPLE, tokenLifetime: 1_209_600, includesUserId: false })
  t.notMatch(usual, 'seen in an answer')
  const { registration, externalLogin } = load(t, uncomment(text))
  t.strictSame([registration?.request.path, externalLogin?.request.path], Object.values(paths))
})

function* propertiesIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  if ('properties' in schema) yield* Object.keys(schema.properties ?? {})
  for (const inner of Object.values(schema)) yield* propertiesIn(inner)
}

function* keysIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield* Object.keys(value)
  for (const inner of Object.values(value)) yield* keysIn(inner)
}
