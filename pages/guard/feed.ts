import { randomBytes } from 'node:crypto'

/** One open page: a response of Node will do. */
export interface FeedSink {
  write(text: string): unknown
  /** Bytes that wait to be sent. */
  readonly writableLength: number
  destroy(): unknown
}

export interface FeedOptions {
  /** The number of parts kept: beyond, the one that was changed longest ago is forgotten. Default 2000. */
  readonly maxParts?: number
  /** A page that is this many bytes behind is disconnected: it comes back, and catches up. Default 8 MiB. */
  readonly maxBehindBytes?: number
  /** The number of open pages. Default 20. */
  readonly maxSinks?: number
}

/** What a page shows, part by part, as server-sent events. */
export interface Feed {
  /** The id of the newest event: a page that was rendered now has seen all up to here. */
  readonly lastId: string
  /** Says what a part is from now on. */
  publish(part: string, value: unknown): void
  /**
   * Brings a page up to date, then sends it all that follows.
   * @param lastEventId what the page has seen: the header `Last-Event-ID`, or `lastId` of the time it was rendered;
   * @returns what ends it; undefined where too many pages are open
   */
  connect(sink: FeedSink, lastEventId: string): (() => void) | undefined
  /** Shows each page that the connection lives. To be called every 15 s or so. */
  beat(): void
  /** Disconnects all pages. */
  close(): void
}

interface FeedEvent {
  readonly number: number
  readonly text: string
}

/**
 * Keeps the newest value of each part alone, so that its memory depends on what a page shows and not on how long it is
 * open: a page that was away for an hour gets each part that changed once, in the order of the last changes.
 *
 * Each event is JSON: `{part, value}`. A page that has missed what is no longer known, or that has seen another feed, gets
 * `{part: "reset"}`: it must load itself anew.
 */
export function createFeed(options: FeedOptions = {}): Feed {
  const { maxParts = 2000, maxBehindBytes = 8 * 2 ** 20, maxSinks = 20 } = options
  // Ids of an earlier process must not be taken for ours.
  const origin = randomBytes(6).toString('hex')
  const newest = new Map<string, FeedEvent>()
  const sinks = new Set<FeedSink>()
  let number = 0
  /** A page that has not seen this event cannot be brought up to date. */
  let forgotten = 0
  const idOf = (of: number): string => `${origin}-${of}`

  const send = (sink: FeedSink, text: string): void => {
    if (sink.writableLength <= maxBehindBytes) sink.write(text)
    else {
      sinks.delete(sink)
      sink.destroy()
    }
  }
  const seenBy = (lastEventId: string): number | undefined => {
    const [of, seen = ''] = lastEventId.split('-', 2)
    return of === origin && /^\d{1,15}$/.test(seen) && Number(seen) <= number ? Number(seen) : undefined
  }
  return {
    get lastId() {
      return idOf(number)
    },
    publish(part, value) {
      number += 1
      const text = `id: ${idOf(number)}\ndata: ${JSON.stringify({ part, value })}\n\n`
      // Deleted first: a map keeps the order in which keys came.
      newest.delete(part)
      newest.set(part, { number, text })
      const [oldest] = newest
      if (newest.size > maxParts && oldest !== undefined) {
        newest.delete(oldest[0])
        forgotten = oldest[1].number
      }
      for (const sink of sinks) send(sink, text)
    },
    connect(sink, lastEventId) {
      if (sinks.size >= maxSinks) return undefined
      const seen = seenBy(lastEventId)
      const missed = [...newest.values()].filter((event) => event.number > (seen ?? 0))
      const texts =
        seen === undefined || seen < forgotten ? [reset(idOf(number))] : missed.map(({ text }) => text)
      sink.write(`retry: 1000\n\n${texts.join('')}`)
      sinks.add(sink)
      return () => void sinks.delete(sink)
    },
    beat() {
      for (const sink of sinks) send(sink, 'event: beat\ndata: \n\n')
    },
    close() {
      for (const sink of sinks) sink.destroy()
      sinks.clear()
    },
  }
}

function reset(id: string): string {
  return `id: ${id}\ndata: ${JSON.stringify({ part: 'reset' })}\n\n`
}
