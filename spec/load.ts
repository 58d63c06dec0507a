import { createHash } from 'node:crypto'
import { suggestion } from './nearest.js'
import { type Finding, pointerTo } from './position.js'
import { SpecError } from './spec-error.js'
import { type Parsed, readSpecificationFiles, type SpecificationFiles } from './specification-files.js'
import type { Case, Expectation, Requirement, Specification, Step } from './types.js'
import type { WrittenCase, WrittenCaseFile, WrittenExpectation, WrittenStep } from './written-case.js'

/**
 * Reads a specification folder: `requirements.yaml`, `expectations.yaml`, `cases/*.yaml`.
 * @throws SpecError with file:line:column of everything that breaks its schema or names an unknown group
 */
export function parseSpecification(folder: string): Specification {
  return assemble(readSpecificationFiles(folder))
}

/** Resolves what is written in short: groups of expectations, and cases of one step. */
export function assemble(files: SpecificationFiles): Specification {
  const { requirements } = files.requirements.value
  const findings: Finding[] = []
  const cases = files.caseFiles.flatMap((file) =>
    file.value.cases.map((written, index) => {
      const expand = expander(files, file, findings)
      return toCase(file, written, `/cases/${index}`, expand)
    }),
  )
  if (findings.length > 0) throw new SpecError(findings)
  return { hash: hashOf(requirements, cases), requirements, cases }
}

type Expand = (written: readonly WrittenExpectation[] | undefined, pointer: string) => readonly Expectation[]

function expander(files: SpecificationFiles, file: Parsed<WrittenCaseFile>, findings: Finding[]): Expand {
  const groups = new Map(Object.entries(files.groups.value))
  return (written = [], pointer) =>
    written.flatMap((item, index): readonly Expectation[] => {
      if (!('all' in item)) return [item]
      const { all, ...overrides } = item
      const group = groups.get(all)
      if (group === undefined) {
        const message = `expected a group of expectations.yaml, found "${all}"${suggestion(all, groups.keys())}`
        findings.push({ position: file.at(pointerTo(pointerTo(pointer, index), 'all')), message })
        return []
      }
      return group.map((expectation) => merge(expectation, overrides))
    })
}

function merge(expectation: Expectation, overrides: Partial<Expectation>): Expectation {
  const merged = { ...expectation, ...overrides }
  // Both conditions must hold: a group's own `when` is narrowed, not lifted.
  const when = { ...expectation.when, ...overrides.when }
  return Object.keys(when).length > 0 ? { ...merged, when } : merged
}

function toCase(file: Parsed<WrittenCaseFile>, written: WrittenCase, pointer: string, expand: Expand): Case {
  const { send, steps, expect, ...rest } = written
  const plain: readonly WrittenStep[] = send === undefined ? (steps ?? []) : [{ send }]
  const atCase = expand(expect, pointerTo(pointer, 'expect'))
  const expanded = plain.map((step, index): Step => {
    const own = expand(step.expect, `${pointer}/steps/${index}/expect`)
    const all = index === plain.length - 1 ? [...own, ...atCase] : own
    const { expect: _, ...others } = step
    return all.length > 0 ? { ...others, expect: all } : others
  })
  const { file: name, line } = file.at(pointer)
  return { ...rest, section: file.value.section, steps: expanded, source: { file: name, line } }
}

/** Where a case stands does not change what it judges: moving lines leaves the hash as it is. */
function hashOf(requirements: readonly Requirement[], cases: readonly Case[]): string {
  const judged = cases.map(({ source: _, ...rest }) => rest)
  const digest = createHash('sha256').update(JSON.stringify({ requirements, cases: judged }))
  return `sha256:${digest.digest('hex').slice(0, 16)}`
}
