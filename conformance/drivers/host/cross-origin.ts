import type { Delivery } from '../../../reference/http/answer.js'
import { isPreflight, type ReceivedRequest } from '../../../reference/http/received-request.js'

/** Lets a page of another origin send what it asks for (Fetch, "CORS protocol"). Undefined: it is no such question. */
export function preflightAnswer(request: ReceivedRequest): Delivery | undefined {
  if (!isPreflight(request)) return undefined
  const { headers } = request
  const allowed = [
    ['Access-Control-Allow-Methods', headers['access-control-request-method']],
    ['Access-Control-Allow-Headers', headers['access-control-request-headers']],
  ].flatMap(([name = '', value]) => (value === undefined ? [] : [[name, value] as const]))
  return readableByPages({ kind: 'answer', answer: { status: 204, headers: allowed, body: '' } }, request)
}

/** Lets a page of another origin read the answer. To other clients it is unchanged. */
export function readableByPages(delivery: Delivery, { headers: { origin } }: ReceivedRequest): Delivery {
  if (delivery.kind !== 'answer' || origin === undefined) return delivery
  const { answer } = delivery
  const headers = [...answer.headers, ['Access-Control-Allow-Origin', '*'] as const]
  return { ...delivery, answer: { ...answer, headers } }
}
