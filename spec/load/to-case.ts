import type { Case, Step } from '../model/case.js'
import { groupBy } from '../model/items.js'
import type { Requirement } from '../model/specification.js'
import { expandCase } from './expand-case.js'
import { suggestion } from './nearest.js'
import type { Finding } from './position.js'
import type { Parsed } from './specification-files.js'
import type { WrittenCase, WrittenCaseFile, WrittenGroups } from './written-case.js'

/**
 * The case that a file holds, with what it writes in short written out.
 * @param findings gets one for each unknown group
 */
export function toCase(
  file: Parsed<WrittenCaseFile>,
  written: WrittenCase,
  pointer: string,
  groups: WrittenGroups,
  findings: Finding[],
): Case {
  const placed = expandCase(written, pointer, groups, (name, at) => {
    const message = `expected a group of expectations.yaml, found "${name}"${suggestion(name, Object.keys(groups))}`
    findings.push({ position: file.at(at), message })
  })
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
  const { file: name, line } = file.at(pointer)
  return { ...rest, section: file.value.section, steps, source: { file: name, line } }
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
