import { assemble } from '../../spec/load/load.js'
import { readSpecificationFiles, type SpecificationFiles } from '../../spec/load/specification-files.js'
import type { WrittenCase, WrittenExpectation } from '../../spec/load/written-case.js'
import type { Case } from '../../spec/model/case.js'
import type { Specification } from '../../spec/model/specification.js'

/** One item of an `expect` list, or of a group, and the specification without it. */
export interface ExpectationSite {
  /** Its place and its rule: the same when other items come and go. */
  readonly id: string
  readonly without: Specification
  /** What is no longer judged: `<case>#<index>`, the index counted over all steps of the case. */
  readonly removed: ReadonlySet<string>
}

/** Every expectation that the YAML files hold, each deleted in turn. */
export function expectationSites(folder: string): readonly ExpectationSite[] {
  const files = readSpecificationFiles(folder)
  const whole = assemble(files)
  const names = new Map<string, number>()
  return [...groupDeletions(files), ...caseDeletions(files)].map(
    ({ name, files: changed }): ExpectationSite => {
      const nth = (names.get(name) ?? 0) + 1
      names.set(name, nth)
      const without = assemble(changed)
      return { id: nth === 1 ? name : `${name} #${nth}`, without, removed: missing(whole, without) }
    },
  )
}

interface Deletion {
  readonly name: string
  readonly files: SpecificationFiles
}

function groupDeletions(files: SpecificationFiles): readonly Deletion[] {
  const groups = files.groups.value
  return Object.entries(groups).flatMap(([group, items]) =>
    items.map(({ rule }, index): Deletion => {
      const value = { ...groups, [group]: items.toSpliced(index, 1) }
      return { name: `${group}: ${rule}`, files: { ...files, groups: { ...files.groups, value } } }
    }),
  )
}

function caseDeletions(files: SpecificationFiles): readonly Deletion[] {
  return files.caseFiles.flatMap((file, at) =>
    file.value.cases.flatMap((testCase, place) =>
      withoutEach(testCase).map(({ name, testCase: changed }): Deletion => {
        const value = { ...file.value, cases: file.value.cases.with(place, changed) }
        return { name, files: { ...files, caseFiles: files.caseFiles.with(at, { ...file, value }) } }
      }),
    ),
  )
}

function withoutEach(
  testCase: WrittenCase,
): readonly { readonly name: string; readonly testCase: WrittenCase }[] {
  const { id, expect = [], steps = [] } = testCase
  const ofCase = expect.map((item, index) => ({
    name: `${id}: ${nameOf(item)}`,
    testCase: { ...testCase, expect: expect.toSpliced(index, 1) },
  }))
  const ofSteps = steps.flatMap((step, place) =>
    (step.expect ?? []).map((item, index) => ({
      name: `${id}, ${step.name ?? `step ${place + 1}`}: ${nameOf(item)}`,
      testCase: {
        ...testCase,
        steps: steps.with(place, { ...step, expect: (step.expect ?? []).toSpliced(index, 1) }),
      },
    })),
  )
  return [...ofCase, ...ofSteps]
}

function nameOf(item: WrittenExpectation): string {
  return 'all' in item ? `all ${item.all}` : item.rule
}

/** What the second specification no longer expects. */
function missing(whole: Specification, without: Specification): ReadonlySet<string> {
  return new Set(
    whole.cases.flatMap((testCase, place) => {
      const kept = expectationsOf(without.cases[place]).values()
      let next = kept.next()
      return expectationsOf(testCase).flatMap((text, index) => {
        if (text !== next.value) return [`${testCase.id}#${index}`]
        next = kept.next()
        return []
      })
    }),
  )
}

/** Each with its step: two steps may expect the same. */
function expectationsOf(testCase: Case | undefined): readonly string[] {
  return (testCase?.steps ?? []).flatMap(({ expect = [] }, step) =>
    expect.map((expectation) => `${step} ${JSON.stringify(expectation)}`),
  )
}
