import { EXIT } from '../shared/command.js'

/** What a watching run is asked to do next. The later in this list, the more it counts where several come at once. */
const REQUESTS = ['change', 'failed', 'all', 'quit'] as const

export type WatchRequest = (typeof REQUESTS)[number]

/** What was asked for and not done yet: one thing, however often it came. */
export interface Inbox {
  put(ask: WatchRequest): void
  /** Takes what has come, or waits for it. */
  take(): Promise<WatchRequest>
  readonly isEmpty: boolean
}

export function createInbox(): Inbox {
  let waiting: WatchRequest | undefined
  let taker: ((ask: WatchRequest) => void) | undefined
  return {
    put(ask) {
      if (taker !== undefined) {
        taker(ask)
        taker = undefined
        return
      }
      if (waiting === undefined || REQUESTS.indexOf(ask) > REQUESTS.indexOf(waiting)) waiting = ask
    },
    take() {
      const ask = waiting
      waiting = undefined
      return ask === undefined ? new Promise((resolve) => (taker = resolve)) : Promise.resolve(ask)
    },
    get isEmpty() {
      return waiting === undefined
    },
  }
}

export interface Round {
  readonly exitCode: number
  readonly isPart: boolean
  /** The ids of what is to be run first next time. */
  readonly failed: readonly string[]
  readonly isInterrupted: boolean
}

export interface WatchLoop {
  /** @returns undefined where nothing could be run, which was reported */
  readonly run: (only: readonly string[] | undefined) => Promise<Round | undefined>
  readonly inbox: Inbox
  readonly say: (text: string) => void
  readonly onWait: () => void
}

/**
 * Runs, and runs again when asked to, until it is asked to quit: after a change first what failed, and everything once that
 * passes. @returns the exit code of the last run
 */
export async function watchLoop({ run, inbox, say, onWait }: WatchLoop): Promise<number> {
  let only: readonly string[] | undefined
  let failed: readonly string[] = []
  let ask: WatchRequest = 'change'
  let exitCode = 0
  for (;;) {
    const round = await run(only)
    exitCode = round?.exitCode ?? EXIT.misuse
    failed = round?.failed ?? failed
    if (round?.isInterrupted) return exitCode
    if (round?.isPart && failed.length === 0 && ask === 'change' && inbox.isEmpty) {
      say('The failures pass now: running everything.')
      only = undefined
      continue
    }
    do {
      onWait()
      ask = await inbox.take()
      if (ask === 'quit') return exitCode
      if (ask === 'failed' && failed.length === 0) say('Nothing failed in the last run.')
    } while (ask === 'failed' && failed.length === 0)
    only = ask === 'all' || failed.length === 0 ? undefined : failed
  }
}
