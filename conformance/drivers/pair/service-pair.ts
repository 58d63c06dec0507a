import type { Exchange } from '../../exchange/exchange.js'
import type { PairProbe } from './probe.js'

export type PairSide = 'old' | 'new'

/** `again`: the old service a second time, to measure in what it differs from itself. */
export type Role = PairSide | 'again'

/** No more failed logins are allowed. */
export const SPENT = 'spent'

/** What a service made of a probe: its exchanges, in the order of sending. */
export interface ProbeExchanges {
  readonly sent: readonly { readonly exchange: Exchange }[]
}

/** Sends a probe to one service. @param fresh on connections of its own */
export type AskService<E extends ProbeExchanges> = (
  probe: PairProbe,
  fresh: boolean,
) => Promise<E | typeof SPENT>

export interface ExchangePair<E extends ProbeExchanges> {
  readonly old: E
  readonly new: E
  readonly again?: E
}

/** Two services that are asked the same. How each is asked, for which account and within which budget, is given. */
export class ServicePair<E extends ProbeExchanges> {
  readonly #ask: Readonly<Record<Role, AskService<E>>>

  constructor(ask: Readonly<Record<Role, AskService<E>>>) {
    this.#ask = ask
  }

  /** Sends a probe to both at the same time. @param twice whether the old service is asked twice */
  async ask(probe: PairProbe, twice: boolean): Promise<ExchangePair<E> | typeof SPENT> {
    const [old, now, again] = await Promise.all([
      this.#ask.old(probe, false),
      this.#ask.new(probe, false),
      twice ? this.#ask.again(probe, false) : undefined,
    ])
    if (old === SPENT || now === SPENT || again === SPENT) return SPENT
    return { old, new: now, ...(again === undefined ? {} : { again }) }
  }

  /**
   * Repeats a probe on one side. Every other round takes new connections: behind a load balancer, one connection is one
   * instance.
   */
  repeat(role: PairSide, probe: PairProbe, round: number): Promise<E | typeof SPENT> {
    return this.#ask[role](probe, round % 2 === 1)
  }
}
