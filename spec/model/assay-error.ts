/** Codes are stable: a caller may switch on them, and they are never reused for something else. */
export type AssayErrorCode =
  | 'bad-accepted'
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

/** Names a class in both builds of the package: a program that imports and requires it has each class twice. */
export const errorKind = Symbol.for('token-assay.error')

/**
 * Misuse, or a bug: something that the caller can put right. Nonconformance is never thrown.
 * The message is written for people and needs no context; `cause` holds the error of the platform.
 * `instanceof` is true of the errors of the ESM and the CommonJS build alike.
 */
export class AssayError<Code extends string = AssayErrorCode> extends Error {
  static readonly [errorKind]: string = 'AssayError'
  override readonly name: string = 'AssayError'
  readonly code: Code

  constructor(code: Code, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  static override [Symbol.hasInstance]<T>(
    this: abstract new (
      ...args: never[]
    ) => T,
    value: unknown,
  ): value is T {
    // biome-ignore-start lint/complexity/noThisInStatic: `this` is the class that was asked, which may be derived
    const asked = ownKind(this)
    if (asked === undefined) return Function.prototype[Symbol.hasInstance].call(this, value)
    // biome-ignore-end lint/complexity/noThisInStatic: as above
    return classesOf(value).some((one) => ownKind(one) === asked)
  }
}

/** None for a class that a caller derives. */
function ownKind(of: unknown): unknown {
  return typeof of === 'function' ? Object.getOwnPropertyDescriptor(of, errorKind)?.value : undefined
}

function classesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const above: unknown = Object.getPrototypeOf(value)
  return typeof above === 'object' && above !== null ? [above.constructor, ...classesOf(above)] : []
}
