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

export const switchesProtocol = 'The answer switches to another protocol, which nobody asked for.'

/** What an error of the connection means for the exchange. */
export function failureOf(error: Error, progress: Progress, secure: boolean): ExchangeFailure {
  const code = codeOf(error)
  const certificate = tlsBecause[code]
  if (certificate !== undefined) return failure('tls', certificate)
  if (code.startsWith('ERR_OSSL_'))
    return failure('tls', `A certificate or key that the target declares cannot be used (${code}).`)
  if (isTlsCode(code)) return failure('tls', `The TLS connection failed (${code}).`)
  if (/^UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED|REQ_)/.test(code))
    return failure('unsendable', 'No valid HTTP/1.1 request can carry it.')
  if (progress === 'connecting') return connecting(code, secure)
  const fault = protocolFault(error, code, progress)
  if (fault !== undefined) return failure('protocol', fault)
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
  if (secure) return failure('tls', 'The connection was closed during the TLS handshake.')
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return failure('reset', 'The connection was closed before the first byte of an answer.')
  return failure('refused', `The connection could not be made (${code}).`)
}

/** What was wrong with the bytes of the answer; `undefined` where they merely ended. */
function protocolFault(error: Error, code: string, progress: Progress): string | undefined {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'The header section of the answer is larger than 16 KiB.'
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return progress === 'headers'
      ? undefined
      : 'The length that the answer gives is not valid, or given twice.'
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') return switchesProtocol
  if (error.name !== 'HTTPParserError') return undefined
  // The parser's own words, from a fixed list; undici gives them a code in some releases only.
  const reason = /\(([^)]*)\)$/.exec(error.message)?.[1]
  if (reason === 'Invalid EOF state') return undefined
  return `What came is not valid HTTP/1.1 (${reason ?? 'for an unknown reason'}).`
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
