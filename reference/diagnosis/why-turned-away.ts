/** What Node tells of what was no request. */
export interface Unfit {
  readonly name: string
  readonly code?: string | undefined
  /** What had come. */
  readonly rawPacket?: Uint8Array
}

/** The first byte of a TLS handshake (RFC 8446 5.1), which no method begins with. */
const handshake = 0x16

/** What was no request, in words where it is a usual mistake; otherwise what Node calls it. Quotes nothing of it. */
export function whyTurnedAway({ code, name, rawPacket }: Unfit): string {
  if (rawPacket?.[0] === handshake) return 'TLS came to a port of plain HTTP: the URL must begin with http:'
  switch (code) {
    case 'ERR_SSL_HTTP_REQUEST':
      return 'plain HTTP came to a port of TLS: the URL must begin with https:'
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN':
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
      return 'the client does not trust the certificate'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'the request did not arrive in time'
    case 'HPE_HEADER_OVERFLOW':
      return 'the headers are longer than 16,384 bytes'
    default:
      return code ?? name
  }
}
