import { EventEmitter } from 'node:events'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFailure, type LogSink } from '../log.js'
import type { Refusal } from '../refusal.js'
import type { JournalEntry } from '../store/journal.js'

/** Somebody got a token. The token itself is not told; `bearerOf` knows it. */
export interface Issued {
  readonly userName: string
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  /** The isolated store that it happened in; absent: the server's own. */
  readonly scope?: string
}

/** Somebody was refused a token or an account. */
export interface Refused {
  readonly refusal: Refusal
  /** In words for people. */
  readonly reason: string
  /** Whose account it was, where one has the name. */
  readonly userName?: string
  readonly scope?: string
}

/** An exchange, as the journal has it. */
export interface Requested extends JournalEntry {
  readonly scope?: string
}

/** What a server reports, each after its answer has been handed to the system. */
export interface ReferenceServerEvents {
  readonly request: [Requested]
  readonly issued: [Issued]
  readonly refused: [Refused]
}

const NAMES: readonly string[] = [
  'request',
  'issued',
  'refused',
] satisfies readonly (keyof ReferenceServerEvents)[]

/** Typed `on`, `once` and `off`. @throws AssayError `bad-option` for an unknown event */
export interface EventSource {
  on<E extends keyof ReferenceServerEvents>(
    event: E,
    listener: (...args: ReferenceServerEvents[E]) => void,
  ): EventSource
  once<E extends keyof ReferenceServerEvents>(
    event: E,
    listener: (...args: ReferenceServerEvents[E]) => void,
  ): EventSource
  off<E extends keyof ReferenceServerEvents>(
    event: E,
    listener: (...args: ReferenceServerEvents[E]) => void,
  ): EventSource
}

/** The listening side, and `emit`, which a listener that throws does not harm: the log has it. */
export interface Events {
  readonly emitter: EventEmitter
  emit<E extends keyof ReferenceServerEvents>(event: E, ...args: ReferenceServerEvents[E]): void
  /** Whether anybody listens. */
  readonly areHeard: boolean
}

export function createEvents(log: LogSink): Events {
  const emitter = new EventEmitter()
  const failed = (error: unknown): void =>
    log({ level: 'error', event: 'listener-failed', ...describeFailure(error) })
  // One for each test of a file is no leak.
  emitter.setMaxListeners(0)
  return {
    emitter,
    get areHeard() {
      return NAMES.some((name) => emitter.listenerCount(name) > 0)
    },
    emit(event, ...args) {
      // One by one: those after one that throws are called too. A raw listener of `once` takes itself away.
      for (const listener of emitter.rawListeners(event)) {
        try {
          // It may be asynchronous, whatever its type says: what it rejects with would end the process.
          Promise.resolve(listener.apply(emitter, args)).catch(failed)
        } catch (error) {
          failed(error)
        }
      }
    },
  }
}

/** @param self whose methods these are: each gives it back */
export function eventSource(emitter: EventEmitter, self: () => EventSource): EventSource {
  const passOn =
    (method: 'on' | 'once' | 'off') =>
    <E extends keyof ReferenceServerEvents>(
      event: E,
      listener: (...args: ReferenceServerEvents[E]) => void,
    ): EventSource => {
      // Waiting for a misspelt one would never end.
      if (!NAMES.includes(event))
        throw new AssayError(
          'bad-option',
          `There is no event ${JSON.stringify(event)}: expected one of ${NAMES.join(', ')}.`,
        )
      emitter[method](event, listener)
      return self()
    }
  return { on: passOn('on'), once: passOn('once'), off: passOn('off') }
}
