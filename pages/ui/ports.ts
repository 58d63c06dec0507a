import type { Target } from '../../conformance/target/deployment.js'
import type { Report } from '../../spec/model/report.js'
import type { HistoryEntry } from '../history/history.js'

/** What the page may do on this machine: the command decides how, and where. Each throws AssayError where it refuses. */
export interface Ports {
  /** Writes a target file below the folder in which the command was started. @returns its name, as it is shown */
  readonly saveTarget: (file: string, text: string, replace: boolean) => string
  /** Empties what an earlier whole run left, before the first request of the next. @throws AssayError */
  readonly clearReport: () => void
  /** Keeps the report of a run of everything: of one that was stopped, in place of no whole one. */
  readonly saveReport: (report: Report, isStopped: boolean) => void
  /** The reports of the folder. */
  readonly history: () => Promise<{
    readonly entries: readonly HistoryEntry[]
    readonly problems: readonly string[]
  }>
  readonly readReport: (entry: HistoryEntry) => Report
  /** A server with a fault in it, to try the page with; started when it is asked for. */
  readonly demonstrate: () => Promise<Target>
  /** Calls when a file below the folder changes, until it is ended. */
  readonly watch: (folder: string, onChange: () => void) => () => void
}
