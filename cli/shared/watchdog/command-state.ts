import type { Result } from '../../../spec/model/report.js'
import { AccountState } from './account-state.js'
import type { FromCommand, KnownOutput } from './messages.js'

/** What the main thread knows of a command that runs in another one. */
export class CommandState {
  readonly results = new Map<string, Result>()
  readonly accounts = new AccountState()
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
        this.accounts.clear()
        return
      case 'result':
        this.results.set(message.result.id, message.result)
        return
      case 'account':
        this.accounts.add(message.news)
        return
      case 'accounts-named':
        this.accounts.clear()
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
