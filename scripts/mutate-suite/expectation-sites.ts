import { assemble } from '../../spec/load.js'
import { readSpecificationFiles, type SpecificationFiles } from '../../spec/specification-files.js'
import type { Case, Specification } from '../../spec/types.js'
import type { WrittenCase, WrittenExpectation } from '../../spec/written-case.js'

/** One item of an `expect` list, or of a group, and the specification without it. */
export interface ExpectationSite {
  /** Where it stands, and its rule: stays when other items come and go. */
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
    file.value.cases.flatMap((subject, place) =>
      withoutEach(subject).map(({ name, subject: changed }): Deletion => {
        const value = { ...file.value, cases: file.value.cases.with(place, changed) }
        return { name, files: { ...files, caseFiles: files.caseFiles.with(at, { ...file, value }) } }
      }),
    ),
  )
}

function withoutEach(
  subject: WrittenCase,
): readonly { readonly name: string; readonly subject: WrittenCase }[] {
  const { id, expect = [], steps = [] } = subject
  const ofCase = expect.map((item, index) => ({
    name: `${id}: ${nameOf(item)}`,
    subject: { ...subject, expect: expect.toSpliced(index, 1) },
  }))
  const ofSteps = steps.flatMap((step, place) =>
    (step.expect ?? []).map((item, index) => ({
      name: `${id}, ${step.name ?? `step ${place + 1}`}: ${nameOf(item)}`,
      subject: {
        ...subject,
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
    whole.cases.flatMap((subject, place) => {
      const kept = expectationsOf(without.cases[place]).values()
      let next = kept.next()
      return expectationsOf(subject).flatMap((text, index) => {
        if (text !== next.value) return [`${subject.id}#${index}`]
        next = kept.next()
        return []
      })
    }),
  )
}

/** Each with its step: two steps may expect the same. */
function expectationsOf(subject: Case | undefined): readonly string[] {
  return (subject?.steps ?? []).flatMap(({ expect = [] }, step) =>
    expect.map((expectation) => `${step} ${JSON.stringify(expectation)}`),
  )
}
