/** What can go wrong with a request to the control plane: in a process an exception, over HTTP a problem. */
export const controlErrorCodes = [
  'bad-request',
  'unauthorized',
  'not-found',
  'exists',
  'full',
  'timeout',
  'stopped',
] as const

export type ControlErrorCode = (typeof controlErrorCodes)[number]

/** Thrown by the control methods of a server, and by the client. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  constructor(
    /** Stable: what programs look at. */
    readonly code: ControlErrorCode,
    message: string,
  ) {
    super(message)
  }
}
