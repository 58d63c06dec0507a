import type { Explanations } from '../generated/types/explanations.js'
import { type Finding, finding } from '../load/position.js'
import type { Parsed } from '../load/specification-files.js'
import type { Requirement } from '../model/specification.js'

/** Each rule that is judged is explained once, in the order of the ledger, by a mending that is there; each mending is used. */
export function* checkExplanations(
  { value, at }: Parsed<Explanations>,
  requirements: readonly Requirement[],
): Generator<Finding> {
  const judged = requirements.filter(({ cases = [] }) => cases.length > 0).map(({ id }) => id)
  const rows = value.rules.map(({ rule }) => rule)
  const wrong = judged.findIndex((id, index) => rows[index] !== id)
  if (wrong !== -1)
    yield finding(
      at(wrong < rows.length ? `/rules/${wrong}/rule` : '/rules'),
      `expected ${judged[wrong]}, in the order of the ledger, found ${rows[wrong] ?? 'the end'}`,
    )
  else if (rows.length > judged.length)
    yield finding(at(`/rules/${judged.length}/rule`), 'expected the end: no case judges this rule')

  const mendings = value.mendings.map(({ id }) => id)
  for (const [index, { mending }] of value.rules.entries())
    if (!mendings.includes(mending))
      yield finding(at(`/rules/${index}/mending`), `expected a mending, found "${mending}"`)
  for (const [index, id] of mendings.entries()) {
    const position = at(`/mendings/${index}/id`)
    if (mendings.indexOf(id) < index)
      yield finding(position, `expected each mending once, found "${id}" again`)
    else if (!value.rules.some(({ mending }) => mending === id))
      yield finding(position, `expected a rule that "${id}" mends`)
  }
}
