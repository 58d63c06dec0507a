import type { KillMatrix } from './kill-matrix.js'

/** A quick run that misses more than three in a hundred mutants is no smoke test. */
const MIN_SHARE = 0.97

/** How much of what the whole suite catches a run with less effort does. */
export interface EffortShare {
  readonly caught: number
  readonly all: number
  /** The mutants that it takes for right. */
  readonly missed: readonly string[]
  /** Rules that go red where they hold, each with its server. */
  readonly accusations: readonly string[]
}

/** A mutant is caught where a rule that it claims goes red, with every seed. */
export function effortShare({ mutants, variants }: KillMatrix): EffortShare {
  const missed = mutants.filter(({ expect, violates, trials }) =>
    trials.some(({ verdict, red }) =>
      expect === 'cantTell' ? verdict !== 'inconclusive' : !violates.some((rule) => red.includes(rule)),
    ),
  )
  const servers = [...mutants, ...variants.map((one) => ({ ...one, violates: [], collateral: [] }))]
  const accusations = servers.flatMap(({ id, violates, collateral, trials }) => {
    const claimed: readonly string[] = [...violates, ...collateral]
    const wrong = new Set(trials.flatMap(({ red }) => red).filter((rule) => !claimed.includes(rule)))
    return [...wrong].map((rule) => `${rule} with ${id}`)
  })
  return {
    caught: mutants.length - missed.length,
    all: mutants.length,
    missed: missed.map(({ id }) => id),
    accusations,
  }
}

export function isEnough({ caught, all, accusations }: EffortShare): boolean {
  return caught >= all * MIN_SHARE && accusations.length === 0
}
