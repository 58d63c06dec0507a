import type { Expectation } from '../../spec/model/expectation.js'
import { inParallel } from '../../spec/model/items.js'
import type { Specification } from '../../spec/model/specification.js'
import { idOf, isAskedFor, type JudgeSite } from '../jobs/judge-sites.js'
import type { Pool } from '../jobs/pool.js'
import { redRules } from '../matrix/claims.js'
import type { Mutant } from '../mutants/mutant.js'
import { VARIANTS } from '../variants/index.js'
import type { Variant } from '../variants/variant.js'
import { type Caught, escapes, isAccusedWrongly, keyOf, type SiteResult } from './caught.js'

/** Mutants and variants at a time, for one site: the first that notices ends its search. */
const TRIED_AT_ONCE = 4

type ServerCandidate = { readonly mutant: Mutant } | { readonly variant: Variant }

/** For each site, runs the mutants that its check concerns, and variants where it may accuse, until one is judged otherwise. */
export function mutateJudge(
  sites: readonly JudgeSite[],
  caught: readonly Caught[],
  specification: Specification,
  pool: Pool,
): Promise<readonly SiteResult[]> {
  return inParallel(sites, pool.width / TRIED_AT_ONCE, async (site): Promise<SiteResult> => {
    const id = idOf(site)
    const asking = expectationsAskingFor(site, specification)
    const rules = [...new Set([...asking.values()].map(({ rule }) => rule))]
    const concerned = caught.filter(({ mutant, failures }) =>
      failures.some((failure) => mutant.violates.includes(failure.rule) && asking.has(keyOf(failure))),
    )
    const variants = VARIANTS.filter(isFirstOfItsSetup).map((variant) => ({ variant }))
    const candidates: readonly ServerCandidate[] =
      site.how === 'is negated' ? [...variants, ...concerned] : concerned
    for (let at = 0; at < candidates.length; at += TRIED_AT_ONCE) {
      const batch = candidates.slice(at, at + TRIED_AT_ONCE)
      const noticed = await inParallel(batch, TRIED_AT_ONCE, async (candidate) =>
        (await notices(candidate, rules, pool, site)) ? [candidate] : [],
      )
      for (const candidate of noticed.flat()) {
        // What is by chance judged so without the site too does not count.
        if (!(await notices(candidate, rules, pool)))
          return { id, noticedBy: 'variant' in candidate ? candidate.variant.id : candidate.mutant.id }
      }
    }
    return { id }
  })
}

async function notices(
  candidate: ServerCandidate,
  rules: readonly string[],
  pool: Pool,
  site?: JudgeSite,
): Promise<boolean> {
  const common = { seed: 1, full: false, ...(site === undefined ? {} : { site }) }
  if ('variant' in candidate) {
    const run = await pool.run({ ...common, kind: 'variant', id: candidate.variant.id, only: rules })
    return run.verdict !== 'conformant' || redRules(run).length > 0
  }
  const { mutant } = candidate
  const only = [...new Set([...mutant.violates, ...rules])]
  const red = redRules(await pool.run({ ...common, kind: 'mutant', id: mutant.id, only }))
  return escapes(mutant, red) || isAccusedWrongly(mutant, red)
}

/** By `<case>#<index>`, the index counted over all steps of the case. */
function expectationsAskingFor(site: JudgeSite, { cases }: Specification): ReadonlyMap<string, Expectation> {
  return new Map(
    cases.flatMap(({ id, steps }) =>
      steps
        .flatMap(({ expect = [] }) => expect)
        .flatMap((expectation, index) =>
          isAskedFor(site, expectation) ? [[`${id}#${index}`, expectation] as const] : [],
        ),
    ),
  )
}

function isFirstOfItsSetup({ needs }: Variant, index: number): boolean {
  return VARIANTS.findIndex((other) => other.needs === needs) === index
}
