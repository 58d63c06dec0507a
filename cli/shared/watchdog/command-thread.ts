import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { adoptTerminal } from '../print.js'
import { type FromCommand, STOP_SIGNALS, type StopSignal, type ThreadData } from './messages.js'

const BEAT_MS = 200

const listeners = new Set<(signal: StopSignal) => void>()
let first: StopSignal | undefined

/** Makes this thread that of a command: its terminal, its signals, and what the watchdog has to know of it. */
export function becomeCommandThread(): void {
  adoptTerminal()
  parentPort?.on('message', (signal: StopSignal) => {
    first ??= signal
    for (const listener of listeners) listener(signal)
  })
  parentPort?.unref()
  // Given by `watchCommand`.
  const { beats } = workerData as ThreadData
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  // A thread that is ended runs no handlers: the watchdog has to end what it started.
  subscribe('child_process', (message) => {
    // As Node documents this channel.
    const { process: child } = message as { readonly process: ChildProcess }
    const tell = (isRunning: boolean) => (): void => {
      if (child.pid !== undefined) tellWatchdog({ kind: 'child', pid: child.pid, isRunning })
    }
    child.once('spawn', tell(true))
    child.once('exit', tell(false))
  })
}

/** Calls back for each signal that stops a command; in a thread for the first one only, however early it came. */
export function listenToStopSignals(listener: (signal: StopSignal) => void): Disposable {
  if (isMainThread) for (const signal of STOP_SIGNALS) process.on(signal, listener)
  listeners.add(listener)
  if (first !== undefined) listener(first)
  return {
    [Symbol.dispose]: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, listener)
      listeners.delete(listener)
    },
  }
}

/** Has the watchdog end the command some time after this, until it is disposed of. */
export function watchDeadline(maxDurationMs: number | undefined): Disposable {
  tellWatchdog({ kind: 'deadline', maxDurationMs })
  return { [Symbol.dispose]: () => tellWatchdog({ kind: 'deadline', maxDurationMs: undefined }) }
}

/** Does nothing where the command has no thread of its own. */
export function tellWatchdog(message: FromCommand): void {
  if (!isMainThread) parentPort?.postMessage(message)
}
