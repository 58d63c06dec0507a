import type { Json } from '../../spec/model/json.js'
import type { HttpResponse } from '../wire/http-response.js'
import type { Finding } from './one-finding.js'

/** What is alike in all answers of a kind: what differs from one to the next, such as an id of the request, says nothing. */
function constantParts(answers: readonly HttpResponse[]): ReadonlyMap<string, string> {
  const all = answers.map(partsOf)
  const [first = new Map()] = all
  return new Map([...first].filter(([part, value]) => all.every((other) => other.get(part) === value)))
}

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

/** Whether the answers to logins with a user name that is known, and one that is not, differ in what is the same in each. */
export function compareAnswers(known: readonly HttpResponse[], unknown: readonly HttpResponse[]): Finding {
  const [ours, others] = [constantParts(known), constantParts(unknown)]
  for (const [part, value] of ours) {
    const other = others.get(part)
    if (other === undefined || other === value) continue
    return {
      outcome: 'failed',
      message: `the answer to a wrong password and that for an unknown user name differ in ${part}`,
      expected: `the same for both, such as ${other}`,
      actual: `${value} for a user name that is known`,
    }
  }
  return { outcome: 'passed' }
}
