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
