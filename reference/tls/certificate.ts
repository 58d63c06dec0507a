/** A certificate of one's own as files, or PEM texts; or one that is made at the start and signed by nobody else. */
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

/** @throws TypeError for what is none of them */
export function checkTls(tls: TlsOptions | undefined): TlsOptions | undefined {
  if (tls === undefined || tls === 'self-signed') return tls
  // A program without types may give anything.
  const { cert, key, certFile, keyFile }: Readonly<Record<string, unknown>> = Object(tls)
  const isPair = (one: unknown, other: unknown): boolean =>
    typeof one === 'string' && typeof other === 'string'
  if (isPair(cert, key) || isPair(certFile, keyFile)) return tls
  throw new TypeError("tls must be 'self-signed', or have cert and key, or certFile and keyFile")
}
