import type { Json } from '../../spec/types.js'
import { isText } from '../http/json-body.js'
import { ControlError } from './control-error.js'

const longestPath = 1024

/** The members of an object that came from outside, read one by one. Every method throws `bad-request`. */
export interface Fields {
  text(name: string, longest: number): string | undefined
  text(name: string, longest: number, required: true): string
  integer(name: string, least: number, most: number): number | undefined
  integer(name: string, least: number, most: number, required: true): number
  /** Any finite one. */
  number(name: string): number | undefined
  number(name: string, required: true): number
  flag(name: string): boolean | undefined
  oneOf<T extends string>(name: string, values: readonly T[]): T
  /** A method as requests have them: in capitals. */
  method(name: string): string | undefined
  /** A path as requests have them: from its first slash on, without a query; it may begin with `*`. */
  path(name: string): string | undefined
  /** Unread. */
  json(name: string): Json | undefined
  /** Throws where a member is left that nobody has read: it may be misspelt. */
  done(): void
  problem(name: string, expected: string): ControlError
}

/** @param what names it in messages @throws ControlError `bad-request` where it is no object */
export function readObject(what: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ControlError('bad-request', `expected ${what} as a JSON object`)
  const members = new Map<string, unknown>(Object.entries(value))
  const read = new Set<string>()
  const problem = (name: string, expected: string): ControlError =>
    new ControlError('bad-request', `${what}: expected ${name} to be ${expected}`)
  const take = (name: string): unknown => {
    read.add(name)
    return members.get(name)
  }
  const checked = <T>(
    name: string,
    required: boolean,
    is: (value: unknown) => value is T,
    expected: string,
  ): T | undefined => {
    const value = take(name)
    if (is(value)) return value
    if (value === undefined && !required) return undefined
    throw problem(name, expected)
  }

  const text = (name: string, longest: number, required = false): string | undefined =>
    checked(
      name,
      required,
      (value): value is string => isText(value) && value !== '' && isAtMost(longest, value),
      `a text of 1 to ${longest} characters`,
    )
  const integer = (name: string, least: number, most: number, required = false): number | undefined =>
    checked(
      name,
      required,
      (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
      `a whole number from ${least} to ${most}`,
    )

  const number = (name: string, required = false): number | undefined =>
    checked(name, required, (value): value is number => Number.isFinite(value), 'a number')

  return {
    // The overloads' promise: with `required` there is a value, or an exception.
    text: text as Fields['text'],
    integer: integer as Fields['integer'],
    number: number as Fields['number'],
    flag: (name) =>
      checked(name, false, (value): value is boolean => typeof value === 'boolean', 'true or false'),
    oneOf: (name, values) => {
      const value = take(name)
      const known = values.find((candidate) => candidate === value)
      if (known === undefined) throw problem(name, `one of ${values.join(', ')}`)
      return known
    },
    // What no request can have would wait, or be wrong, in silence.
    method: (name) =>
      checked(
        name,
        false,
        (value): value is string => typeof value === 'string' && /^[A-Z-]{1,32}$/.test(value),
        'one such as POST',
      ),
    path: (name) =>
      checked(
        name,
        false,
        (value): value is string =>
          isText(value) && /^[/*][^?#]*$/.test(value) && isAtMost(longestPath, value),
        'one such as /Token, without a query',
      ),
    // Whoever calls has parsed it from JSON, or is a program that means it as such.
    json: (name) => take(name) as Json | undefined,
    done: () => {
      const [unknown] = [...members.keys()].filter(
        (name) => !read.has(name) && members.get(name) !== undefined,
      )
      if (unknown !== undefined)
        throw new ControlError(
          'bad-request',
          `${what}: expected no member${read.size === 0 ? '' : ` but ${[...read].join(', ')}`}, found ${JSON.stringify(unknown.slice(0, 64))}`,
        )
    },
    problem,
  }
}

/** So many characters, as people and schemas count them: a string's length counts some twice. */
function isAtMost(longest: number, text: string): boolean {
  return text.length <= longest || (text.length <= longest * 2 && [...text].length <= longest)
}
