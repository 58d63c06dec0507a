import { basename } from 'node:path'
import { type Finding, finding } from '../load/position.js'
import type { SpecificationFiles } from '../load/specification-files.js'
import type { WrittenCaseFile } from '../load/written-case.js'

/** What a reader takes in at a glance. */
const longestTitle = 70

/** Each case once, in its section's file, under a short title in the present tense. */
export function* checkCases(files: SpecificationFiles): Generator<Finding> {
  const first = new Map<string, string>()
  for (const file of files.caseFiles) {
    const { section, cases }: WrittenCaseFile = file.value
    const name = basename(file.file)
    if (file.value.requirements !== undefined)
      yield finding(file.keyAt('/requirements'), 'expected the rules in requirements.yaml')
    if (!name.startsWith(`${section}-`))
      yield finding(
        file.at('/section'),
        `expected the section that the file name ${name} begins with, found "${section}"`,
      )
    for (const [index, { id, title }] of cases.entries()) {
      const at = (key: string, message: string): Finding =>
        finding(file.at(`/cases/${index}/${key}`), message)
      if (!id.startsWith(`${section}/`))
        yield at('id', `expected an id that begins with ${section}/, found "${id}"`)
      const twin = first.get(id)
      if (twin !== undefined)
        yield at('id', `expected each case once, found "${id}", which ${twin} has already`)
      else first.set(id, file.file)
      const length = [...title].length
      if (length > longestTitle)
        yield at('title', `expected a title of at most ${longestTitle} characters, found ${length}`)
      if (/\bshould\b/i.test(title))
        yield at('title', 'expected a title in the present tense, found "should"')
    }
  }
}
