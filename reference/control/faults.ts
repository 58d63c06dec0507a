import { randomInt } from 'node:crypto'
import type { Answer, Delivery } from '../http/answer.js'
import { isPreflight } from '../http/cors.js'
import { formValues, parseForm } from '../http/form.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { ControlError } from './control-error.js'
import type { ActiveFault, Fault, FaultMatch } from './fault.js'
import { readFault } from './read-fault.js'

/** The faults of one store, in the order in which they were added. */
export interface Faults {
  list(): readonly ActiveFault[]
  /** @throws ControlError `bad-request`, or `full` beyond 100 faults */
  add(fault: Fault): ActiveFault
  /** Whether there was one. */
  remove(id: string): boolean
  clear(): void
}

/** What the faults make of one request. */
export interface Interception {
  /** The ids of the faults that met it. */
  readonly faults: readonly string[]
  /** In place of the service's answer. */
  readonly answer?: Answer
  alter(delivery: Delivery): Delivery
}

export interface InterceptingFaults extends Faults {
  /** `undefined`: none meets this request. Counts those that do. */
  intercept(request: ReceivedRequest): Interception | undefined
}

const faultsKept = 100

export function createFaults(): InterceptingFaults {
  let counter = 0
  const faults = new Map<string, { readonly fault: Fault; seen: number; hits: number }>()

  const meets = (request: ReceivedRequest): readonly (readonly [string, Fault])[] =>
    [...faults].flatMap(([id, entry]) => {
      const { times = Number.POSITIVE_INFINITY, after = 0, match } = entry.fault
      if (entry.hits >= times || !matches(match, request)) return []
      entry.seen += 1
      if (entry.seen <= after) return []
      entry.hits += 1
      return [[id, entry.fault] as const]
    })

  return {
    list: () => [...faults].map(([id, { fault, hits }]) => ({ ...fault, id, hits })),
    add(given) {
      const fault = readFault(given)
      if (faults.size >= faultsKept)
        throw new ControlError('full', `there are ${faultsKept} faults already: remove some`)
      counter += 1
      const id = String(counter)
      faults.set(id, { fault, seen: 0, hits: 0 })
      return { ...fault, id, hits: 0 }
    },
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    intercept(request) {
      if (faults.size === 0) return undefined
      const met = meets(request)
      if (met.length === 0) return undefined
      const answer = met.map(([, fault]) => answerOf(fault)).find((candidate) => candidate !== undefined)
      return {
        faults: met.map(([id]) => id),
        ...(answer !== undefined && { answer }),
        alter: (delivery) => met.reduce((altered, [, fault]) => alter(altered, fault, request), delivery),
      }
    },
  }
}

function matches(match: FaultMatch | undefined, request: ReceivedRequest): boolean {
  // A browser's question before the request that is meant, of which its page never hears.
  if (isPreflight(request) && match?.method !== 'OPTIONS') return false
  if (match === undefined) return true
  const { method = request.method, path, grantType, userName } = match
  if (method !== request.method || (path !== undefined && !isGlobOf(path, request.path))) return false
  if (grantType === undefined && userName === undefined) return true
  const form = parseForm(request.body)
  return (
    (grantType === undefined || formValues(form, 'grant_type').includes(grantType)) &&
    (userName === undefined || formValues(form, 'username').includes(userName))
  )
}

/** `*` stands for any characters. In linear time: a pattern comes from outside. */
function isGlobOf(glob: string, text: string): boolean {
  const [first = '', ...rest] = glob.split(/\*+/)
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

function answerOf(fault: Fault): Answer | undefined {
  if (fault.kind !== 'status') return undefined
  const { status, headers = {}, body = '' } = fault
  const isText = typeof body === 'string'
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const type = isText ? 'text/plain;charset=UTF-8' : 'application/json;charset=UTF-8'
  return {
    status,
    headers: [...(named ? [] : [['Content-Type', type] as const]), ...Object.entries(headers)],
    body: isText ? body : JSON.stringify(body),
  }
}

function alter(delivery: Delivery, fault: Fault, { method }: ReceivedRequest): Delivery {
  const { delayMs = 0 } = delivery
  switch (fault.kind) {
    case 'status':
      return delivery
    case 'delay':
      return { ...delivery, delayMs: delayMs + fault.ms + randomInt((fault.jitterMs ?? 0) + 1) }
    case 'drop':
      return fault.reset === true
        ? { kind: 'reset', delayMs }
        : { kind: 'raw', bytes: new Uint8Array(), delayMs }
    default:
      return delivery.kind === 'answer' && hasBody(method, delivery.answer)
        ? alterAnswer(delivery, fault)
        : delivery
  }
}

/** Where there is none (RFC 9110 6.4.1), nothing can go wrong with it. */
function hasBody(method: string, { status }: Answer): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

function alterAnswer(
  delivery: Extract<Delivery, { kind: 'answer' }>,
  fault: Extract<Fault, { kind: 'truncate' | 'malformed-json' | 'drip' }>,
): Delivery {
  const { body } = delivery.answer
  switch (fault.kind) {
    case 'truncate': {
      const length = Buffer.byteLength(body)
      const bytes = fault.bytes ?? Math.floor(length / 2)
      // Where nothing is cut the next request on the connection must not pay for it.
      return bytes < length ? { ...delivery, cutAfterBytes: bytes } : delivery
    }
    case 'malformed-json':
      return { ...delivery, answer: { ...delivery.answer, body: Buffer.from(body).subarray(0, -1) } }
    case 'drip':
      return { ...delivery, drip: { bytes: fault.bytes ?? 1, everyMs: fault.everyMs ?? 100 } }
  }
}
