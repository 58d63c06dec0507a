import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { requirementSet } from '../generated/validators.js'
import type { Profile, RequirementSet, Shipped } from '../load/advice.js'
import { type ExtraFile, readExtraFiles } from '../load/extra-files.js'
import { type Finding, finding, SpecError } from '../load/position.js'
import { type Parsed, readValid, yamlFiles } from '../load/specification-files.js'
import type { Specification } from '../model/specification.js'
import { expandExtra } from './extra-cases.js'

/**
 * Reads what ships with the specification: `profiles/NAME/*.yaml` and `requirements/VERSION.yaml`.
 * @throws SpecError with file:line:column of all that is wrong
 */
export function readShipped(folder: string, base: Specification, generators: Iterable<string>): Shipped {
  const findings: Finding[] = []
  const known = new Set(generators)
  const profiles: Record<string, Profile> = {}
  for (const name of namesIn(join(folder, 'profiles'))) {
    const files = readExtraFiles(join(folder, 'profiles', name))
    const { requirements, cases } = expandExtra(base, files, known, findings)
    findings.push(...files.flatMap((file) => [...checkProfile(name, file)]))
    const description = files.flatMap(({ value }) => value.description ?? [])[0] ?? ''
    profiles[name] = { description, requirements, cases }
  }
  const all = [base, ...Object.values(profiles)]
  const sets: Record<string, RequirementSet> = {}
  for (const path of yamlFiles(folder, 'requirements'))
    sets[basename(path, '.yaml')] = readSet(folder, path, all, findings)
  if (findings.length > 0) throw new SpecError(findings)
  return { profiles, sets }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** Each rule is in the profile's own namespace, and says where it comes from; its cases judge no rule of others. */
function* checkProfile(name: string, { value, at }: Parsed<ExtraFile>): Generator<Finding> {
  for (const [index, { id, source, why }] of (value.requirements ?? []).entries()) {
    const position = at(`/requirements/${index}/id`)
    if (!id.startsWith(`${name}:`)) yield finding(position, `expected an id in ${name}:, found ${id}`)
    if (source === undefined && why === undefined)
      yield finding(position, `expected \`source\`: where ${id} comes from`)
  }
  for (const [index, { id, expect = [], steps = [] }] of (value.cases ?? []).entries())
    for (const item of [...expect, ...steps.flatMap((step) => step.expect ?? [])])
      if (!('rule' in item && item.rule.startsWith(`${name}:`)))
        yield finding(at(`/cases/${index}`), `expected ${id} to judge rules of ${name} alone`)
}

/** A published id is never renamed, and a case of a release never goes: its set names what there is. */
function readSet(
  folder: string,
  path: string,
  all: readonly Pick<Specification, 'requirements' | 'cases'>[],
  findings: Finding[],
): RequirementSet {
  const invalid: Finding[] = []
  const { value, at } = readValid(folder, path, requirementSet, invalid)
  findings.push(...invalid)
  if (invalid.length > 0) return value
  const rules = new Set(all.flatMap(({ requirements }) => requirements.map(({ id }) => id)))
  const cases = new Set(all.flatMap((one) => one.cases.map(({ id }) => id)))
  const gone = [
    ...Object.keys(value.cases).filter((id) => !cases.has(id)),
    ...[...value.recommended, ...Object.values(value.cases).flat()].filter((id) => !rules.has(id)),
  ]
  for (const id of new Set(gone))
    findings.push(finding(at(''), `expected what a release gates on to stay: there is no ${id}`))
  return value
}
