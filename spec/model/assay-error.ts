/** Codes are stable: a caller may switch on them, and they are never reused for something else. */
export type AssayErrorCode =
  | 'bad-base-url'
  | 'bad-baseline'
  | 'bad-option'
  | 'bad-report'
  | 'bad-server-config'
  | 'unmergeable'
  | 'bad-specification'
  | 'bad-target'
  | 'malformed-file'
  | 'missing-file'
  | 'nothing-matches'
  | 'start-failed'
  | 'unknown-deployment'
  | 'unwritable-file'
  | 'usage'
  | 'unset-variable'

/**
 * Misuse, or a bug: something that the caller can put right. Nonconformance is never thrown.
 * The message is written for people and needs no context; `cause` holds the error of the platform.
 */
export class AssayError<Code extends string = AssayErrorCode> extends Error {
  override readonly name: string = 'AssayError'
  readonly code: Code

  constructor(code: Code, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
