/** Codes are stable: a caller may switch on them, and they are never reused for something else. */
export type AssayErrorCode =
  | 'bad-base-url'
  | 'bad-baseline'
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
 * Misuse, or a bug: something that the person who called can put right. Nonconformance is never thrown.
 * The message is written for people and stands alone; `cause` holds what the platform said.
 */
export class AssayError extends Error {
  override readonly name: string = 'AssayError'
  readonly code: AssayErrorCode

  constructor(code: AssayErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
