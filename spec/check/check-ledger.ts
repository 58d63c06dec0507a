import { type Finding, finding } from '../load/position.js'
import type { Parsed } from '../load/specification-files.js'
import type { WrittenLedger } from '../load/written-case.js'
import type { Level } from '../model/report.js'
import type { Requirement } from '../model/specification.js'

/** What may account for a rule, and of which levels. */
const accounts: readonly {
  readonly key: 'cases' | 'observation' | 'why'
  readonly name: string
  readonly levels: readonly Level[]
}[] = [
  { key: 'cases', name: 'a case', levels: ['must', 'should'] },
  { key: 'observation', name: '`observation`', levels: ['unspecified'] },
  { key: 'why', name: '`why`', levels: ['must', 'should', 'unspecified', 'untestable'] },
]

/**
 * Each rule once, in its section, said in its own words, and accounted for in exactly one way.
 * @param rules the rows of the ledger, each with the cases that judge it
 */
export function* checkLedger(
  ledger: Parsed<WrittenLedger>,
  rules: readonly Requirement[],
): Generator<Finding> {
  const ids = new Map<string, string>()
  const statements = new Map<string, string>()
  for (const [index, row] of rules.entries()) {
    const pointer = `/requirements/${index}`
    const at = (key: string, message: string): Finding => finding(ledger.at(`${pointer}/${key}`), message)

    if (ids.has(row.id)) yield at('id', `expected each rule once, found "${row.id}" a second time`)
    ids.set(row.id, row.id)
    if (!row.id.startsWith(`${row.section}-`))
      yield at('section', `expected the section that "${row.id}" begins with, found "${row.section}"`)

    const words = row.statement.toLowerCase().replaceAll(/\W+/g, ' ').trim()
    const twin = statements.get(words)
    if (twin !== undefined) yield at('statement', `expected a statement of its own, found that of ${twin}`)
    statements.set(words, row.id)

    yield* accountOf(row, at)
  }
}

function* accountOf(row: Requirement, at: (key: string, message: string) => Finding): Generator<Finding> {
  const found = accounts.filter(({ key }) => row[key] !== undefined)
  const allowed = accounts.filter(({ levels }) => levels.includes(row.level))
  const [only] = found
  if (found.length === 1 && only !== undefined && allowed.includes(only)) return
  const names = (of: typeof accounts): readonly string[] => of.map(({ name }) => name)
  yield at(
    found.find(({ key }) => key !== 'cases')?.key ?? 'id',
    `expected ${names(allowed).join(' or ')} for the ${row.level} rule ${row.id}, found ${names(found).join(' and ') || 'neither'}`,
  )
}
