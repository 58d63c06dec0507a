import type { Requirement } from '../../spec/model/specification.js'
import type { Assessment } from '../jobs/job.js'
import type { Mutant } from '../mutants/mutant.js'

/** What a mutant says of itself, to be held against a run. */
export type Claims = Pick<Mutant, 'violates' | 'collateral' | 'expect' | 'smallest'>

export function redRules({ rules }: Assessment): readonly string[] {
  return Object.entries(rules).flatMap(([rule, { outcome }]) => (outcome === 'failed' ? [rule] : []))
}

/** Whether the run shows what the mutant claims to do wrong. */
export function isShown(
  { violates, expect }: Pick<Claims, 'violates' | 'expect'>,
  { rules, verdict }: Pick<Assessment, 'rules' | 'verdict'>,
): boolean {
  if (expect === 'cantTell') return verdict === 'inconclusive'
  return violates.every((rule) => rules[rule]?.outcome === 'failed')
}

/** Where a run against a mutant is not as it claims: sentences about the mutant. */
export function mutantProblems(claims: Claims, assessment: Assessment): readonly string[] {
  const { violates, collateral, expect, smallest = {} } = claims
  const { rules, verdict } = assessment
  const unknown = [...violates, ...collateral].filter((rule) => rules[rule] === undefined)
  const unforeseen = redRules(assessment)
    .filter((rule) => !violates.includes(rule) && !collateral.includes(rule))
    .map(
      (rule) =>
        `${rule} goes red, which is neither claimed nor collateral (${rules[rule]?.because ?? 'no reason given'})`,
    )
  return [
    ...unknown.map((rule) => `claims ${rule}, which is no rule that is judged`),
    ...(expect === 'failed' ? escapes(violates, assessment) : notUnavailable(violates, verdict)),
    ...unforeseen,
    ...notSmallest(smallest, assessment),
  ]
}

/** Where a run against a conformant server does not pass. */
export function variantProblems(assessment: Assessment): readonly string[] {
  const { rules, verdict } = assessment
  const wrong = Object.entries(rules).filter(
    ([, { outcome }]) => outcome === 'failed' || outcome === 'cantTell',
  )
  if (verdict === 'conformant' && wrong.every(([, { outcome }]) => outcome !== 'failed')) return []
  const why = wrong.map(
    ([rule, { outcome, because }]) => `${rule} is ${outcome} (${because ?? 'no reason given'})`,
  )
  return why.length > 0 ? why : [`ends ${verdict}, not conformant`]
}

/** Rules that the suite judges, and that no mutant shows to be judged. */
export function rulesWithoutMutant(
  requirements: readonly Requirement[],
  mutants: readonly Pick<Mutant, 'violates'>[],
): readonly string[] {
  const claimed = new Set(mutants.flatMap(({ violates }) => violates))
  return requirements.filter((rule) => isJudged(rule) && !claimed.has(rule.id)).map(({ id }) => id)
}

export function isJudged({ level, cases = [] }: Requirement): boolean {
  return (level === 'must' || level === 'should') && cases.length > 0
}

function escapes(violates: readonly string[], assessment: Assessment): readonly string[] {
  if (violates.length === 0) return ['claims no rule, so that nothing shows that it is caught']
  const red = redRules(assessment)
  const green = violates.filter((rule) => assessment.rules[rule] !== undefined && !red.includes(rule))
  if (red.length === 0 && green.length > 0)
    return [`survives: no rule goes red, and ${withOutcomes(green, assessment)} claimed`]
  return green.map((rule) => `${withOutcomes([rule], assessment)} claimed, and does not go red`)
}

/** `4.1-R1 (passed), 4.1-R2 (untested) are`. */
function withOutcomes(rules: readonly string[], { rules: findings }: Assessment): string {
  const each = rules.map((rule) => {
    const { outcome, because } = findings[rule] ?? {}
    return `${rule} (${outcome}${because === undefined ? '' : `, ${because}`})`
  })
  return `${each.join(', ')} ${rules.length === 1 ? 'is' : 'are'}`
}

function notSmallest(
  smallest: NonNullable<Mutant['smallest']>,
  { counterexamples }: Assessment,
): readonly string[] {
  return Object.entries(smallest).flatMap(([testCase, pattern]) => {
    const found = counterexamples[testCase]
    if (found === undefined) return [`${testCase} finds no counterexample, and is to find ${pattern}`]
    return pattern.test(found) ? [] : [`the counterexample of ${testCase} is ${found}, not ${pattern}`]
  })
}

function notUnavailable(violates: readonly string[], verdict: Assessment['verdict']): readonly string[] {
  return [
    ...(violates.length > 0 ? [`is to be unavailable, and claims ${violates.join(', ')} all the same`] : []),
    ...(verdict === 'inconclusive' ? [] : [`ends ${verdict}, not inconclusive (exit code 3)`]),
  ]
}
