import type { IncomingMessage } from 'node:http'

/** A host of RFC 3986 3.2.2, if any, and a port. */
const host = /^(?:\[[\dA-Fa-fVv.:~!$&'()*+,;=_-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

/**
 * Why a message that Node's parser lets through must not be answered as a request, if it must not; everything after
 * it on its connection is doubtful then.
 */
export function explainMalformed({
  httpVersion,
  headers,
  rawHeaders,
  url = '',
}: IncomingMessage): string | undefined {
  // A line without a version is 0.9 to Node, and 2.0 is no version of this syntax.
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return 'the HTTP version is not 1.0 or 1.1'
  // RFC 9110 4.2.4: it would be dropped, unread.
  if (/^https?:\/\/[^/?#]*@/i.test(url)) return 'the URL has a user name or a password'
  // RFC 9112 3.2: a proxy may have followed the other one.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length === 0 && httpVersion === '1.1') return 'there is no Host'
  if (hosts.length > 1) return 'there is more than one Host'
  if (headers.host !== undefined && !host.test(headers.host)) return 'the Host is not a host and a port'
  // RFC 9112 6.1: other codings would have to be undone, and HTTP/1.0 has none.
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (httpVersion === '1.0') return 'HTTP/1.0 has no Transfer-Encoding'
  return coding.toLowerCase() === 'chunked' ? undefined : 'the Transfer-Encoding is not chunked'
}
