import { closeSync, openSync } from 'node:fs'
import { isTerminal } from '../shared/print.js'

export interface ServerSignals {
  readonly asked: Promise<void>
  readonly askedAgain: Promise<void>
  readonly ask: () => void
}

/** From before the server listens: a signal while it starts counts too. */
export function serverSignals(): ServerSignals {
  const resolvers: (() => void)[] = []
  const next = (): Promise<void> => new Promise((resolve) => void resolvers.push(resolve))
  const signals = { asked: next(), askedAgain: next(), ask: () => resolvers.shift()?.() }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, signals.ask)
  return signals
}

/**
 * For a server that is to end with the process that started it: however that ends, the pipe between them is closed. A file and
 * `/dev/null` are never closed: they have an end.
 */
export function endOfInput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .on('error', () => resolve())
      .on('end', resolve)
      .on('close', resolve)
      .resume()
  })
}

/** SIGHUP asks to read the configuration again, but when its terminal was closed: then no one is left to end the server. */
export function onHangUp(reload: () => void, stop: () => void): void {
  const hadTerminal = process.stdin.isTTY || isTerminal('stdout') || isTerminal('stderr')
  process.on('SIGHUP', () => (hadTerminal && !hasTerminal() ? stop : reload)())
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
