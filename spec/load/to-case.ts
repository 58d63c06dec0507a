import type { Case, Step } from '../model/case.js'
import { groupBy } from '../model/items.js'
import type { Requirement } from '../model/specification.js'
import type { PlacedCase } from './expand-case.js'

/** The case that a file holds, with what it writes in short written out. */
export function toCase({ file, written, steps: placed }: PlacedCase): Case {
  const steps = placed.map(
    ({ step, expect }): Step =>
      expect.length > 0 ? { ...step, expect: expect.map(({ expectation }) => expectation) } : step,
  )
  const {
    send: _send,
    register: _register,
    signIn: _signIn,
    property: _property,
    expect: _expect,
    ...rest
  } = written
  return { ...rest, section: file.value.section, steps }
}

/** The rules, each with the cases that name it in an expectation, in the order of the cases. */
export function withCases(rules: readonly Requirement[], cases: readonly Case[]): readonly Requirement[] {
  const pairs = cases.flatMap(({ id, steps }) => {
    const named = new Set(steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule)))
    return [...named].map((rule) => ({ rule, id }))
  })
  const covered = groupBy(pairs, ({ rule }) => rule)
  return rules.map((rule) => {
    const judging = covered.get(rule.id)
    return judging === undefined ? rule : { ...rule, cases: judging.map(({ id }) => id) }
  })
}
