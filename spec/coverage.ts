import type { Case } from './types.js'

/** Which cases judge which rule: the case ids by rule id, in the order of the cases. */
export function coverage(cases: readonly Case[]): ReadonlyMap<string, readonly string[]> {
  const covered = new Map<string, string[]>()
  for (const { id, steps } of cases) {
    const rules = new Set(steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule)))
    for (const rule of rules) {
      const ids = covered.get(rule)
      if (ids === undefined) covered.set(rule, [id])
      else ids.push(id)
    }
  }
  return covered
}
