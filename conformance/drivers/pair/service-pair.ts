import type { Exchange } from '../../exchange/exchange.js'
import type { PairProbe } from './probe.js'

export type PairSide = 'old' | 'new'
/** `again`: the old service a second time, to measure in what it differs from itself. */
export type Role = PairSide | 'again'

/** No more failed logins are allowed. */
export const SPENT = 'spent'

/** What a service made of a probe: its exchanges, in the order of sending. */
interface ProbeExchanges {
  readonly sent: readonly { readonly exchange: Exchange }[]
}

/** A service as it is asked: for which account, and within which budget, is its own matter. */
interface AskedService<E extends ProbeExchanges> {
  /** @param fresh on connections of its own */
  ask(probe: PairProbe, fresh?: boolean): Promise<E | typeof SPENT>
}

/** Sends a probe to both at the same time. @param twice whether the old service is asked twice */
export async function askBoth<E extends ProbeExchanges>(
  services: Readonly<Record<Role, AskedService<E>>>,
  probe: PairProbe,
  twice: boolean,
): Promise<{ readonly old: E; readonly new: E; readonly again?: E } | typeof SPENT> {
  const [old, now, again] = await Promise.all([
    services.old.ask(probe),
    services.new.ask(probe),
    twice ? services.again.ask(probe) : undefined,
  ])
  if (old === SPENT || now === SPENT || again === SPENT) return SPENT
  return { old, new: now, ...(again === undefined ? {} : { again }) }
}
