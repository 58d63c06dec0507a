export interface Command {
  /** What `--help` prints. */
  readonly usage: string
  /** @returns the exit code. @throws AssayError for misuse */
  readonly execute: (args: readonly string[]) => Promise<number>
}

/** The promised exit codes. */
export const EXIT = {
  conformant: 0,
  nonconformant: 1,
  misuse: 2,
  inconclusive: 3,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const

/** What a signal ends a command with. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
}

/** The exit code where a verdict was reached, and what was to show it could not be written: never 0. */
export function withoutOutput(exitCode: number): number {
  return exitCode === EXIT.conformant ? EXIT.inconclusive : exitCode
}
