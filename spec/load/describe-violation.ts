import { pointerTo } from '../model/json.js'
import { suggestion } from './nearest.js'
import { type Finding, finding, type Located } from './position.js'

/** One error of a generated validator (ajv, with `verbose` and `allErrors`). */
export interface ValidationError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly schema?: unknown
  readonly parentSchema?: Readonly<Record<string, unknown>>
  readonly data?: unknown
  readonly propertyName?: string
}

/** The key that the schema does not know, where that is what the error says. */
export function unknownKeyOf({ keyword, params }: ValidationError): string | undefined {
  if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties') return undefined
  return String(params.additionalProperty ?? params.unevaluatedProperty)
}

/** One error in words: `expected …, found …`, at the key or value that it is about. */
export function describe(error: ValidationError, located: Located, secrets: readonly string[] = []): Finding {
  const { instancePath, keyword, params, propertyName } = error
  const unknown = unknownKeyOf(error)
  if (unknown !== undefined) {
    const known = Object.keys(record(error.parentSchema?.properties))
    const near = suggestion(unknown, known)
    const expected = near === '' && known.length > 0 ? `one of the keys ${known.join(', ')}` : 'a known key'
    const isKeyOfSecrets = known.includes('password')
    const value = record(error.data)[unknown]
    const isShown = near !== '' || (KEY.test(unknown) && value !== null && !isKeyOfSecrets)
    const found = isShown ? `"${unknown}"${near}` : value === null ? PART_OF_VALUE : 'another key'
    const message = `expected ${expected}, found ${found}`
    return { position: located.keyAt(pointerTo(instancePath, unknown)), message }
  }
  if (propertyName !== undefined) {
    const message = `expected ${titleOf(error) ?? 'another form of key'}, found ${KEY.test(propertyName) ? `"${propertyName}"` : 'another text'}`
    return { position: located.keyAt(pointerTo(instancePath, propertyName)), message }
  }
  if (keyword === 'required' || keyword === 'dependentRequired')
    return finding(located.at(instancePath), `expected the key "${params.missingProperty}", found none`)
  if (keyword === 'false schema') {
    const title = titleOf(error)
    return { position: located.keyAt(instancePath), message: `expected ${title ?? 'no such key here'}` }
  }
  return { position: located.at(instancePath), message: expectation(error, secrets) }
}

const KEY = /^[\w.-]+$/
/** YAML reads a part of a value, which may be a secret, as a key: behind a colon without a space, or a comma. */
const PART_OF_VALUE = 'a key without a value: is a space missing after a colon, or are quotes?'

function expectation(error: ValidationError, secrets: readonly string[]): string {
  const { keyword, params, schema, data } = error
  const found = kindOf(data)
  switch (keyword) {
    case 'type': {
      const wanted = [params.type].flat().map(String)
      const hint =
        wanted.includes('string') && ['number', 'boolean'].includes(typeof data) ? ' (put it in quotes)' : ''
      return `expected ${titleOf(error) ?? wanted.map(article).join(' or ')}, found ${found}${hint}`
    }
    case 'enum': {
      const allowed = [schema].flat().map(String)
      // An object may have a `toString` of its own.
      const text = typeof data === 'object' ? '' : String(data)
      if (secrets.some((secret) => text.includes(secret)))
        return `expected one of ${allowed.join(', ')}, found another value, which came from the environment`
      const given = typeof data === 'string' ? `"${data}"` : found
      return `expected one of ${allowed.join(', ')}, found ${given}${suggestion(text, allowed)}`
    }
    case 'const':
      return `expected ${JSON.stringify(schema)}, found ${typeof data === 'boolean' ? data : found}`
    case 'pattern':
      return `expected ${titleOf(error) ?? `text matching ${schema}`}, found another form`
    case 'minLength':
      return `expected ${titleOf(error) ?? `at least ${schema} characters`}, found ${found}`
    case 'maxLength':
      return `expected at most ${schema} characters, found ${String(data).length}`
    case 'minItems':
    case 'minProperties':
      return `expected at least ${schema === 1 ? 'one entry' : `${schema} entries`}, found ${found}`
    case 'maxItems':
      return `expected at most ${schema} entries, found ${found}`
    case 'minimum':
      return `expected a number of at least ${schema}, found ${String(data)}`
    case 'exclusiveMinimum':
      return `expected a number above ${schema}, found ${String(data)}`
    case 'maximum':
      return `expected a number of at most ${schema}, found ${String(data)}`
    case 'uniqueItems':
      return 'expected each entry once, found the same one twice'
    case 'not':
      return `expected ${record(schema).title ?? titleOf(error) ?? 'another form'}`
    default:
      return `expected ${titleOf(error) ?? 'another form'}, found ${found}`
  }
}

/** A schema's `title` is the noun phrase that completes "expected …". */
function titleOf({ parentSchema }: ValidationError): string | undefined {
  const title = parentSchema?.title
  return typeof title === 'string' ? title : undefined
}

function kindOf(data: unknown): string {
  if (data === null || data === undefined) return 'nothing'
  if (Array.isArray(data)) return data.length === 0 ? 'an empty list' : 'a list'
  if (typeof data === 'object') return Object.keys(data).length === 0 ? 'an empty map' : 'a map'
  if (data === '') return 'an empty string'
  return typeof data === 'boolean' ? 'a boolean' : article(typeof data)
}

function article(type: string): string {
  const names: Readonly<Record<string, string>> = {
    array: 'a list',
    object: 'a map',
    integer: 'a whole number',
    boolean: 'true or false',
    null: 'nothing',
  }
  return names[type] ?? `a ${type}`
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}
