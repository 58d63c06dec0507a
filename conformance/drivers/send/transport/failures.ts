import { type HeaderList, NO_LOCAL_PORT } from '../../../../spec/model/report.js'
import type { Exchange, ExchangeFailure, FailureKind, WireRequest } from '../../../exchange/exchange.js'

/** How far an exchange had come when it failed. */
export type Progress = 'connecting' | 'sent' | 'answering' | 'headers'

const connectMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused: nothing listens at that address.',
  ENOTFOUND: 'The host name does not resolve.',
  EAI_AGAIN: 'The host name could not be resolved for now.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The host did not accept the connection.',
  EADDRNOTAVAIL: NO_LOCAL_PORT,
  EMFILE: 'This process may open no further connection.',
  RangeError: 'There is not enough memory for a connection.',
  EACCES: 'This machine does not allow the connection.',
  EPERM: 'This machine does not allow the connection.',
}

const trustIt = 'Declare the authority as `tls.ca` in the target file, or give `--ca FILE`.'
const untrusted = `The TLS certificate is signed by an authority that is not trusted here. ${trustIt}`
const otherHost = 'The TLS certificate is for another host name.'
const notTls = 'The server answered the TLS handshake with something that is not TLS.'
const noAnswer = 'The connection was closed before the first byte of an answer.'

const tlsMessages: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  CERT_REVOKED: 'The TLS certificate is revoked.',
  DEPTH_ZERO_SELF_SIGNED_CERT: `The TLS certificate is self-signed and not trusted here. ${trustIt}`,
  SELF_SIGNED_CERT_IN_CHAIN: `The chain of the TLS certificate ends in an authority that is not trusted here. ${trustIt}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: otherHost,
  HOSTNAME_MISMATCH: otherHost,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
}

export const transferCoded =
  'The Transfer-Encoding of the answer is other than chunked, which clients read in different ways.'
export const switchesProtocol = 'The answer switches to another protocol, which was not requested.'

/** What an error of the connection means for the exchange. */
export function failureOf(error: Error, progress: Progress, secure: boolean): ExchangeFailure {
  const code = codeOf(error)
  const certificate = tlsMessages[code]
  if (certificate !== undefined) return failure('tls', certificate)
  if (code.startsWith('ERR_OSSL_'))
    return failure('tls', `A certificate or key that the target declares cannot be used (${code}).`)
  if (isTlsCode(code)) return failure('tls', `The TLS connection failed (${code}).`)
  if (/^UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED|REQ_)/.test(code))
    return failure('unsendable', 'It is not a valid HTTP/1.1 request.')
  if (progress === 'connecting') return connecting(code, secure)
  const problem = protocolProblem(error, code, progress)
  if (problem !== undefined) return failure('protocol', problem)
  if (progress === 'sent') return failure('reset', noAnswer)
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return failure('incomplete', 'The body of the answer is shorter than its Content-Length.')
  const part = progress === 'headers' ? 'body' : 'header section'
  return failure('incomplete', `The connection was closed inside the ${part} of the answer.`)
}

function connecting(code: string, secure: boolean): ExchangeFailure {
  const message = connectMessages[code]
  if (message !== undefined) return failure('refused', message)
  if (secure) return failure('tls', 'The connection was closed during the TLS handshake.')
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return failure('reset', noAnswer)
  return failure('refused', `The connection could not be made (${code}).`)
}

/** What was wrong with the bytes of the answer; `undefined` where they merely ended. */
function protocolProblem(error: Error, code: string, progress: Progress): string | undefined {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'The header section of the answer is larger than 16 KiB.'
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return progress === 'headers'
      ? undefined
      : 'The Content-Length of the answer is not valid or given twice, or a header is folded.'
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') return switchesProtocol
  if (error.name !== 'HTTPParserError') return undefined
  // The parser's own words, from a fixed list; undici gives them a code in some releases only.
  const reason = /\(([^()]*)\)$/.exec(error.message)?.[1]
  if (reason === 'Invalid EOF state') return undefined
  return `The answer is not valid HTTP/1.1 (${reason ?? 'for an unknown reason'}).`
}

function isTlsCode(code: string): boolean {
  return code === 'EPROTO' || /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)/.test(code)
}

function codeOf(error: Error): string {
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : error.name
}

export function failure(kind: FailureKind, message: string): ExchangeFailure {
  return { kind, message }
}

/** An exchange that never began. */
export function unsent(request: WireRequest, failure: ExchangeFailure): Exchange {
  const now = Date.now()
  return { request, failure, startedAt: now, receivedAt: now, durationMs: 0 }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
const requestTarget = /^\/[\x21-\xff]*$/
/** Hop-by-hop fields that would change how the message is framed or answered. */
const framingHeaders = new Set(['transfer-encoding', 'upgrade', 'keep-alive', 'expect', 'te', 'trailer'])

/** Why it is not a valid HTTP/1.1 request, as one sentence; `undefined` when it is. */
export function explainUnsendable(request: WireRequest): string | undefined {
  if (!token.test(request.method) || request.method === 'CONNECT') return 'The method cannot be sent.'
  if (!requestTarget.test(request.path))
    return 'The path does not begin with a slash, or holds white space, control characters or characters beyond U+00FF.'
  return explainUnsendableHeaders(request.headers, request.body?.byteLength ?? 0)
}

/** The same for headers alone; with the body's length a `Content-Length` is checked too. */
export function explainUnsendableHeaders(headers: HeaderList, bodyLength?: number): string | undefined {
  for (const [name, value] of headers) {
    if (!token.test(name)) return 'The name of a header is not a token.'
    if (!fieldValue.test(value))
      return `The header ${name} holds control characters or characters beyond U+00FF.`
    const lower = name.toLowerCase()
    if (framingHeaders.has(lower)) return `The header ${name} would change how the message is framed.`
    if (lower === 'content-length' && bodyLength !== undefined && value !== String(bodyLength))
      return 'The Content-Length is not the length of the body.'
  }
  return undefined
}
