/**
 * A report of version 1 as one of version 2; anything else as it is. What is returned is still to be validated.
 *
 * Version 1 had one counterexample for each result, of one of its failures: all of them get it, since it does not say which.
 */
export function upgradeReport(value: unknown): unknown {
  if (!isObject(value) || value.schemaVersion !== 1) return value
  const { results, plan, ...rest } = value
  return {
    ...rest,
    schemaVersion: 2,
    results: Array.isArray(results) ? results.map(upgradeResult) : results,
    limits: [],
    trouble: [],
    accounts: [],
    plan,
  }
}

function upgradeResult(value: unknown): unknown {
  if (!isObject(value)) return value
  const { counterexample, replay, reproduce, ...result } = value
  if (!Array.isArray(result.judgements)) return result
  const repeat = Object.fromEntries(
    Object.entries({ counterexample, replay, reproduce }).filter(([, part]) => part !== undefined),
  )
  const judgements = result.judgements.map((judgement: unknown) =>
    isObject(judgement) && judgement.outcome === 'failed' ? { ...judgement, ...repeat } : judgement,
  )
  return { ...result, judgements }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
