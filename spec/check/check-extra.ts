import type { PlacedCase } from '../load/expand-case.js'
import type { ExtraFile } from '../load/extra-files.js'
import { suggestion } from '../load/nearest.js'
import { type Finding, finding } from '../load/position.js'
import type { Parsed } from '../load/specification-files.js'
import type { WrittenCaseFile } from '../load/written-case.js'
import { pointerTo } from '../model/json.js'
import type { Requirement } from '../model/specification.js'
import { checkCaseReferences, type Nameable } from './check-references.js'

type File = Parsed<ExtraFile>

/** Cases and rules of a user's own: under a namespace, each id once, and all that they name is there. */
export function* checkExtra(
  files: readonly File[],
  placed: readonly PlacedCase[],
  known: Nameable & { readonly generators: ReadonlySet<string> },
): Generator<Finding> {
  const first = new Map<string, string>()
  const rules = new Set(known.rules)
  for (const file of files) {
    for (const [index, row] of (file.value.requirements ?? []).entries()) {
      const pointer = `/requirements/${index}`
      yield* checkId(file, pointer, row.id, row.section, '-', first)
      yield* checkReason(file, pointer, row)
      rules.add(row.id)
    }
    for (const [index, { id, forall = {} }] of (file.value.cases ?? []).entries()) {
      const pointer = `/cases/${index}`
      yield* checkId(file, pointer, id, file.value.section ?? '', '/', first)
      for (const [variable, generator] of Object.entries(forall))
        if (!known.generators.has(generator))
          yield finding(
            file.at(`${pointer}${pointerTo('/forall', variable)}`),
            `expected a generator (\`token-assay list generators\`), found "${generator}"${suggestion(generator, known.generators)}`,
          )
    }
  }
  yield* checkCaseReferences(placed, { ...known, rules })
  yield* checkJudged(files)
}

/** The files that hold cases. */
export function caseFiles(files: readonly File[]): readonly Parsed<WrittenCaseFile>[] {
  return files.flatMap((file) => {
    const { section, cases } = file.value
    return section === undefined || cases === undefined
      ? []
      : [{ ...file, value: { ...file.value, section, cases } }]
  })
}

function* checkId(
  file: File,
  pointer: string,
  id: string,
  section: string,
  joint: '/' | '-',
  first: Map<string, string>,
): Generator<Finding> {
  const at = (message: string): Finding => ({ position: file.at(`${pointer}/id`), message })
  if (!section.includes(':'))
    yield at(
      `expected an id in a namespace of your own, such as contoso:checkout${joint}locked, found "${id}"`,
    )
  else if (!id.startsWith(`${section}${joint}`))
    yield at(`expected an id that begins with ${section}${joint}, found "${id}"`)
  const twin = first.get(id)
  if (twin === undefined) first.set(id, file.file)
  else yield at(`expected each id once, found "${id}", which ${twin} has already`)
}

/** What is not judged says why. */
function* checkReason(file: File, pointer: string, { id, level, why }: Requirement): Generator<Finding> {
  if (level !== 'must' && level !== 'should' && why === undefined)
    yield finding(file.at(`${pointer}/level`), `expected \`why\` beside level ${level}, found none for ${id}`)
}

/** A rule that no case judges would never be broken. */
function* checkJudged(files: readonly File[]): Generator<Finding> {
  const judged = new Set<string>()
  for (const { value } of caseFiles(files))
    for (const { expect = [], steps = [] } of value.cases)
      for (const item of [...expect, ...steps.flatMap((step) => step.expect ?? [])])
        if ('rule' in item) judged.add(item.rule)
  for (const file of files)
    for (const [index, { id, level, why }] of (file.value.requirements ?? []).entries())
      if ((level === 'must' || level === 'should') && !judged.has(id) && why === undefined)
        yield finding(
          file.at(`/requirements/${index}/id`),
          `expected a case that judges ${id}, or \`why\` none does, found neither`,
        )
}
