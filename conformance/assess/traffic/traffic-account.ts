import type { Result } from '../../../spec/model/report.js'
import type { Exchange, UnreadPiece } from '../../exchange/exchange.js'

interface Sum {
  times: number
  bytes: number
}

/** What everything that went by became: each exchange and each piece is in one of three sums. */
export class TrafficAccount {
  /** Token requests that were given to the judge, with their answers. */
  readonly judged: Sum = { times: 0, bytes: 0 }
  /** Read, and none of the judge's business: no token request, or an empty line. */
  readonly passedBy: Sum = { times: 0, bytes: 0 }
  /** Of these, exchanges without an answer, or with a part of one. */
  #givenUp = 0
  readonly #unread = new Map<string, Sum & { readonly what: 'exchange' | 'piece' }>()

  judge(exchange: Exchange): void {
    add(this.judged, bytesOf(exchange))
  }

  passBy(exchange: Exchange): void {
    add(this.passedBy, bytesOf(exchange))
    if (exchange.response === undefined) this.#givenUp++
  }

  leaveOut(exchange: Exchange, why: string): void {
    this.#addUnread('exchange', why, bytesOf(exchange))
  }

  addPiece({ from, bytes, why }: UnreadPiece): void {
    if (why === undefined) this.passedBy.bytes += bytes
    else this.#addUnread('piece', `from the ${from}: ${why}`, bytes)
  }

  /** Exchanges and pieces that nothing could be judged in. */
  get unread(): Sum {
    const sum = { times: 0, bytes: 0 }
    for (const { times, bytes } of this.#unread.values()) {
      sum.times += times
      sum.bytes += bytes
    }
    return sum
  }

  get lines(): readonly string[] {
    return [
      `judged: ${shown(this.judged)}`,
      `passed by, as no token request: ${shown(this.passedBy)}`,
      ...(this.#givenUp === 0 ? [] : [`of these without a whole answer: ${this.#givenUp}`]),
      `unread: ${shown(this.unread)}`,
    ]
  }

  /** Stands for what was not judged, whatever was selected. */
  get result(): Result {
    const reasons = [...this.#unread].map(([why, { what, times, bytes }]) =>
      [`${times} ${what}${times === 1 ? '' : 's'} of ${bytes} bytes`, why].join(
        what === 'piece' ? ' ' : ': ',
      ),
    )
    return {
      id: `default/${UNREAD}`,
      case: UNREAD,
      deployment: 'default',
      title: 'all traffic is read and judged',
      outcome: 'cantTell',
      reason: `not judged: ${reasons.join('; ')}`,
      durationMs: 0,
      judgements: [],
      exchanges: [],
    }
  }

  #addUnread(what: 'exchange' | 'piece', why: string, bytes: number): void {
    const sum = this.#unread.get(why) ?? { what, times: 0, bytes: 0 }
    this.#unread.set(why, sum)
    add(sum, bytes)
  }
}

export const UNREAD = 'client:traffic/unread'

function add(sum: Sum, bytes: number): void {
  sum.times++
  sum.bytes += bytes
}

function bytesOf({ bytes }: Exchange): number {
  return bytes === undefined ? 0 : bytes.sent + bytes.received
}

function shown({ times, bytes }: Sum): string {
  return bytes === 0 ? `${times}` : `${times} (${bytes} bytes)`
}
