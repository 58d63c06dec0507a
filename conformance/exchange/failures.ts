import type { ExchangeFailure, FailureKind } from '../exchange.js'

/** How far an exchange had come when it failed. */
export type Progress = 'connecting' | 'sent' | 'answering' | 'headers'

const refusedBecause: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens at that address: the connection was refused.',
  ENOTFOUND: 'The host name does not resolve.',
  EAI_AGAIN: 'The host name could not be resolved just now.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The host did not accept the connection.',
  EADDRNOTAVAIL: 'This machine has no local port left for the connection.',
  EMFILE: 'This process may open no further connection.',
  EACCES: 'This machine does not allow the connection.',
  EPERM: 'This machine does not allow the connection.',
}

const tlsBecause: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed and not trusted here.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'The chain of the TLS certificate ends in an authority that is not trusted here.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The TLS certificate is signed by an authority that is not trusted here.',
  UNABLE_TO_GET_ISSUER_CERT: 'The TLS certificate is signed by an authority that is not trusted here.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The TLS certificate is signed by an authority that is not trusted here.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  HOSTNAME_MISMATCH: 'The TLS certificate is for another host name.',
  CERT_REVOKED: 'The TLS certificate is revoked.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'What came instead of a TLS handshake is not TLS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'What came instead of a TLS handshake is not TLS.',
}

const protocolBecause: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'The header section of the answer is larger than 16 KiB.',
  HPE_HEADER_OVERFLOW: 'The header section of the answer is larger than 16 KiB.',
  HPE_INVALID_CONTENT_LENGTH: 'The Content-Length of the answer is no number.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'The answer gives its length twice, or in two ways.',
  HPE_INVALID_TRANSFER_ENCODING: 'The Transfer-Encoding of the answer is not valid.',
  HPE_INVALID_CHUNK_SIZE: 'A chunk of the answer has no valid size.',
  HPE_INVALID_HEADER_TOKEN: 'A header of the answer is not valid HTTP/1.1.',
  HPE_INVALID_VERSION: 'The answer is of another HTTP version than 1.1.',
}

export const switchesProtocol = 'The answer switches to another protocol, which nobody asked for.'

/** What an error of the connection means for the exchange. */
export function failureOf(error: Error, progress: Progress, secure: boolean): ExchangeFailure {
  const code = codeOf(error)
  const certificate = tlsBecause[code]
  if (certificate !== undefined) return failure('tls', certificate)
  if (isTlsCode(code)) return failure('tls', `The TLS connection failed (${code}).`)
  if (progress === 'connecting') return connecting(code, secure)
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED' || code.startsWith('UND_ERR_REQ_'))
    return failure('unsendable', 'No valid HTTP/1.1 request can carry it.')
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade')
    return failure('protocol', switchesProtocol)
  if (isProtocolCode(code, progress))
    return failure('protocol', protocolBecause[code] ?? 'What came is not a valid HTTP/1.1 answer.')
  if (progress === 'sent')
    return failure('reset', 'The connection was closed before the first byte of an answer.')
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return failure('incomplete', 'The body of the answer is shorter than its Content-Length.')
  return failure(
    'incomplete',
    progress === 'headers'
      ? 'The connection was closed inside the body of the answer.'
      : 'The connection was closed inside the header section of the answer.',
  )
}

function connecting(code: string, secure: boolean): ExchangeFailure {
  const because = refusedBecause[code]
  if (because !== undefined) return failure('refused', because)
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return failure('unsendable', 'No valid HTTP/1.1 request can carry it.')
  if (secure) return failure('tls', 'The connection was closed during the TLS handshake.')
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return failure('reset', 'The connection was closed before the first byte of an answer.')
  return failure('refused', `The connection could not be made (${code}).`)
}

/** The parser's errors; the end of the connection inside an answer is one of them too, but no fault of syntax. */
function isProtocolCode(code: string, progress: Progress): boolean {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return true
  if (code === 'HPE_INVALID_EOF_STATE' || code === 'HPE_CB_MESSAGE_BEGIN') return false
  if (code.startsWith('HPE_')) return true
  return code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && progress !== 'headers'
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
