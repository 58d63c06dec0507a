import { randomInt } from 'node:crypto'
import type { Json } from '../../spec/model/json.js'
import { matchesGlob } from '../../spec/model/selection.js'
import { ControlError } from '../control-error.js'
import type { Answer, Delivery } from '../http/answer.js'
import { formValues, parseForm } from '../http/form.js'
import { isPreflight, type ReceivedRequest } from '../http/received-request.js'
import { readControlInput } from '../input/read-control-input.js'
import type { ActiveFault, Fault, FaultMatch } from './fault.js'
import { createLimitedList } from './limited-list.js'

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

const longestBody = 65_536
const ownHeaders = /^(content-length|transfer-encoding|trailer|connection|date)$/i

/** The answer is framed, and dated by the clock, whatever a fault or a hook says. */
export function refuseOwnHeaders(name: string, headers: object): void {
  if (Object.keys(headers).some((header) => ownHeaders.test(header)))
    throw new ControlError(
      'bad-request',
      `expected ${name} without Content-Length, Transfer-Encoding, Trailer, Connection and Date`,
    )
}

/** @throws ControlError `bad-request` naming what is wrong */
function readFault(given: Fault): Fault {
  const fault = readControlInput<Fault>('fault', given)
  if (fault.kind !== 'status') return fault
  refuseOwnHeaders('fault.headers', fault.headers ?? {})
  return fault.body === undefined ? fault : { ...fault, body: readBody(fault.body) }
}

/** A program may give what is no JSON. */
function readBody(body: Json): Json {
  const text: string | undefined = typeof body === 'bigint' ? undefined : JSON.stringify(body)
  if (text !== undefined && text.length <= longestBody) return JSON.parse(text)
  throw new ControlError('bad-request', `expected fault.body to be JSON of at most ${longestBody} characters`)
}

export function createFaults(): InterceptingFaults {
  const { list, add, remove, clear, meet } = createLimitedList<Fault>('faults')
  return {
    list,
    add: (given) => add(readFault(given)),
    remove,
    clear,
    intercept(request) {
      const met = meet(({ match }) => matches(match, request))
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

export function matches(match: FaultMatch | undefined, request: ReceivedRequest): boolean {
  // A browser's question before the request that is meant, of which its page never hears.
  if (isPreflight(request) && match?.method !== 'OPTIONS') return false
  if (match === undefined) return true
  const { method = request.method, path, grantType, userName } = match
  if (method !== request.method || (path !== undefined && !matchesGlob(path, request.path))) return false
  if (grantType === undefined && userName === undefined) return true
  const form = parseForm(request.body)
  return (
    (grantType === undefined || formValues(form, 'grant_type').includes(grantType)) &&
    (userName === undefined || formValues(form, 'username').includes(userName))
  )
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
