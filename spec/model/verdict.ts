import type { Report, Result, RuleResult, Verdict } from './report.js'

export interface VerdictOptions {
  /** A failed `should` gates as a `must` does. */
  readonly strict?: boolean
  /** The run is one shard of several: it may be empty. */
  readonly sharded?: boolean
}

export interface RunVerdict {
  readonly verdict: Verdict
  /** What the command exits with: 0, 1 or 3. Misuse (2), our own bugs (70) and interrupts are the command's. */
  readonly exitCode: 0 | 1 | 3
}

/** What a result means for a pipeline that is to stop on it. */
export type GateEffect =
  /** Nothing is wrong. */
  | 'passed'
  /** A gating judgement failed: stop. */
  | 'broken'
  /** Something gating could not be judged: stop. */
  | 'inconclusive'
  /** The run ended before it: stop. */
  | 'stopped'
  /** What failed is waived by the baseline. */
  | 'waived'
  /** Only a recommendation, or what is advisory, is not followed, or could not be judged. */
  | 'advice'
  /** Not applicable, or left out on purpose. */
  | 'skipped'

/** Why a case is untested that real traffic would have to be an instance of: no one left it out, and no run ended early. */
export const NOT_EXERCISED = 'not exercised'
const NO_GAP: readonly (string | undefined)[] = ['filtered', 'shard', NOT_EXERCISED]

/** The meaning of each result for a gate. Every format asks this, so that none is green where another is red. */
export function gateEffects(
  rules: readonly Pick<RuleResult, 'id' | 'level'>[],
  { strict = false }: Pick<VerdictOptions, 'strict'> = {},
): (result: Result) => GateEffect {
  const levels = new Map(rules.map(({ id, level }) => [id, level]))
  // A rule that the report does not know gates: an unknown must never turn a run green.
  const gates = (rule: string) => {
    const level = levels.get(rule) ?? 'must'
    return level === 'must' || (strict && level === 'should')
  }
  const has = (result: Result, outcome: 'failed' | 'cantTell') =>
    result.judgements.length === 0
      ? result.outcome === outcome
      : result.judgements.some(
          ({ rule, advisory, ...judgement }) => judgement.outcome === outcome && !advisory && gates(rule),
        )
  return (result) => {
    const { outcome, reason, waived } = result
    if (!waived && has(result, 'failed')) return 'broken'
    if (has(result, 'cantTell')) return 'inconclusive'
    if (waived) return 'waived'
    switch (outcome) {
      case 'untested':
        return NO_GAP.includes(reason) || isAdvisory(result) ? 'skipped' : 'stopped'
      case 'inapplicable':
        return 'skipped'
      case 'passed':
        return 'passed'
      case 'failed':
      case 'cantTell':
        return 'advice'
    }
  }
}

/** Whether nothing that a result judges gates: it is of a profile, or came after the release that gates. */
export function isAdvisory({ judgements }: Pick<Result, 'judgements'>): boolean {
  return judgements.length > 0 && judgements.every(({ advisory }) => advisory)
}

/** Whether something that gates was executed. */
export function wasExecuted(result: Result): boolean {
  return result.outcome !== 'inapplicable' && result.outcome !== 'untested' && !isAdvisory(result)
}

/** Whether a run was strict: its report does not say so, but where it matters the verdict shows it. */
export function wasStrict({
  results,
  rules,
  verdict,
}: Pick<Report, 'results' | 'rules' | 'verdict'>): boolean {
  return verdictOf(results, rules).verdict !== verdict
}

/**
 * What a run proves, from its results and the levels of the rules that they judge.
 *
 * - a gating judgement failed and is not waived: `nonconformant`, 1;
 * - else something gating is `cantTell`, or the run stopped early (`untested` with reason `bail` or
 *   `stopped`), or nothing was executed at all: `inconclusive`, 3 (an empty shard exits 0, and proves as little);
 * - else `conformant`, 0.
 */
export function verdictOf(
  results: readonly Result[],
  rules: readonly Pick<RuleResult, 'id' | 'level'>[],
  { strict = false, sharded = false }: VerdictOptions = {},
): RunVerdict {
  const effects = new Set(results.map(gateEffects(rules, { strict })))
  if (effects.has('broken')) return { verdict: 'nonconformant', exitCode: 1 }
  if (effects.has('stopped') || effects.has('inconclusive')) return { verdict: 'inconclusive', exitCode: 3 }
  if (!results.some(wasExecuted)) return { verdict: 'inconclusive', exitCode: sharded ? 0 : 3 }
  return { verdict: 'conformant', exitCode: 0 }
}
