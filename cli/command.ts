/** One command of the tool. */
export interface Command {
  /** What `--help` prints. */
  readonly usage: string
  /** @returns the exit code. @throws AssayError for misuse */
  readonly execute: (args: readonly string[]) => Promise<number>
}

/** The promised exit codes that do not follow from a report. */
export const EXIT = {
  conformant: 0,
  misuse: 2,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const
