import { inParallel } from '../../spec/model/items.js'
import type { Pool } from '../jobs/pool.js'
import { redRules } from '../matrix/claims.js'
import { type Caught, escapes, keyOf, type SiteResult } from './caught.js'
import type { ExpectationSite } from './expectation-sites.js'

/** A mutant may by chance be caught by another expectation: then the next one is tried. */
const MAX_TRIED = 3

/**
 * For each expectation, runs a mutant that by some rule it alone catches, with a specification without it, and expects that
 * rule not to fail. Where no mutant has such a rule, the expectation survives.
 */
export function mutateExpectations(
  sites: readonly ExpectationSite[],
  caught: readonly Caught[],
  pool: Pool,
): Promise<readonly SiteResult[]> {
  return inParallel(sites, pool.width, async ({ id, without, removed }): Promise<SiteResult> => {
    const candidates = caught.flatMap(({ mutant, failures }) => {
      const decided = mutant.violates.filter((rule) => {
        const own = failures.filter((failure) => failure.rule === rule)
        return own.length > 0 && own.every((failure) => removed.has(keyOf(failure)))
      })
      return decided.length === 0 ? [] : [{ mutant, decided }]
    })
    for (const { mutant, decided } of candidates.slice(0, MAX_TRIED)) {
      const only = stillNamed(decided, without)
      // A rule that no case names any more cannot fail.
      if (only.length === 0) return { id, noticedBy: mutant.id }
      const run = await pool.run({
        kind: 'mutant',
        id: mutant.id,
        seed: 1,
        full: false,
        only,
        specification: without,
      })
      if (escapes({ ...mutant, violates: decided }, redRules(run))) return { id, noticedBy: mutant.id }
    }
    return { id }
  })
}

/** A pattern that matches nothing is refused. */
function stillNamed(rules: readonly string[], { cases }: ExpectationSite['without']): readonly string[] {
  const named = new Set(
    cases.flatMap(({ steps }) => steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))),
  )
  return rules.filter((rule) => named.has(rule))
}
