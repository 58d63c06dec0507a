import { createHash } from 'node:crypto'
import { groups } from '../generated/groups.js'
import { placeCases } from '../load/expand-case.js'
import { type ExtraFile, readExtraFiles } from '../load/extra-files.js'
import { type Finding, SpecError } from '../load/position.js'
import type { Parsed } from '../load/specification-files.js'
import { toCase, withCases } from '../load/to-case.js'
import type { Case } from '../model/case.js'
import type { Requirement, Specification } from '../model/specification.js'
import { caseFiles, checkExtra } from './check-extra.js'
import { expectsGrant } from './check-references.js'

/**
 * The specification with the cases and rules of a folder (`--cases`) behind its own.
 * @param generators the names that `forall` may hold; asked for only where a case has one
 * @throws AssayError with file:line:column of everything that is wrong
 */
export async function withExtraCases(
  base: Specification,
  folder: string,
  generators: () => Promise<Iterable<string>>,
): Promise<Specification> {
  const files = await readExtraFiles(folder)
  const findings: Finding[] = []
  const joined = join(base, files, await namesFor(files, generators), findings)
  if (findings.length > 0) throw new SpecError(findings)
  return joined
}

/** What draws inputs is loaded for those alone who use it. */
async function namesFor(
  files: readonly Parsed<ExtraFile>[],
  generators: () => Promise<Iterable<string>>,
): Promise<ReadonlySet<string>> {
  const draws = caseFiles(files).some(({ value }) => value.cases.some(({ forall }) => forall !== undefined))
  return new Set(draws ? await generators() : [])
}

function join(
  base: Specification,
  files: readonly Parsed<ExtraFile>[],
  generators: ReadonlySet<string>,
  findings: Finding[],
): Specification {
  const { requirements, cases } = expandExtra(base, files, generators, findings)
  const text = JSON.stringify([requirements, cases])
  const digest = createHash('sha256').update(base.hash).update(text)
  // Read again, all have the same hidden classes, however each was put together: code that V8 has
  // optimized for the first of thousands stays good for the rest.
  const own: [Requirement[], Case[]] = JSON.parse(text)
  return {
    hash: `sha256:${digest.digest('hex').slice(0, 16)}`,
    requirements: [...base.requirements, ...own[0]],
    cases: [...base.cases, ...own[1]],
    observations: base.observations,
  }
}

/** The rules and cases of such files. @param findings gets what is wrong with them */
export function expandExtra(
  base: Specification,
  files: readonly Parsed<ExtraFile>[],
  generators: ReadonlySet<string>,
  findings: Finding[],
): Pick<Specification, 'requirements' | 'cases'> {
  const placed = placeCases(caseFiles(files), groups, findings)
  const cases = placed.map(toCase)
  const rules = new Set(base.requirements.map(({ id }) => id))
  const grants = new Map(base.cases.map((testCase) => [testCase.id, expectsGrant(expectationsOf(testCase))]))
  findings.push(...checkExtra(files, placed, { rules, grants, generators }))
  const requirements = withCases(
    files.flatMap(({ value }) => value.requirements ?? []),
    cases,
  )
  return { requirements, cases }
}

function expectationsOf({ steps }: Case) {
  return steps.flatMap(({ expect = [] }) => expect)
}
