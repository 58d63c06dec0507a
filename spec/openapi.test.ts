import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { parseMediaType } from '../conformance/exchange/headers.js'
import { sendExample } from './fixtures/documented-server.js'
import { examplesOf, nodesIn, OPENAPI, type OpenapiExample, readOpenapi } from './fixtures/openapi.js'
import { openapiFiles, readSchema, schemaProblems } from './fixtures/openapi-schemas.js'
import { loadSpecification } from './load/specification.js'

const document = readOpenapi()
const examples = [...examplesOf(document)]
const requests = examples.filter(({ status }) => status === undefined)
const answers = examples.filter(({ status }) => status !== undefined)
const nameOf = ({ path, name }: OpenapiExample): string => `${path} ${name}`

t.test('it is valid OpenAPI 3.1, and every reference leads somewhere', async (t) => {
  const validator = new Validator()
  for (const file of openapiFiles) await validator.addSpecRef(readSchema(file), file)
  t.strictSame(await validator.validate(readOpenapi()), { valid: true })
  t.equal(validator.version, '3.1')
})

t.test('it refers to the schemas that are shipped, and to no other file', async (t) => {
  t.strictSame(openapiFiles.toSorted(), [
    'schemas/account-policy.schema.json',
    'schemas/error.schema.json',
    'schemas/token-response.schema.json',
  ])
})

t.test('it cites rules that there are, and has the version of the package', async (t) => {
  const text = readFileSync(OPENAPI, 'utf8')
  const cited = Array.from(text.matchAll(/`(\d(?:\.\d)?-[\w-]+)`/g), ([, id = '']) => id)
  const rules = loadSpecification().requirements.map(({ id }) => id)
  t.ok(cited.length > 30)
  t.strictSame(
    cited.filter((id) => !rules.includes(id)),
    [],
  )
  const { version, license } = JSON.parse(readFileSync(new URL('../package.json', OPENAPI), 'utf8'))
  t.match(document, { info: { version, license: { identifier: license } } })
})

t.test('every example is valid by its schema', async (t) => {
  for (const { schema, value, status = 'request', ...example } of examples) {
    // A request that breaks the contract on purpose has none.
    if (schema !== undefined) t.strictSame(schemaProblems(schema, value), [], `${example.name} ${status}`)
  }
  const settings = requests.flatMap(({ settings: { policy } }) => policy ?? [])
  t.equal(settings.length, 3)
  const own = [...nodesIn(document)].flatMap((node) =>
    'examples' in node && Array.isArray(node.examples) ? node.examples : [],
  )
  t.equal(own.length, 1)
  const policy = { $ref: '#/components/schemas/AccountPolicy' }
  for (const value of [...settings, ...own]) t.strictSame(schemaProblems(policy, value), [])
})

t.test('every request has one answer, and every answer its request', async (t) => {
  t.ok(requests.length > 15)
  t.strictSame(answers.map(nameOf).toSorted(), requests.map(nameOf).toSorted())
})

for (const asked of requests) {
  t.test(`${nameOf(asked)}: the reference server answers as documented`, async (t) => {
    const documented = answers.find((answer) => nameOf(answer) === nameOf(asked))
    const { status, mediaType, text } = await sendExample(asked)
    if (documented?.status === 'default') t.ok(status >= 400, String(status))
    else t.equal(String(status), documented?.status)
    t.ok(inRange(mediaType, documented?.mediaType ?? ''), `${mediaType} is ${documented?.mediaType}`)
    const answer = JSON.parse(text)
    t.strictSame(schemaProblems(documented?.schema, answer), [])
    // Member by member: their order is documented too (2.1-R3).
    t.strictSame(Object.entries(answer).map(lasting), Object.entries(documented?.value ?? {}).map(lasting))
  })
}

/** Whether a media type lies in the documented range; one with parameters asks for them. */
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
