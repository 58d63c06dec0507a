import { SUITE } from '../../reports/model/compose-report.js'
import { groupBy } from '../../spec/model/items.js'
import type { Level, Verdict } from '../../spec/model/report.js'
import type { Requirement, Specification } from '../../spec/model/specification.js'
import type { Assessment } from '../jobs/job.js'
import type { Selected } from '../jobs/selection.js'
import type { Mutant } from '../mutants/mutant.js'
import type { Variant } from '../variants/variant.js'
import { isJudged, mutantProblems, redRules, rulesWithoutMutant, variantProblems } from './claims.js'

export interface Trial {
  readonly seed: number
  readonly verdict: Verdict
  readonly red: readonly string[]
  readonly durationMs: number
}

export interface ProvenMutant extends Omit<Mutant, 'behaviour' | 'declares' | 'smallest'> {
  readonly trials: readonly Trial[]
  readonly problems: readonly string[]
}

export interface ProvenVariant extends Pick<Variant, 'id' | 'description' | 'needs'> {
  readonly trials: readonly Trial[]
  readonly problems: readonly string[]
}

export interface ProvenRule {
  readonly id: string
  readonly level: Level
  readonly statement: string
  /** The mutants that claim it, and that it caught with every seed. */
  readonly killed: readonly string[]
  readonly problems: readonly string[]
}

/** Which rule catches which mutant, and whether all of it is as claimed. */
export interface KillMatrix {
  readonly schemaVersion: 1
  readonly suite: { readonly name: string; readonly version: string; readonly specification: string }
  readonly seeds: readonly number[]
  readonly rules: readonly ProvenRule[]
  readonly mutants: readonly ProvenMutant[]
  readonly variants: readonly ProvenVariant[]
  readonly problems: number
}

export interface Proof {
  readonly specification: Pick<Specification, 'hash' | 'requirements'>
  readonly selected: Selected
  readonly seeds: readonly number[]
  readonly assessments: readonly Assessment[]
  /** A rule without a mutant is a problem only where all mutants were run. */
  readonly isWhole: boolean
  /** Rules that a test shows to be judged, where no mutant can. */
  readonly shownElsewhere?: readonly string[]
}

/** Compares what the runs showed with what each mutant violates. Pure. */
export function composeMatrix({
  specification,
  selected,
  seeds,
  assessments,
  isWhole,
  shownElsewhere = [],
}: Proof): KillMatrix {
  const of = (kind: Assessment['kind'], id: string) =>
    assessments.filter((assessment) => assessment.kind === kind && assessment.id === id)
  const mutants = selected.mutants.map((mutant): ProvenMutant => {
    const { behaviour: _, declares: __, smallest: ___, ...rest } = mutant
    return { ...rest, ...proven(of('mutant', mutant.id), seeds, (one) => mutantProblems(mutant, one)) }
  })
  const variants = selected.variants.map(
    ({ id, description, needs }): ProvenVariant => ({
      id,
      description,
      needs,
      ...proven(of('variant', id), seeds, variantProblems),
    }),
  )
  const without = isWhole ? rulesWithoutMutant(specification.requirements, selected.mutants) : []
  const bare = without.filter((rule) => !shownElsewhere.includes(rule))
  const rules = specification.requirements.filter(isJudged).map((rule) => provenRule(rule, mutants, bare))
  const problems = [...rules, ...mutants, ...variants].reduce((sum, one) => sum + one.problems.length, 0)
  return {
    schemaVersion: 1,
    suite: { ...SUITE, specification: specification.hash },
    seeds,
    rules,
    mutants,
    variants,
    problems,
  }
}

function proven(
  assessments: readonly Assessment[],
  seeds: readonly number[],
  problemsOf: (assessment: Assessment) => readonly string[],
): { readonly trials: readonly Trial[]; readonly problems: readonly string[] } {
  const found = groupBy(
    assessments.flatMap((assessment) =>
      problemsOf(assessment).map((problem) => ({ problem, seed: assessment.seed })),
    ),
    ({ problem }) => problem,
  )
  const trials = assessments.map((assessment): Trial => {
    const { seed, verdict, durationMs } = assessment
    return { seed, verdict, red: redRules(assessment), durationMs }
  })
  const problems = [...found].map(([problem, at]) =>
    seeds.length === 1 ? problem : `${problem} [seed ${at.map(({ seed }) => seed).join(', ')}]`,
  )
  return { trials, problems }
}

function provenRule(
  { id, level, statement }: Requirement,
  mutants: readonly ProvenMutant[],
  bare: readonly string[],
): ProvenRule {
  const killed = mutants.filter(
    ({ violates, trials }) => violates.includes(id) && trials.every(({ red }) => red.includes(id)),
  )
  return {
    id,
    level,
    statement,
    killed: killed.map((mutant) => mutant.id),
    problems: bare.includes(id) ? ['no mutant breaks it: nothing shows that it is judged'] : [],
  }
}
