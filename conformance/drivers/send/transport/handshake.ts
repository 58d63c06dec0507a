import net from 'node:net'
import tls from 'node:tls'
import type { Tls } from '../../../target/deployment.js'

/** How a TLS handshake ended. */
export type Handshake =
  | {
      readonly kind: 'done'
      /** Such as `TLSv1.3`. */
      readonly protocol: string
      /** Why the certificate is not trusted; undefined where it is. */
      readonly distrust: string | undefined
    }
  /** The server would have none of it. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: string }

/** As many milliseconds as a handshake may take. */
const MAX_MS = 10_000
/** What ends a handshake that the other side does not want. */
const REFUSALS: readonly string[] = ['ECONNRESET', 'EPROTO', 'EPIPE']

/** Shakes hands, sends nothing, and leaves. @param old whether nothing newer than TLS 1.1 is offered */
export function shakeHands(baseUrl: string, own: Tls | undefined, old: boolean): Promise<Handshake> {
  const { hostname, port } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    let socket: tls.TLSSocket
    const end = (result: Handshake): void => {
      socket.destroy()
      resolve(result)
    }
    socket = tls.connect({
      host,
      port: port === '' ? 443 : Number(port),
      servername: net.isIP(host) === 0 ? host : '',
      ...own,
      // The certificate is looked at, whatever it is.
      rejectUnauthorized: false,
      // OpenSSL has no old version at a higher level of security.
      ...(old ? { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    })
    socket.setTimeout(MAX_MS, () => end({ kind: 'failed', reason: 'no answer to a TLS handshake' }))
    socket.once('secureConnect', () =>
      end({
        kind: 'done',
        protocol: socket.getProtocol() ?? 'TLS',
        distrust: socket.authorized ? undefined : String(socket.authorizationError),
      }),
    )
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      const isRefused = REFUSALS.includes(code) || /^ERR_SSL_(?:TLSV1_ALERT|SSLV3_ALERT)/.test(code)
      end(isRefused ? { kind: 'refused' } : { kind: 'failed', reason: `a TLS handshake failed (${code})` })
    })
  })
}
