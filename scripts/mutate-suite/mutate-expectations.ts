import type { ExpectationSite } from './expectation-sites.js'
import { inLanes } from './in-lanes.js'
import { type Caught, escapes } from './subject.js'
import type { SuiteProcess } from './suite-process.js'

/** Whether anybody notices that something of the suite is gone, and who. */
export interface Verdict {
  readonly id: string
  readonly noticedBy?: string
}

/** By luck a mutant may be caught otherwise than before: then another is tried. */
const MOST_TRIED = 3

/**
 * Runs, for each expectation, a mutant that it alone catches by some rule, with the specification that lacks it, and sees
 * that rule stay green. Where no mutant has such a rule, nobody would notice.
 */
export async function mutateExpectations(
  sites: readonly ExpectationSite[],
  caught: readonly Caught[],
  processOf: (lane: number) => SuiteProcess,
  lanes: number,
): Promise<readonly Verdict[]> {
  return inLanes(sites, lanes, async ({ id, without, removed }, lane): Promise<Verdict> => {
    const candidates = caught.flatMap(({ mutant, failures }) => {
      const decided = mutant.violates.filter((rule) => {
        const own = failures.filter((failure) => failure.rule === rule)
        return own.length > 0 && own.every((failure) => removed.has(`${failure.case}#${failure.index}`))
      })
      return decided.length === 0 ? [] : [{ mutant, decided }]
    })
    for (const { mutant, decided } of candidates.slice(0, MOST_TRIED)) {
      const job = {
        kind: 'mutant',
        id: mutant.id,
        specification: without,
        only: stillNamed(decided, without),
      } as const
      // Where no case names the rule any more, nothing can turn it red.
      if (job.only.length === 0) return { id, noticedBy: mutant.id }
      const assessment = await processOf(lane).assess(job)
      if (assessment !== undefined && escapes({ ...mutant, violates: decided }, assessment))
        return { id, noticedBy: mutant.id }
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
