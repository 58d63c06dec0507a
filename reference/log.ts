import type { Json } from '../spec/model/json.js'

/** One thing that happened, without secrets: no password, token, query, header or body. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly [detail: string]: Json
}

export type LogSink = ((line: LogLine) => void) & {
  /** What it was made by: where a configuration that is read again differs in it, the log needs a restart. */
  readonly settings?: Json
}

/** The sink of who wants none. */
export const NO_LOG: LogSink = () => undefined

/** A sink whose own failures stay its own: no answer is lost to a full disk. */
export function guarded(sink: LogSink): LogSink {
  if (sink === NO_LOG) return sink
  return (line) => {
    try {
      sink(line)
    } catch {
      // No one is left to report to.
    }
  }
}

/** What may be shown of an exception: its name and where it was thrown. Its message may quote a request. */
export function describeFailure(error: unknown): { readonly name: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { name: typeof error, at: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, at: frames.slice(0, 8).map((line) => line.trim()) }
}
