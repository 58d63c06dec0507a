import type { Json } from '../../spec/types.js'
import type { Fault, FaultEffect, FaultMatch } from './fault.js'
import { given } from './given.js'
import { type Fields, readObject } from './read-object.js'

const longestDelayMs = 3_600_000
const longestBody = 65_536

const effects: Readonly<Record<FaultEffect['kind'], (fields: Fields) => FaultEffect>> = {
  status: (fields) => {
    const body = copyOf(fields.json('body'))
    if (body === 'too much')
      throw fields.problem('body', `JSON of at most ${longestBody} characters, and not deeply nested`)
    return {
      kind: 'status',
      status: fields.integer('status', 200, 599, true),
      ...headersOf(fields),
      ...given({ body: body?.value }),
    }
  },
  delay: (fields) => ({
    kind: 'delay',
    ms: fields.integer('ms', 0, longestDelayMs, true),
    ...given({ jitterMs: fields.integer('jitterMs', 0, longestDelayMs) }),
  }),
  drop: (fields) => ({ kind: 'drop', ...given({ reset: fields.flag('reset') }) }),
  truncate: (fields) => ({ kind: 'truncate', ...given({ bytes: fields.integer('bytes', 0, longestBody) }) }),
  'malformed-json': () => ({ kind: 'malformed-json' }),
  drip: (fields) => ({
    kind: 'drip',
    ...given({
      bytes: fields.integer('bytes', 1, longestBody),
      everyMs: fields.integer('everyMs', 1, longestDelayMs),
    }),
  }),
}

/** A program may give what is no JSON, or change it later. */
function copyOf(body: Json | undefined): { readonly value: Json } | 'too much' | undefined {
  if (body === undefined) return undefined
  try {
    const text = JSON.stringify(body)
    return text.length > longestBody ? 'too much' : { value: JSON.parse(text) }
  } catch {
    return 'too much'
  }
}

/** @throws ControlError `bad-request` naming what is not usable */
export function readFault(value: unknown): Fault {
  const fields = readObject('the fault', value)
  const kind = fields.oneOf('kind', Object.keys(effects) as FaultEffect['kind'][])
  const effect = effects[kind](fields)
  const fault = {
    ...effect,
    ...given({
      match: matchOf(fields.json('match')),
      times: fields.integer('times', 1, 1_000_000),
      after: fields.integer('after', 0, 1_000_000),
    }),
  }
  fields.done()
  return fault
}

function matchOf(value: unknown): FaultMatch | undefined {
  if (value === undefined) return undefined
  const fields = readObject('match', value)
  const match = given({
    method: fields.method('method'),
    path: fields.path('path'),
    grantType: fields.text('grantType', 1024),
    userName: fields.text('userName', 1024),
  })
  fields.done()
  return match
}

function headersOf(fields: Fields): { readonly headers?: Readonly<Record<string, string>> } {
  const value = fields.json('headers')
  if (value === undefined) return {}
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined
  const headers = entries?.flatMap(([name, text]: readonly [string, Json]) =>
    // Neither may end a line, or frame the answer otherwise than it is; the date is the clock's.
    typeof text === 'string' &&
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
    /^[\t\x20-\x7e]*$/.test(text) &&
    !/^(content-length|transfer-encoding|trailer|connection|date)$/i.test(name)
      ? [[name, text] as const]
      : [],
  )
  if (entries === undefined || headers?.length !== entries.length)
    throw fields.problem(
      'headers',
      'names and printable texts, without Content-Length, Transfer-Encoding, Trailer, Connection and Date',
    )
  return { headers: Object.fromEntries(headers) }
}
