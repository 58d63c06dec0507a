import type { Finding } from './position.js'
import type { Parsed } from './specification-files.js'
import type { Level, Requirement } from './types.js'
import type { WrittenLedger } from './written-case.js'

/** What may account for a rule of each level. */
const accounts: Readonly<Record<Level, readonly (keyof Requirement)[]>> = {
  must: ['cases', 'later'],
  should: ['cases', 'later'],
  unspecified: ['observation', 'later'],
  untestable: ['why'],
}

const every = ['cases', 'later', 'observation', 'why'] as const

/** Each rule once, in its section, said in its own words, and accounted for in exactly one way. */
export function* checkLedger(
  ledger: Parsed<WrittenLedger>,
  covered: ReadonlyMap<string, readonly string[]>,
): Generator<Finding> {
  const ids = new Map<string, string>()
  const statements = new Map<string, string>()
  for (const [index, row] of ledger.value.requirements.entries()) {
    const pointer = `/requirements/${index}`
    const at = (key: string, message: string): Finding => ({
      position: ledger.at(`${pointer}/${key}`),
      message,
    })

    if (ids.has(row.id)) yield at('id', `expected each rule once, found "${row.id}" a second time`)
    ids.set(row.id, row.id)
    if (!row.id.startsWith(`${row.section}-`))
      yield at('section', `expected the section that "${row.id}" begins with, found "${row.section}"`)

    const words = row.statement.toLowerCase().replaceAll(/\W+/g, ' ').trim()
    const twin = statements.get(words)
    if (twin !== undefined) yield at('statement', `expected a statement of its own, found that of ${twin}`)
    statements.set(words, row.id)

    yield* accountOf(row, covered.get(row.id) ?? [], at)
  }
}

function* accountOf(
  row: Requirement,
  cases: readonly string[],
  at: (key: string, message: string) => Finding,
): Generator<Finding> {
  if (cases.join() !== (row.cases ?? []).join()) {
    const expected = cases.length > 0 ? cases.join(', ') : 'no cases'
    yield at('cases', `expected ${expected} for ${row.id}: run \`npm run spec:ledger\``)
    return
  }
  const given = every.filter((key) => row[key] !== undefined)
  const allowed = accounts[row.level]
  const [only] = given
  if (given.length === 1 && only !== undefined && allowed.includes(only)) return
  const found = given.length === 0 ? 'neither case nor reason' : given.join(' and ')
  yield at(
    only ?? 'id',
    `expected ${allowed.join(' or ')} for the ${row.level} rule ${row.id}, found ${found}`,
  )
}
