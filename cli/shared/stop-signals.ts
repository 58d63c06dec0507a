import { once } from 'node:events'
import { exitCodeOf } from './command.js'
import { listenToStopSignals } from './watchdog/command-thread.js'

/** The effect of SIGINT, SIGTERM and SIGHUP. */
export interface StopSignals extends Disposable {
  readonly signal: AbortSignal
  /** Resolves with the first one, or once the time is over. */
  readonly asked: (maxDurationMs?: number) => Promise<void>
  /** 130 or 143 once one has come. */
  readonly exitCode: () => number | undefined
}

/**
 * Turns the first signal into an abort, so that a partial report can be written; also one that came before this. The second
 * ends the process: at once, or, where the command has a thread of its own, as `watchCommand` says.
 * @param onFirst called on the first one
 */
export function onStopSignals(onFirst: () => void): StopSignals {
  const controller = new AbortController()
  let exitCode: number | undefined
  const listening = listenToStopSignals((signal) => {
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = exitCodeOf(signal)
    controller.abort()
    onFirst()
  })
  return {
    signal: controller.signal,
    asked: (maxDurationMs) => abortedOrLate(controller.signal, maxDurationMs),
    exitCode: () => exitCode,
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  }
}

async function abortedOrLate(signal: AbortSignal, maxDurationMs: number | undefined): Promise<void> {
  if (signal.aborted) return
  const late = new AbortController()
  const timer = maxDurationMs === undefined ? undefined : setTimeout(() => late.abort(), maxDurationMs)
  await once(AbortSignal.any([signal, late.signal]), 'abort')
  clearTimeout(timer)
}
