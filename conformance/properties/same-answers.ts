import type { Json } from '../../spec/model/json.js'
import { cut } from '../evidence/describe.js'
import type { HttpResponse } from '../exchange/http-response.js'
import type { PropertyFinding } from './one-finding.js'

function partsOf(response: HttpResponse): Map<string, string> {
  const parts = new Map([
    ['status', String(response.status)],
    ['Content-Type', response.header('content-type') ?? 'none'],
  ])
  const object = objectOf(response.text)
  if (object === undefined) return parts.set('body', response.text)
  for (const [name, value] of Object.entries(object)) parts.set(`/${name}`, JSON.stringify(value))
  return parts.set('members', Object.keys(object).sort().join(', '))
}

function objectOf(text: string): Readonly<Record<string, Json>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // An array has its places as names.
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, Json>>) : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether the answers to logins with a user name that is known, and with one that is not, differ in what is alike in all of
 * each: what differs from one to the next, such as an id of the request, says nothing.
 * @param login what was sent for both
 */
export function compareLoginAnswers(
  login: string,
  known: readonly HttpResponse[],
  unknown: readonly HttpResponse[],
): PropertyFinding {
  const [ours, others] = [known.map(partsOf), unknown.map(partsOf)]
  for (const part of new Set([...ours, ...others].flatMap((parts) => [...parts.keys()]))) {
    const [own, other] = [ours, others].map((all) => new Set(all.map((parts) => parts.get(part) ?? 'absent')))
    if (own?.size !== 1 || other?.size !== 1) continue
    const [[value = ''], [expected = '']] = [[...own], [...other]]
    if (value === expected) continue
    return {
      outcome: 'failed',
      message: `the answers to ${login} for a known and for an unknown user name differ in ${part}`,
      expected: `the same for both, such as ${cut(expected)}`,
      actual: `${cut(value)} for a user name that is known`,
    }
  }
  return { outcome: 'passed' }
}
