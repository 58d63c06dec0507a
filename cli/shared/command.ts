import type { Flags } from './arguments.js'

export interface Command {
  /** What `--help` prints. */
  readonly usage: string
  readonly flags: Flags
  /** What its arguments may be besides flags, for completion; absent: files, or anything. */
  readonly words?: () => readonly string[] | Promise<readonly string[]>
  /** @returns the exit code. @throws AssayError for misuse */
  readonly execute: (args: readonly string[]) => Promise<number>
}

/** Every command by its name: what it does, and what loads it. */
export type CommandTable = Readonly<
  Record<string, readonly [does: string, load: () => Promise<{ readonly command: Command }>]>
>

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
