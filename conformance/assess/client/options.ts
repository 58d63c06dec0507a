import type { ReportParts } from '../../../reports/model/compose-report.js'
import type { Result } from '../../../spec/model/report.js'
import type { Shard } from '../../../spec/model/selection.js'

/** What `--replay` repeats: one scenario, or one generated answer of the search. */
export interface ClientReplay {
  readonly case: string
  readonly found?: { readonly seed: number; readonly path: string }
}

/** How many are drawn where `runs` does not say it. */
export const GENERATED_ANSWERS = 20

export interface ClientOptions {
  /** Cases, results or rules whose id matches; `*` is any text. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly replay?: ClientReplay
  readonly shard?: Shard
  /** How the report calls the client. */
  readonly name?: string
  readonly seed?: number
  /** Generated answers. Default: 20. */
  readonly runs?: number
  /** Calls of the client at a time. Default: 4. */
  readonly concurrency?: number
  /** Milliseconds that a client may wait for an answer that never comes whole. Default: 12,000. */
  readonly patienceMs?: number
  readonly signal?: AbortSignal
  readonly strict?: boolean
  /** The client goes on: it asks for the resource as often as its environment says, with tokens that expire meanwhile. */
  readonly longRunning?: boolean
  /** The client is a function of this process: it has no environment of its own. */
  readonly inProcess?: boolean
  /** Called before the client is, with the report of a run that is stopped there. */
  readonly onPlan?: (untested: ReportParts) => void
  readonly onResult?: (result: Result) => void
  /** What a person types to repeat one case. @param replay what `--replay` takes */
  readonly reproduce?: (replay: string) => string
}

/** What a caller of `assayClient` may set. */
export interface AssayClientOptions
  extends Omit<ClientOptions, 'inProcess' | 'onPlan' | 'onResult' | 'reproduce' | 'replay'> {
  /** Milliseconds for one sign-in. Default: 30,000. */
  readonly timeoutMs?: number
}
