import { AssayError, errorKind } from '../spec/model/assay-error.js'

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

/** Thrown by the control methods of a server, and by the client. Its `code` is stable: what programs look at. */
export class ControlError extends AssayError<ControlErrorCode> {
  static override readonly [errorKind] = 'ControlError'
  override readonly name = 'ControlError'
}
