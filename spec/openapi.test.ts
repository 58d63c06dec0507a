import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { request } from 'undici'
import { parseMediaType } from '../conformance/wire/media-type.js'
import { startProvider } from '../reference/provider.js'
import { startReferenceServer } from '../reference/server.js'
import { examplesOf, nodesIn, OPENAPI, type OpenapiExample, readOpenapi } from './fixtures/openapi.js'
import { loadSpecification } from './specification.js'
import type { Json } from './types.js'

const document = readOpenapi()
const examples = [...examplesOf(document)]
const requests = examples.filter(({ status }) => status === undefined)
const refs = [
  ...new Set(
    [...nodesIn(document)].flatMap((node) => ('$ref' in node && typeof node.$ref === 'string' ? node.$ref : [])),
  ),
]
const files = refs.filter((ref) => !ref.startsWith('#'))

const readSchema = (ref: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(ref, OPENAPI), 'utf8'))

// OpenAPI adds words of its own, such as `format: password`.
const ajv = new Ajv2020({ strict: false })
ajv.addSchema(document, OPENAPI.href)
for (const file of files) {
  const { href } = new URL(file, OPENAPI)
  ajv.addSchema({ ...readSchema(file), $id: href }, href)
}

function problemsOf(schema: unknown, value: unknown): unknown {
  // A schema of the document refers to its neighbours.
  const validate = ajv.compile({ $id: `${OPENAPI.href}?${++compiled}`, ...absolute(schema) })
  return validate(value) ? [] : validate.errors
}
let compiled = 0

function absolute(schema: unknown): object {
  const text = JSON.stringify(schema)
  return JSON.parse(text.replace(/"\$ref":"([^"]+)"/g, (_, ref) => `"$ref":"${new URL(ref, OPENAPI).href}"`))
}

t.test('it is valid OpenAPI 3.1, and every reference leads somewhere', async (t) => {
  const validator = new Validator()
  for (const file of files) await validator.addSpecRef(readSchema(file), file)
  t.strictSame(await validator.validate(readOpenapi()), { valid: true })
  t.equal(validator.version, '3.1')
})

t.test('it refers to the schemas that are shipped, and to no other', async (t) => {
  t.strictSame(files.toSorted(), [
    'schemas/account-policy.schema.json',
    'schemas/error.schema.json',
    'schemas/token-response.schema.json',
  ])
})

t.test('it cites rules that there are, and has the version of the package', async (t) => {
  const rules = new Set(loadSpecification().requirements.map(({ id }) => id))
  const text = readFileSync(OPENAPI, 'utf8')
  const cited = Array.from(text.matchAll(/`(\d(?:\.\d)?-[\w-]+)`/g), ([, id = '']) => id)
  t.ok(cited.length > 30)
  t.strictSame(
    cited.filter((id) => !rules.has(id)),
    [],
  )
  const { version, license } = JSON.parse(readFileSync(new URL('../package.json', OPENAPI), 'utf8'))
  t.match(document, { info: { version, license: { identifier: license } } })
})

t.test('every example is valid by its schema', async (t) => {
  for (const { path, name, status = 'request', schema, value } of examples) {
    if (schema !== undefined) t.strictSame(problemsOf(schema, value), [], `${path} ${name} ${status}`)
  }
  const own = [...nodesIn(document.components)].filter(
    (node) => 'examples' in node && Array.isArray(node.examples),
  )
  t.equal(own.length, 1)
  for (const schema of own) {
    for (const value of 'examples' in schema && Array.isArray(schema.examples) ? schema.examples : [])
      t.strictSame(problemsOf(schema, value), [])
  }
})

t.test('every request has one answer, and every answer its request', async (t) => {
  const key = ({ path, name }: OpenapiExample): string => `${path} ${name}`
  const answers = examples.filter(({ status }) => status !== undefined)
  t.strictSame(answers.map(key).toSorted(), requests.map(key).toSorted())
})

for (const asked of requests) {
  t.test(`${asked.path} ${asked.name}: the reference server answers as documented`, async (t) => {
    const documented = examples.find(
      ({ path, name, status }) => status !== undefined && path === asked.path && name === asked.name,
    )
    const { status, mediaType, text } = await send(t, asked)
    if (documented?.status === 'default') t.ok(status >= 400, String(status))
    else t.equal(String(status), documented?.status)
    t.ok(inRange(mediaType, documented?.mediaType ?? ''), `${mediaType} is ${documented?.mediaType}`)
    const answer = JSON.parse(text)
    t.strictSame(problemsOf(documented?.schema, answer), [])
    t.strictSame(Object.entries(answer).map(lasting), Object.entries(documented?.value ?? {}).map(lasting))
  })
}

/** Sends a request to a reference server of its own, in the example's settings. */
async function send(t: Test, { path, mediaType, value, settings }: OpenapiExample) {
  const client = { clientSecret: 'secret', redirectUri: 'http://127.0.0.1/callback' }
  const provider = await startProvider({
    clients: [
      { ...client, clientId: 'acme', redirectUris: [client.redirectUri] },
      { ...client, clientId: 'no-callback', redirectUris: [] },
    ],
  })
  const { tokenEndpoint, userInfoEndpoint } = provider
  const server = await startReferenceServer({
    hashing: 'fast',
    accounts: [
      {
        userName: 'alice',
        password: 'Correct-7-horses',
        userId: '7d1f',
        email: 'alice@example.com',
        externalLogins: [{ provider: 'acme', subject: 'alice-at-acme' }],
      },
    ],
    providers: ['acme', 'no-callback'].map((name) => ({
      ...client,
      name,
      clientId: name,
      tokenEndpoint,
      userInfoEndpoint,
    })),
    ...settings,
  })
  t.teardown(() => Promise.all([server.close(), provider.close()]))
  const headers = { 'content-type': 'application/json' }
  const handedOut = await request(`${provider.url}/code`, {
    method: 'POST',
    headers,
    body: '{"user":"alice-at-acme"}',
  })
  // What a provider hands out is good once: it takes the place of the example's.
  const code = /"code":"(.+)"/.exec(await handedOut.body.text())?.[1] ?? ''
  const body = bodyOf(mediaType, value).replace('SplxlOBeZQQYbYS6WxSbIA', code)
  const answer = await request(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': mediaType },
    body,
  })
  return {
    status: answer.statusCode,
    mediaType: String(answer.headers['content-type']),
    text: await answer.body.text(),
  }
}

function bodyOf(mediaType: string, value: Json): string {
  if (typeof value === 'string') return value
  return mediaType === 'application/json'
    ? JSON.stringify(value)
    : new URLSearchParams(Object.entries(value ?? {})).toString()
}

/** Whether a media type lies in the documented range. */
function inRange(mediaType: string, range: string): boolean {
  if (range === '*/*') return true
  const [actual, wanted] = [parseMediaType(mediaType), parseMediaType(range)]
  const parameters = actual?.parameters.map(String) ?? []
  return (
    actual !== undefined &&
    actual.essence === wanted?.essence &&
    wanted.parameters.every((parameter) => parameters.includes(String(parameter)))
  )
}

/** A member of an answer without what another answer would have otherwise. */
function lasting([name, value]: [string, unknown]): readonly [string, unknown] {
  const fleeting = ['access_token', '.issued', '.expires'].includes(name)
  const madeUp = name === 'userId' && String(value).length === 36
  return [name, fleeting || madeUp ? '…' : value]
}
