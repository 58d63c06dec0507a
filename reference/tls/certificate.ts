import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { AssayError } from '../../spec/model/assay-error.js'
import { shownFile } from '../../spec/model/shown-file.js'

/** A certificate of one's own as files, or PEM texts; or one that is made at the start and signed by no one else. */
export type TlsOptions =
  | 'self-signed'
  /** Paths of PEM files. */
  | { readonly certFile: string; readonly keyFile: string }
  /** PEM. */
  | { readonly cert: string; readonly key: string }

/** PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** @throws AssayError `bad-option` for what is none of them */
export function checkTls(tls: TlsOptions | undefined): TlsOptions | undefined {
  if (tls === undefined || tls === 'self-signed') return tls
  // A program without types may give anything.
  const { cert, key, certFile, keyFile }: Readonly<Record<string, unknown>> = Object(tls)
  const isPair = (one: unknown, other: unknown): boolean =>
    typeof one === 'string' && typeof other === 'string'
  if (isPair(cert, key) || isPair(certFile, keyFile)) return tls
  throw new AssayError(
    'bad-option',
    "tls must be 'self-signed', or have cert and key, or certFile and keyFile",
  )
}

/**
 * Reads or makes the certificate of a server.
 * @throws AssayError `bad-option` where there is none that can be used
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
    throw new AssayError('bad-option', 'tls needs a certificate and its own private key, both in PEM', {
      cause,
    })
  }
  return certificate
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new AssayError('bad-option', `${name}: ${shownFile(path)} cannot be read`, { cause })
  }
}
