import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Certificate, TlsOptions } from './certificate.js'

/**
 * Reads or makes the certificate of a server.
 * @throws TypeError where there is none that can be used
 */
export async function obtainCertificate(tls: TlsOptions, host: string): Promise<Certificate> {
  if (tls === 'self-signed') {
    // Loaded on demand: hardly any server asks for one.
    const { selfSigned } = await import('./self-signed.js')
    return selfSigned(host)
  }
  const certificate =
    'cert' in tls
      ? { cert: tls.cert, key: tls.key }
      : { cert: read('tls.certFile', tls.certFile), key: read('tls.keyFile', tls.keyFile) }
  try {
    createSecureContext(certificate)
  } catch (cause) {
    // The library's message may quote what it was given.
    throw new TypeError('tls needs a certificate and its own private key, both in PEM', { cause })
  }
  return certificate
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new TypeError(`${name}: ${path} cannot be read`, { cause })
  }
}
