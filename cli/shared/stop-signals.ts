import { once } from 'node:events'
import { EXIT } from './command.js'

/** The effect of SIGINT, SIGTERM and SIGHUP. */
export interface StopSignals extends Disposable {
  readonly signal: AbortSignal
  /** Resolves with the first one, or once the time is over. */
  readonly asked: (maxDurationMs?: number) => Promise<void>
  /** 130 or 143 once one has come. */
  readonly exitCode: () => number | undefined
}

/**
 * Turns the first signal into an abort, so that a partial report can be written; the second ends the process at once.
 * @param onFirst called on the first one
 */
export function onStopSignals(onFirst: () => void): StopSignals {
  const controller = new AbortController()
  let exitCode: number | undefined
  const stop = (code: number) => (): void => {
    if (exitCode !== undefined) process.exit(code)
    exitCode = code
    controller.abort()
    onFirst()
  }
  const interrupt = stop(EXIT.interrupted)
  const terminate = stop(EXIT.terminated)
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', terminate)
  // The terminal was closed: without this, a service started by the run would keep running.
  process.on('SIGHUP', terminate)
  return {
    signal: controller.signal,
    asked: (maxDurationMs) => abortedOrLate(controller.signal, maxDurationMs),
    exitCode: () => exitCode,
    [Symbol.dispose]: () => {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', terminate)
      process.off('SIGHUP', terminate)
    },
  }
}

async function abortedOrLate(signal: AbortSignal, maxDurationMs: number | undefined): Promise<void> {
  if (signal.aborted) return
  const late = new AbortController()
  const timer = maxDurationMs === undefined ? undefined : setTimeout(() => late.abort(), maxDurationMs)
  await once(AbortSignal.any([signal, late.signal]), 'abort')
  clearTimeout(timer)
}
