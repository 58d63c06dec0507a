import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { caseFiles, checkExtra } from './check-extra.js'
import { expectsGrant } from './check-references.js'
import { coverage } from './coverage.js'
import { type ExtraFile, readExactly, readExtraTexts, readQuickly } from './extra-files.js'
import type { Finding } from './position.js'
import { SpecError } from './spec-error.js'
import type { Parsed } from './specification-files.js'
import { toCase } from './to-case.js'
import type { Case, Specification } from './types.js'
import type { WrittenGroups } from './written-case.js'

/**
 * The specification with the cases and rules of a folder (`--cases`) behind its own. JSON is read without places, which
 * is fast; only where something is wrong is everything read again, with the places that the message names.
 * @param generators the names that `forall` may hold; asked for only where a case has one
 * @throws AssayError with file:line:column of everything that is wrong
 */
export async function withExtraCases(
  base: Specification,
  folder: string,
  generators: () => Promise<Iterable<string>>,
): Promise<Specification> {
  const texts = readExtraTexts(folder)
  const quick = texts.flatMap((text) => readQuickly(text) ?? [])
  if (quick.length === texts.length) {
    const findings: Finding[] = []
    const joined = join(base, quick, await namesFor(quick, generators), findings)
    if (findings.length === 0) return joined
  }
  const findings: Finding[] = []
  const exact: Parsed<ExtraFile>[] = []
  for (const text of texts) exact.push(await readExactly(text, findings))
  if (findings.length > 0) throw new SpecError(findings)
  const joined = join(base, exact, await namesFor(exact, generators), findings)
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
  const groups = loadGroups()
  const cases = caseFiles(files).flatMap((file) =>
    file.value.cases.map((written, index) => toCase(file, written, `/cases/${index}`, groups, findings)),
  )
  const rules = new Set(base.requirements.map(({ id }) => id))
  const grants = new Map(base.cases.map((subject) => [subject.id, expectsGrant(expectationsOf(subject))]))
  findings.push(...checkExtra(files, { rules, groups, grants, generators }))
  const covered = coverage(cases)
  const requirements = files
    .flatMap(({ value }) => value.requirements ?? [])
    .map((row) => {
      const judging = covered.get(row.id)
      return judging === undefined ? row : { ...row, cases: judging }
    })
  // Where a case stands does not change what it judges.
  const judged = cases.map(({ source: _, ...rest }) => rest)
  const digest = createHash('sha256')
    .update(base.hash)
    .update(JSON.stringify([requirements, judged]))
  return {
    hash: `sha256:${digest.digest('hex').slice(0, 16)}`,
    requirements: [...base.requirements, ...requirements],
    cases: [...base.cases, ...cases],
    observations: base.observations,
  }
}

function expectationsOf({ steps }: Case) {
  return steps.flatMap(({ expect = [] }) => expect)
}

/** The groups of `expectations.yaml`: cases of a user's own may name them too. */
function loadGroups(): WrittenGroups {
  // The generator wrote this very type; a broken file is a broken build.
  return JSON.parse(
    readFileSync(new URL('./generated/groups.json', import.meta.url), 'utf8'),
  ) as WrittenGroups
}
