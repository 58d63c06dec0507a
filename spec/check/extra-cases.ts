import { groups } from '../generated/groups.js'
import { placeCases } from '../load/expand-case.js'
import { type ExtraFile, readExtraFiles } from '../load/extra-files.js'
import { type Finding, SpecError } from '../load/position.js'
import type { Parsed } from '../load/specification-files.js'
import { toCase, withCases } from '../load/to-case.js'
import type { Case } from '../model/case.js'
import { digest } from '../model/digest.js'
import type { Specification } from '../model/specification.js'
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
  const files = readExtraFiles(folder)
  const draws = caseFiles(files).some(({ value }) => value.cases.some(({ forall }) => forall !== undefined))
  const findings: Finding[] = []
  // What draws inputs is loaded for those alone who use it.
  const { requirements, cases } = expandExtra(base, files, new Set(draws ? await generators() : []), findings)
  if (findings.length > 0) throw new SpecError(findings)
  return {
    hash: `sha256:${digest([base.hash, requirements, cases])}`,
    requirements: [...base.requirements, ...requirements],
    cases: [...base.cases, ...cases],
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
