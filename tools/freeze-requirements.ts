import { stringify } from 'yaml'
import type { RequirementSet } from '../spec/load/advice.js'
import type { Specification } from '../spec/model/specification.js'

/** What is wrong with the sets of a package of that version: each release from 1.0 on has one. */
export function missingSet(version: string, sets: readonly string[]): string | undefined {
  const [major = '', minor = ''] = version.split('.')
  const release = `${major}.${minor}`
  if (major === '0' || sets.includes(release)) return undefined
  return `package.json is of version ${version}, and spec/requirements/${release}.yaml is not there: npm run freeze -- ${release}`
}

/** The text of a set of requirements: all that is judged today. */
export function freezeRequirements(
  version: string,
  all: readonly Pick<Specification, 'requirements' | 'cases'>[],
): string {
  const cases = all.flatMap((one) => one.cases)
  const set: RequirementSet = {
    recommended: all.flatMap(({ requirements }) =>
      requirements.flatMap(({ id, level }) => (level === 'should' ? [id] : [])),
    ),
    cases: Object.fromEntries(
      cases.map(({ id, steps }) => [
        id,
        [...new Set(steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule)))],
      ]),
    ),
  }
  const head = `# What gates under \`run --requirements ${version}\`: written at the release by \`npm run freeze\`. It stays as it is.\n`
  return head + stringify(set, { lineWidth: 0 })
}
