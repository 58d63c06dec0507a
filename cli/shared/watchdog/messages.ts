import type { AccountNews } from '../../../conformance/drivers/send/session/run-context.js'
import type { ReportParts } from '../../../reports/model/compose-report.js'
import type { Differential } from '../../../spec/generated/types/differential.js'
import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import type { Result } from '../../../spec/model/report.js'
import type { VerdictOptions } from '../../../spec/model/verdict.js'

/** How the accounts that stay are named: in a file of the folder, and for the command that removes them. */
export interface NamesLeft {
  readonly folder: string
  /** The flags that this command needs too, as words. */
  readonly flags: readonly string[]
  /** Whether base URLs on the command line took the place of those of the target file. */
  readonly byUrl: boolean
}

/** A report in which nothing has run yet, and the file that it is for. */
export interface KnownReport {
  /** Where accounts are registered. */
  readonly namesLeft?: NamesLeft
  readonly file: string
  readonly parts: ReportParts
  readonly gate: VerdictOptions
}

/** A comparison that has found nothing yet, and the flags of its command. */
export interface KnownDifferential {
  readonly namesLeft: NamesLeft
  readonly differential: Differential
  readonly reporters: readonly string[]
  readonly flags: readonly string[]
}

/** A rehearsal that has tried nothing yet, and the file that it is for. */
export interface KnownRehearsal {
  readonly rehearsal: Rehearsal
  readonly file: string
  readonly reporters: readonly string[]
  readonly flags: readonly string[]
}

/** What a command is going to write, as it is before the first request. */
export type KnownOutput = KnownReport | KnownDifferential | KnownRehearsal

/** What the thread of a command tells the main thread. */
export type FromCommand =
  /** What is to be written where the command has to be ended. */
  | { readonly kind: 'known'; readonly known: KnownOutput }
  | { readonly kind: 'result'; readonly result: Result }
  /** An account is at a service, or is no longer. */
  | { readonly kind: 'account'; readonly news: AccountNews }
  /** The command has named the accounts that stay itself. */
  | { readonly kind: 'accounts-named' }
  | { readonly kind: 'deadline'; readonly maxDurationMs: number | undefined }
  /** A program was started, or has ended. */
  | { readonly kind: 'child'; readonly pid: number; readonly isRunning: boolean }

export interface ThreadData {
  /** Counted up for as long as its event loop turns. */
  readonly beats: Int32Array
}

/** SIGHUP: the terminal was closed. Without it, a service started by the run would keep running. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof STOP_SIGNALS)[number]
