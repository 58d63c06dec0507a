import type { Result, RuleResult, Verdict } from './types.js'

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
  const levels = new Map(rules.map(({ id, level }) => [id, level]))
  // A rule that the report does not know gates: an unknown must never turn a run green.
  const gates = (rule: string) => {
    const level = levels.get(rule) ?? 'must'
    return level === 'must' || (strict && level === 'should')
  }
  const has = (outcome: 'failed' | 'cantTell') => (result: Result) =>
    result.judgements.length === 0
      ? result.outcome === outcome
      : result.judgements.some((judgement) => judgement.outcome === outcome && gates(judgement.rule))

  if (results.some((result) => !result.waived && has('failed')(result))) {
    return { verdict: 'nonconformant', exitCode: 1 }
  }
  const stopped = results.some(
    ({ outcome, reason }) => outcome === 'untested' && reason !== 'filtered' && reason !== 'shard',
  )
  if (stopped || results.some(has('cantTell'))) return { verdict: 'inconclusive', exitCode: 3 }

  const executed = results.some(({ outcome }) => outcome !== 'inapplicable' && outcome !== 'untested')
  if (!executed) return { verdict: 'inconclusive', exitCode: sharded ? 0 : 3 }
  return { verdict: 'conformant', exitCode: 0 }
}
