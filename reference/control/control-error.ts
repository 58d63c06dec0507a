/** What the server says of a request that it cannot do: in a process an exception, over HTTP a problem. */
export const controlErrorCodes = [
  'bad-request',
  'unauthorized',
  'not-found',
  'unknown-scope',
  'exists',
  'full',
  'timeout',
  'stopped',
] as const

export type ProblemCode = (typeof controlErrorCodes)[number]

/** `unreachable` is said by the client alone. */
export type ControlErrorCode = ProblemCode | 'unreachable'

/** Thrown by the control methods of a server, and by the client. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  constructor(
    /** Stable: what programs look at. */
    readonly code: ControlErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
