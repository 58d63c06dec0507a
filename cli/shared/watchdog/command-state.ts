import type { Result } from '../../../spec/model/report.js'
import type { FromCommand, KnownOutput } from './messages.js'

/** What the main thread knows of a command that runs in another one. */
export class CommandState {
  readonly results = new Map<string, Result>()
  /** The ids of the programs that it has started. */
  readonly children = new Set<number>()
  known: KnownOutput | undefined
  maxDurationMs: number | undefined

  add(message: FromCommand): void {
    switch (message.kind) {
      case 'known':
        this.known = message.known
        // A run that watches runs again.
        this.results.clear()
        return
      case 'result':
        this.results.set(message.result.id, message.result)
        return
      case 'deadline':
        this.maxDurationMs = message.maxDurationMs
        return
      case 'child':
        if (message.isRunning) this.children.add(message.pid)
        else this.children.delete(message.pid)
    }
  }
}
