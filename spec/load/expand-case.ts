import type { Step } from '../model/case.js'
import type { Expectation } from '../model/expectation.js'
import { defined } from '../model/items.js'
import { suggestion } from './nearest.js'
import type { Finding } from './position.js'
import type { Parsed } from './specification-files.js'
import type {
  WrittenCase,
  WrittenCaseFile,
  WrittenExpectation,
  WrittenGroups,
  WrittenStep,
} from './written-case.js'

/** An expectation, and the JSON pointer of the item that it was written as (for a group's: of the `all` item). */
export interface PlacedExpectation {
  readonly expectation: Expectation
  readonly pointer: string
}

/** A step without what it expects, the pointer of what holds its `send`, and its expectations. */
export interface PlacedStep {
  readonly step: Omit<Step, 'expect'>
  readonly pointer: string
  readonly expect: readonly PlacedExpectation[]
}

/** A case with its file, its JSON pointer there, and its steps. */
export interface PlacedCase {
  readonly file: Parsed<WrittenCaseFile>
  readonly written: WrittenCase
  readonly pointer: string
  readonly steps: readonly PlacedStep[]
}

/** The cases of such files. @param findings gets one for each unknown group */
export function placeCases(
  files: readonly Parsed<WrittenCaseFile>[],
  groups: WrittenGroups,
  findings: Finding[],
): readonly PlacedCase[] {
  return files.flatMap((file) =>
    file.value.cases.map((written, index) => {
      const pointer = `/cases/${index}`
      const steps = expandCase(written, pointer, groups, (name, at) => {
        const message = `expected a group of expectations.yaml, found "${name}"${suggestion(name, Object.keys(groups))}`
        findings.push({ position: file.at(at), message })
      })
      return { file, written, pointer, steps }
    }),
  )
}

/**
 * Resolves what a case writes in short: `send`, `register` or `signIn` for one step, `expect` of the case for that of its last step,
 * `{ all: group }` for the group's expectations.
 * @param pointer of the case in its file
 * @param unknownGroup is called with each name that is no group; such a name adds no expectation
 */
function expandCase(
  written: WrittenCase,
  pointer: string,
  groups: WrittenGroups,
  unknownGroup: (name: string, pointer: string) => void,
): readonly PlacedStep[] {
  const expand = (items: readonly WrittenExpectation[] = [], parent = ''): readonly PlacedExpectation[] =>
    items.flatMap((item, index): PlacedExpectation | readonly PlacedExpectation[] => {
      const at = `${parent}/${index}`
      if (!('all' in item)) return { expectation: item, pointer: at }
      const { all, ...overrides } = item
      const group = Object.hasOwn(groups, all) ? groups[all] : undefined
      if (group === undefined) unknownGroup(all, `${at}/all`)
      return (group ?? []).map((expectation) => ({ expectation: merge(expectation, overrides), pointer: at }))
    })

  const ofCase = expand(written.expect, `${pointer}/expect`)
  const { send, register, signIn, property } = written
  const steps: readonly WrittenStep[] = written.steps ?? [defined({ send, register, signIn, property })]
  return steps.map(({ expect, ...step }, index) => {
    const place = written.steps === undefined ? pointer : `${pointer}/steps/${index}`
    const own = expand(expect, `${place}/expect`)
    return { step, pointer: place, expect: index === steps.length - 1 ? [...own, ...ofCase] : own }
  })
}

function merge(expectation: Expectation, overrides: Partial<Expectation>): Expectation {
  const merged = { ...expectation, ...overrides }
  // Both conditions must hold: a group's own `when` is narrowed, not lifted.
  const when = { ...expectation.when, ...overrides.when }
  return Object.keys(when).length > 0 ? { ...merged, when } : merged
}
