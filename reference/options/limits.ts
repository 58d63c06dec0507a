import { checkInteger, refuseUnknown } from './check-options.js'

/** What a server keeps, and takes on, at the most; the oldest are forgotten beyond. */
export interface Limits {
  /** Registered accounts in a store; those of the start stay. Default 10,000. */
  readonly accounts: number
  /** Issued tokens in a store, for `bearerOf`. Default 10,000. */
  readonly tokens: number
  /** Exchanges in a store's journal. Default 1,000. */
  readonly journal: number
  /** Connections at a time; further ones are dropped. Default 2,048. */
  readonly connections: number
}

const defaults: Limits = { accounts: 10_000, tokens: 10_000, journal: 1000, connections: 2048 }
const most = 10_000_000

/** @throws TypeError or RangeError naming the limit that is not usable */
export function checkLimits(given: Partial<Limits>): Limits {
  refuseUnknown('limits', given, Object.keys(defaults))
  const limits = { ...defaults, ...given }
  for (const name of Object.keys(defaults) as (keyof Limits)[])
    checkInteger(`limits.${name}`, limits[name], 1, most)
  return limits
}
