import { describe, unknownKeyOf, type ValidationError } from './describe-violation.js'
import { suggestion } from './nearest.js'
import type { Finding, Located } from './position.js'

/** What `spec/generated/validators.js` exports: one function per schema of `spec/schemas/`. */
export interface Validator<Valid = unknown> {
  (value: unknown): value is Valid
  readonly errors?: readonly ValidationError[] | null
}

/**
 * What is wrong with a value, one finding per fault, the most telling first: unknown keys (with the nearest known one)
 * before the rest, then in the order of the text. Empty where the value is valid.
 * Values are named by their kind, not quoted, but where the schema lists what may be there: a file may hold passwords.
 * @param secrets texts that are not quoted there either
 */
export function violations(
  validate: Validator,
  value: unknown,
  located: Located,
  secrets: readonly string[] = [],
): readonly Finding[] {
  if (validate(value)) return []
  const errors = telling(validate.errors ?? [])
  const ranked = errors.map((error) => ({
    unknownKey: unknownKeyOf(error) !== undefined,
    ...describe(error, located, secrets),
  }))
  ranked.sort(
    (a, b) =>
      Number(b.unknownKey) - Number(a.unknownKey) ||
      a.position.line - b.position.line ||
      a.position.column - b.position.column,
  )
  const seen = new Set<string>()
  return ranked
    .map(({ position, message }) => ({ position, message }))
    .filter(({ position, message }) => {
      const key = `${position.file}:${position.line}:${position.column}:${message}`
      return !seen.has(key) && seen.add(key)
    })
}

const unions: readonly string[] = ['anyOf', 'oneOf']

/** The keys of a union that only says which of them are needed: its title says it better than its branches. */
function choiceOfKeys({ schema }: ValidationError): readonly unknown[] | undefined {
  const branches: readonly unknown[] = Array.isArray(schema) ? schema : []
  const keys = branches.map((branch) =>
    typeof branch === 'object' && branch !== null && Object.keys(branch).join() === 'required'
      ? Object.values(branch).flat()
      : undefined,
  )
  return keys.includes(undefined) ? undefined : keys.flat()
}

/**
 * Drops the noise: the summary of an `if`; of a union whose branches differ in type, the branches that the value was
 * never meant for; a missing key that an unknown one misspells.
 */
function telling(errors: readonly ValidationError[]): readonly ValidationError[] {
  let left = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')
  for (const union of errors.filter(({ keyword }) => unions.includes(keyword))) {
    const choice = choiceOfKeys(union)
    const within = (error: ValidationError): boolean =>
      error.instancePath.startsWith(`${union.instancePath}/`) ||
      (error.instancePath === union.instancePath &&
        ['additionalProperties', 'required'].includes(error.keyword))
    const deeper = left.some(within)
    left = left.filter((error) => {
      if (choice !== undefined)
        return (
          error.instancePath !== union.instancePath ||
          error.keyword !== 'required' ||
          !choice.includes(error.params.missingProperty)
        )
      if (error === union) return !deeper
      return error.instancePath !== union.instancePath || within(error)
    })
  }
  return left.filter((error) => {
    const missing = error.keyword === 'required' ? error.params.missingProperty : undefined
    if (typeof missing !== 'string') return true
    return !left.some((other) => {
      const unknown = other.instancePath === error.instancePath ? unknownKeyOf(other) : undefined
      return unknown !== undefined && suggestion(unknown, [missing]) !== ''
    })
  })
}
