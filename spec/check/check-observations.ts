import { suggestion } from '../load/nearest.js'
import { type Finding, finding } from '../load/position.js'
import type { SpecificationFiles } from '../load/specification-files.js'
import { referencesIn } from '../model/case.js'

/** What the steps of an observation may refer to. */
const given: readonly string[] = [
  'account',
  'other',
  'fresh',
  'second',
  'each',
  'padding',
  'upperFresh',
  'utf16',
]

/** Each observation once, in its section, shown by a case that is there or by a probe; and the ledger names those that are. */
export function* checkObservations(files: SpecificationFiles): Generator<Finding> {
  const { observations } = files
  const cases = files.caseFiles.flatMap(({ value }) => value.cases.map(({ id }) => id))
  const ids = new Set<string>()
  for (const [index, written] of observations.value.observations.entries()) {
    const pointer = `/observations/${index}`
    const at = (key: string, message: string): Finding =>
      finding(observations.at(`${pointer}/${key}`), message)
    if (ids.has(written.id))
      yield at('id', `expected each observation once, found "${written.id}" a second time`)
    ids.add(written.id)
    if (!written.id.startsWith(`${written.section}/`))
      yield at('section', `expected the section that "${written.id}" begins with, found "${written.section}"`)
    if (written.of !== undefined && !cases.includes(written.of))
      yield at('of', `expected the id of a case, found "${written.of}"${suggestion(written.of, cases)}`)
    const probes = [written.of, written.send, written.register, written.steps].filter(
      (part) => part !== undefined,
    )
    if (probes.length !== (written.shows === 'rate-limit' ? 0 : 1))
      yield at('id', 'expected one of `of`, `send`, `register` and `steps`')
    for (const { root, pointer: place } of referencesIn(written, pointer))
      if (!given.includes(root))
        yield finding(
          observations.at(place),
          `expected one of ${given.map((name) => `$${name}`).join(', ')}, found "$${root}"`,
        )
  }
  for (const [index, { observation }] of files.requirements.value.requirements.entries())
    if (observation !== undefined && !ids.has(observation))
      yield finding(
        files.requirements.at(`/requirements/${index}/observation`),
        `expected the id of an observation, found "${observation}"${suggestion(observation, ids)}`,
      )
}
