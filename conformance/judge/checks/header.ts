import type { HeaderCheck } from '../../../spec/model/expectation.js'
import { cut } from '../../evidence/describe.js'
import { headerValues } from '../../wire/headers.js'
import type { HttpResponse } from '../../wire/http-response.js'
import { type CheckResult, PASS } from './check-result.js'

/** Judges one header field of the answer. */
export function checkHeader(response: HttpResponse, check: HeaderCheck): CheckResult {
  const { name, absent, equals, has, lacks, where } = check
  if (where !== undefined && fieldOf(response, where.name) !== where.equals) return PASS
  const value = fieldOf(response, name)
  const actual = value === undefined ? `no ${name}` : `${name}: ${shown(name, value)}`
  const fail = (message: string, expected: string): CheckResult => ({
    kind: 'fail',
    message,
    expected,
    actual,
  })
  if (absent) return value === undefined ? PASS : fail(`\`${name}\` is present`, `no ${name}`)
  if (lacks !== undefined) {
    if (value?.includes(lacks) !== true) return PASS
    // What follows the text may be a secret.
    return {
      kind: 'fail',
      message: `\`${name}\` holds ${lacks}`,
      expected: `no ${lacks} there`,
      actual: `${name} with ${lacks}`,
    }
  }
  if (value === undefined) return fail(`\`${name}\` is missing`, `${name}: ${equals ?? has ?? ''}`)
  if (equals !== undefined && value !== equals)
    return fail(`\`${name}\` is not ${JSON.stringify(equals)}`, `${name}: ${equals}`)
  if (has !== undefined && !elementsOf(value).includes(has.toLowerCase()))
    return fail(`\`${name}\` does not say ${has}`, `${name}: ${has}`)
  return PASS
}

/** All lines of a name, as one. */
function fieldOf({ raw }: HttpResponse, name: string): string | undefined {
  const lines = headerValues(raw.headers, name)
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** The elements of a list, without their parameters. */
function elementsOf(value: string): readonly string[] {
  return value.split(',').map((element) => (element.split(';')[0] ?? '').trim().toLowerCase())
}

/** A cookie's value is a secret. */
function shown(name: string, value: string): string {
  return name.toLowerCase() === 'set-cookie' ? '‹redacted›' : cut(value)
}
