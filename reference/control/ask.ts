import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { ControlError, controlErrorCodes, type ProblemCode } from '../control-error.js'

/** A control plane, and what lets in. */
export interface ControlEndpoint {
  /** Without a trailing slash. */
  readonly origin: string
  readonly secret: string
  /** The time for a whole exchange, not counting what the server is asked to wait. */
  readonly timeoutMs: number
}

export interface ControlRequest {
  readonly method: string
  /** Sent as it is: a name such as `..` must not be taken for a step. */
  readonly path: string
  readonly body?: unknown
  /** How long the server may wait before it answers. */
  readonly waitMs?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks once, on a connection of its own, and follows no redirection: the secret goes to no one else.
 * @throws ControlError as the server told it, or `unreachable`; or the signal's reason
 */
export async function ask<T>(endpoint: ControlEndpoint, request: ControlRequest): Promise<T> {
  const { signal, waitMs = 0, body } = request
  signal?.throwIfAborted()
  const json = body === undefined ? undefined : toJson(body)
  const limitMs = endpoint.timeoutMs + waitMs
  const late = AbortSignal.timeout(limitMs)
  const ends = signal === undefined ? late : AbortSignal.any([signal, late])
  try {
    const answer = await exchange(endpoint, request, json, ends)
    return read(endpoint, answer.statusCode ?? 0, await bounded(endpoint, answer))
  } catch (cause) {
    if (cause instanceof ControlError) throw cause
    if (signal?.aborted) throw signal.reason
    const why = late.aborted ? `no answer within ${limitMs} ms` : messageOf(cause)
    throw new ControlError('unreachable', `no control plane can be reached at ${endpoint.origin}: ${why}`, {
      cause,
    })
  }
}

/** @throws ControlError `bad-request` for what JSON would leave out, such as a function, or cannot hold */
function toJson(body: unknown): string {
  try {
    return JSON.stringify(body, (name, value: unknown) => {
      if (/^(?:function|symbol|bigint)$/.test(typeof value))
        throw new ControlError('bad-request', `expected ${name} to be JSON, found a ${typeof value}`)
      return value
    })
  } catch (cause) {
    if (cause instanceof ControlError) throw cause
    throw new ControlError('bad-request', 'expected JSON, found a value that cannot be written as JSON', {
      cause,
    })
  }
}

function exchange(
  { origin, secret }: ControlEndpoint,
  { method, path }: ControlRequest,
  json: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { protocol, hostname, port, pathname } = new URL(origin)
  const request = protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    request(
      {
        // Of an IPv6 address a URL has brackets, a socket has none.
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        method,
        path: pathname.replace(/\/$/, '') + path,
        agent: false,
        signal,
        headers: {
          Authorization: `Bearer ${secret}`,
          ...(json !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(json),
          }),
        },
      },
      resolve,
    )
      .on('error', reject)
      .end(json)
  })
}

/** Bytes: all accounts of a server, or its whole journal, are less. */
const MAX_ANSWER = 64 * 1024 * 1024

async function bounded({ origin }: ControlEndpoint, answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    // Without an encoding, a stream of bytes.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > MAX_ANSWER) throw notControlPlane(origin, answer.statusCode ?? 0)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

function read<T>({ origin }: ControlEndpoint, status: number, body: string): T {
  const json = parsed(body)
  // The server's side of this contract is control/openapi.yaml, which a test holds both sides to.
  if (status === 204 || (status < 300 && json !== undefined)) return json as T
  throw problemIn(json) ?? notControlPlane(origin, status)
}

/** Something else answers at this address. */
export function notControlPlane(origin: string, status: number): ControlError {
  return new ControlError(
    'unreachable',
    `what answers at ${origin} is no control plane (status ${status}): is it the port of the server itself?`,
  )
}

function problemIn(json: unknown): ControlError | undefined {
  if (typeof json !== 'object' || json === null || !('title' in json && 'detail' in json)) return undefined
  const { title, detail } = json
  const code = controlErrorCodes.find((known: ProblemCode) => known === title)
  return code === undefined || typeof detail !== 'string' ? undefined : new ControlError(code, detail)
}

function parsed(body: string): unknown {
  try {
    return body === '' ? undefined : JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Where several addresses were tried, what each said. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
