import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { parse } from 'yaml'
import { effort } from '../../tests/fixtures/effort.js'
import { controlErrorCodes } from '../control-error.js'
import { type ControlInput, readControlInput } from '../input/read-control-input.js'
import { refusals } from '../refusal.js'
import { startReferenceServer } from '../server.js'
import { endpoints } from './endpoints.js'

/** What a file holds, of which the first test makes sure. */
type Parsed = ReturnType<typeof parse>

const file = new URL('./openapi.yaml', import.meta.url)
const read = () => parse(readFileSync(file, 'utf8'))
const document = read()
const secret = 'a-secret-of-the-tests'

const ajv = new Ajv2020({ strict: false, formats: { uri: (text) => URL.canParse(text) } })
ajv.addSchema(document, file.href)
const schemas = ['control', 'server-config', 'account-policy'].map((name) => {
  const from = `../../spec/schemas/${name}.schema.json`
  const schema: Parsed = JSON.parse(readFileSync(new URL(from, file), 'utf8'))
  return { from, schema }
})
for (const { from, schema } of schemas) {
  const { href } = new URL(from, file)
  ajv.addSchema({ ...schema, $id: href }, href)
}
const controlSchema = schemas[0]?.schema

/** The document with a reference followed: OpenAPI allows it beside a path item's parameters. */
function at(pointer: string): Parsed {
  const node = pointer
    .slice(2)
    .split('/')
    .reduce((value, part) => value[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  return node
}
const followed = (node: Parsed): Parsed =>
  typeof node.$ref === 'string' ? { ...at(node.$ref), ...node } : node

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom('', '/Token', '*', '/a?b', 'POST', 'post', 'busy', 'x'.repeat(1024), 'x'.repeat(1025)),
  fc.constantFrom('\u{1f600}'.repeat(1024), '\u{1f600}'.repeat(1025)),
)
const edges = [
  -1, 0, 1, 199, 200, 599, 600, 1024, 1025, 65_536, 65_537, 1_000_000, 1_000_001, 3_600_000, 3_600_001,
]
const numbers = fc.constantFrom(...edges, 1.5, 3_155_760_000, 3_155_760_001, 2 ** 53 - 1, 2 ** 53, 1e300)
const flags = fc.boolean()
/** Some of the members, now and then with a value of another kind, or with a member that there is not. */
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> => {
  const wrong = fc.oneof(texts, numbers, flags, fc.constantFrom(null, [], {}))
  const rarelyWrong = Object.entries(members).map(
    ([name, right]) =>
      [name, fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong })] as const,
  )
  return fc
    .tuple(fc.record(Object.fromEntries(rarelyWrong), { requiredKeys: [] }), fc.nat(19))
    .map(([object, odds]) => (odds === 0 ? { ...object, another: 1 } : object))
}
const logins = fc.array(some({ provider: texts, subject: texts }), { maxLength: 11 })
const accounts = some({
  userName: texts,
  password: texts,
  userId: texts,
  email: texts,
  externalLogins: logins,
  accessToken: fc.constantFrom('a', 'a=', '', 'a b', 'a'.repeat(1025)),
})
const settings = some({
  tokenLifetime: numbers,
  includesUserId: flags,
  policy: some({ minimumLength: numbers, requireDigit: flags, uniqueEmail: flags }),
})
const matches = some({
  method: texts,
  path: texts,
  status: numbers,
  userName: texts,
  refusal: fc.constantFrom('busy', 'lazy'),
  after: numbers,
})
const introspections = some({ token: texts, token_type_hint: texts })
const values = fc.oneof(texts, fc.constantFrom('a', 'a=', '=', 'a=b', 'a'.repeat(1024), 'a'.repeat(1025)))
const issues = some({
  userName: texts,
  lifetime: numbers,
  issuedAt: fc.oneof(numbers, fc.constantFrom(221_845_392_000_000, 221_845_392_000_001)),
  value: values,
})
const waits = some({ match: matches, timeoutMs: numbers })
const faults = fc
  .constantFrom(
    { kind: 'status', status: 200 },
    { kind: 'delay', ms: 1 },
    { kind: 'drop' },
    { kind: 'truncate' },
    { kind: 'malformed-json' },
    { kind: 'drip' },
    { kind: 'none' },
  )
  .chain((minimal) => {
    const match = some({ method: texts, path: texts, grantType: texts, userName: texts })
    const effects = {
      status: numbers,
      ms: numbers,
      jitterMs: numbers,
      reset: flags,
      bytes: numbers,
      everyMs: numbers,
    }
    return fc.oneof(
      some({ match, times: numbers, after: numbers }).map((more) => ({ ...minimal, ...more })),
      some(effects).map((more) => ({ ...minimal, ...more })),
    )
  })

const hooks = some({
  match: some({ method: texts, path: texts, grantType: texts, userName: texts, status: numbers }),
  times: numbers,
  after: numbers,
  change: some({
    status: numbers,
    headers: fc.constantFrom({}, { 'X-A': 'b' }, { 'X-A': null }, { 'X A': 'b' }, { 'X-A': '\n' }),
    set: fc.constantFrom({}, { a: 1 }),
    remove: fc.constantFrom([], ['a'], [1]),
    body: fc.constantFrom('x', null),
  }),
})

const pathOf = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}')
const operations = Object.entries<Parsed>(document.paths).flatMap(([path, item]) =>
  Object.keys(followed(item))
    .filter((key) => ['get', 'post', 'patch', 'delete'].includes(key))
    .map((method) => `${method.toUpperCase()} ${path}`),
)

t.test('it is valid OpenAPI 3.1, and documents what there is', async (t) => {
  const validator = new Validator()
  // By the document's name for it, and by that of the schemas beside it.
  for (const { from, schema } of schemas)
    for (const name of [from, basename(from)]) await validator.addSpecRef({ ...schema }, name)
  t.strictSame(await validator.validate(read()), { valid: true })
  const open = ['GET /health', 'GET /ready']
  const served = endpoints.map(({ method, path }) => `${method} ${pathOf(path)}`)
  t.strictSame(operations.toSorted(), [...open, ...served].toSorted())
  t.strictSame(controlSchema.$defs.refusal.enum, refusals)
  t.strictSame(document.components.schemas.Problem.properties.title.enum, controlErrorCodes)
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', file), 'utf8'))
  t.equal(document.info.version, version)
})

t.test('the server answers as documented', async (t) => {
  await using server = await startReferenceServer({
    accounts: [{ userName: 'ann', password: 'Secret-1' }],
    hashing: 'fast',
    control: { secret },
  })
  const seen = new Set<string>()
  const ask = async (method: string, pattern: string, path = pattern, body?: unknown): Promise<void> => {
    const response = await fetch(`${server.controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const operation = followed(document.paths[pattern])[method.toLowerCase()]
    const name = `${method} ${path} ${response.status}`
    const schemaOf = (content: Parsed): Parsed => Object.values<Parsed>(content ?? {})[0]?.schema
    const valid = (schema: unknown, value: unknown): void => {
      const validate = ajv.compile(rebased(schema))
      t.ok(validate(value), name, { errors: validate.errors, value })
    }
    if (body !== undefined && response.ok) valid(schemaOf(operation.requestBody.content), body)
    const documented = operation.responses[response.status] ?? operation.responses.default
    const { content } = followed(documented)
    if (text === '') t.equal(content, undefined, name)
    else {
      t.equal(response.headers.get('content-type'), Object.keys(content)[0], name)
      valid(schemaOf(content), JSON.parse(text))
    }
    seen.add(`${method} ${pattern}`)
  }
  const login = (password: string) =>
    fetch(`${server.url}/Token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', username: 'ann', password }),
    })

  await ask('GET', '/health')
  await ask('GET', '/ready')
  await ask('GET', '/')
  await ask('POST', '/scopes', '/scopes', { name: 'w' })
  await ask('POST', '/scopes', '/scopes', { name: 'w' })
  await ask('POST', '/settings/reload')
  await ask('GET', '/scopes')
  await ask('GET', '/scopes/{scope}', '/scopes/w')
  const { access_token: token } = JSON.parse(await (await login('Secret-1')).text())
  await login('wrong')
  for (const [scope, prefix] of [
    ['', ''],
    ['/scopes/{scope}', '/scopes/w'],
  ] as const) {
    const call = (method: string, path: string, body?: unknown, real = path): Promise<void> =>
      ask(method, scope + path, prefix + real, body)
    await call('POST', '/accounts', {
      userName: 'bob',
      password: 'x',
      email: 'b@example.com',
      externalLogins: [{ provider: 'p', subject: 's' }],
    })
    await call('POST', '/accounts', { userName: 'bob' })
    await call('GET', '/accounts')
    await call('DELETE', '/accounts/{userName}', undefined, '/accounts/bob')
    await call('POST', '/tokens', { userName: 'ann', lifetime: 60, issuedAt: 0, value: 'chosen' })
    await call('POST', '/tokens', { userName: 'no one' })
    await call('POST', '/tokens/revoke', { token: scope === '' ? 'chosen' : 'of no one' })
    await call('POST', '/tokens/introspect', { token: scope === '' ? token : 'of no one' })
    await call('GET', '/clock')
    await call('POST', '/clock/advance', { seconds: 1 })
    await call('POST', '/clock/freeze', { atMs: 1 })
    await call('POST', '/clock/reset')
    const match = { method: 'POST', path: '/T*', userName: 'x', grantType: 'y' }
    for (const fault of [
      { kind: 'status', status: 500, headers: { 'X-A': 'b' }, body: [1], match, times: 1, after: 1 },
      { kind: 'delay', ms: 1, jitterMs: 1, match },
      { kind: 'drop', reset: true, match },
      { kind: 'truncate', bytes: 1, match },
      { kind: 'malformed-json', match },
      { kind: 'drip', bytes: 1, everyMs: 1, match },
    ])
      await call('POST', '/faults', fault)
    await call('GET', '/faults')
    await call('DELETE', '/faults/{id}', undefined, '/faults/1')
    await call('DELETE', '/faults')
    const change = { status: 201, headers: { 'X-A': 'b', 'X-C': null }, set: { a: 1 }, remove: ['userId'] }
    await call('POST', '/hooks', { match: { ...match, status: 200 }, times: 1, after: 1, change })
    await call('POST', '/hooks', { change: { body: 'x' } })
    await call('POST', '/hooks', { change: { body: 'x', set: {} } })
    await login('Secret-1')
    await call('GET', '/hooks')
    await call('DELETE', '/hooks/{id}', undefined, '/hooks/1')
    await call('DELETE', '/hooks')
    await call('GET', '/settings')
    await call('PATCH', '/settings', { tokenLifetime: 60, policy: { requireDigit: false } })
    await call('GET', '/journal')
    await call(
      'POST',
      '/journal/wait',
      scope === '' ? { match: { status: 400, refusal: 'wrong-password' } } : { timeoutMs: 1 },
    )
    await call('DELETE', '/journal')
    await call('POST', '/reset')
  }
  await ask('DELETE', '/scopes/{scope}', '/scopes/w')
  t.strictSame([...seen].toSorted(), operations.toSorted(), 'every operation was asked for')
})

t.test('the server takes what is documented, and nothing else', async (t) => {
  const readers = {
    fault: faults,
    account: accounts,
    settings,
    wait: waits,
    introspection: introspections,
    issue: issues,
    hook: hooks,
    revocation: some({ token: texts }),
  } as const
  for (const [name, values] of Object.entries(readers)) {
    const { pathItems } = document.components
    const { post = pathItems.Settings.patch } =
      {
        fault: pathItems.Faults,
        account: pathItems.Accounts,
        wait: pathItems.JournalWait,
        introspection: pathItems.TokensIntrospect,
        issue: pathItems.Tokens,
        hook: pathItems.Hooks,
        revocation: pathItems.TokensRevoke,
      }[name] ?? {}
    const validate = ajv.compile(rebased(post.requestBody.content['application/json'].schema))
    const takes = (value: unknown): boolean => {
      try {
        readControlInput(name as ControlInput, value)
        return true
      } catch {
        return false
      }
    }
    const outcomes = new Set<boolean>()
    const agree = fc.check(
      fc.property(values, (value) => {
        outcomes.add(takes(value))
        return takes(value) === validate(value)
      }),
      { numRuns: effort(3000), seed: 1 },
    )
    t.strictSame(agree.counterexample, null, name)
    t.equal(outcomes.size, 2, `${name}: some are taken, some are not`)
  }
})

/** References as ajv finds them: from the document on. */
function rebased(schema: unknown): Parsed {
  const text = JSON.stringify(schema).replaceAll(
    /"\$ref":"([^"]+)"/g,
    (_, ref) => `"$ref":"${new URL(ref, file).href}"`,
  )
  return JSON.parse(text)
}
