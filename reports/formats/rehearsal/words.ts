import type {
  CohortDifference,
  Rehearsal,
  RehearsalEvidence,
  RehearsedCell,
  RehearsedFact,
} from '../../../spec/generated/types/rehearsal.js'
import { groupBy } from '../../../spec/model/items.js'
import { GRANTS, MOMENTS, type TokenGrant, type TokenMoment } from '../../../spec/model/later-life.js'
import type { Look, State } from '../shared/outcomes.js'
import { count, firstFew } from '../shared/phrase.js'

/** How a cell looks, without what was expected of it. */
export const CELL_LOOKS: Readonly<Record<RehearsedCell['outcome'], Look>> = {
  accepted: { mark: '✓', words: 'accepted' },
  refused: { mark: '✗', words: 'refused' },
  error: { mark: '!', words: 'error' },
  'not-tried': { mark: '–', words: 'not tried' },
}

/** A cell beside what is expected of it. */
export function cellState({ differs, expected, outcome }: RehearsedCell): State {
  if (differs) return 'failed'
  return expected === undefined || outcome === 'not-tried' ? 'unjudged' : 'passed'
}

/** A column of the table: short, as it heads a column of marks. */
export const COLUMN_WORDS: Readonly<Record<TokenMoment, string>> = {
  'at-once': 'at once',
  'issuer-restarted': 'issuer restarted',
  'acceptor-restarted': 'acceptor restarted',
  'near-end': 'near its end',
  'after-end': 'after its end',
}

/** The cells of one issuer and one acceptor for one grant, by when. */
export interface CellRow {
  readonly name: string
  readonly cells: ReadonlyMap<TokenMoment, RehearsedCell>
}

/** The table of one grant. */
export interface GrantTable {
  readonly grant: TokenGrant
  readonly rows: readonly CellRow[]
}

/** Every table of a report that has a cell. */
export function tablesOf({ cells }: Rehearsal): readonly GrantTable[] {
  return GRANTS.flatMap((grant) => {
    const own = cells.filter((cell) => cell.grant === grant)
    const names = [...new Set(own.map(rowName))]
    const rows = names.map((name) => ({
      name,
      cells: new Map(own.filter((cell) => rowName(cell) === name).map((cell) => [cell.when, cell])),
    }))
    return rows.length === 0 ? [] : [{ grant, rows }]
  })
}

/** The moments that the report has cells of. */
export function momentsOf({ cells }: Rehearsal): readonly TokenMoment[] {
  return MOMENTS.filter((moment) => cells.some(({ when }) => when === moment))
}

function rowName({ issuer, acceptor }: RehearsedCell): string {
  return `${issuer} → ${acceptor}`
}

export function redCells({ cells }: Rehearsal): readonly RehearsedCell[] {
  return cells.filter(({ differs }) => differs)
}

/** Where the accounts of a cohort log in: text between backquotes is code. */
function cohortLines({ cohort }: Rehearsal): readonly string[] {
  if (cohort === undefined) return []
  const { tried, both, oldOnly, newOnly, neither, unanswered, classes, differences } = cohort
  const named = differences.map(({ sentence, rows, names = [] }) => {
    const places = `accounts ${firstFew(rows.map(String), MAX_PLACES)} of the file`
    return `${sentence} (${names.length === 0 ? places : `${places}: ${firstFew(names, MAX_PLACES)}`})`
  })
  return [
    `${count(tried, 'account')}: ${both} log in at both, ${oldOnly} at old only, ${newOnly} at new only, ${neither} at neither${unanswered === 0 ? '' : `, ${unanswered} were not answered`}`,
    ...named,
    ...classes
      .filter((one) => one.oldOnly + one.newOnly > 0)
      .map(
        (one) => `${one.name}: ${one.both} at both, ${one.oldOnly} at old only, ${one.newOnly} at new only`,
      ),
  ]
}

/** Of more accounts the first tell enough. */
const MAX_PLACES = 8

/** What is red, with one evidence. */
export interface RedGroup {
  readonly id: string
  /** Of all of its cells. */
  readonly ids: readonly string[]
  readonly evidence: RehearsalEvidence
  /** Other cells that differ alike: how each differs from the first. */
  readonly also: readonly string[]
}

/**
 * What is red, by what may be one cause: a token that no one issued, what an acceptor does with the tokens of an issuer, or
 * a fact.
 */
export function redGroups(report: Rehearsal): readonly RedGroup[] {
  const cells = groupBy(redCells(report), ({ issuer, acceptor, grant, outcome, status, why }) =>
    JSON.stringify(
      outcome === 'error' && status === undefined ? [issuer, grant, why] : [issuer, acceptor, outcome],
    ),
  )
  return [
    ...[...cells.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [
            {
              ...redGroup(first),
              ids: [first, ...others].map(({ id }) => id),
              also: others.map((other) => otherCell(other, first)),
            },
          ],
    ),
    ...redFacts(report).map(redGroup),
    ...redClasses(report).map(({ id, sentence }) => ({
      id,
      ids: [],
      evidence: { sentence, exchanges: [] },
      also: [],
    })),
  ]
}

function redGroup({ id, evidence }: RehearsedCell | RehearsedFact): RedGroup {
  return { id, ids: [id], evidence: evidence ?? { sentence: id, exchanges: [] }, also: [] }
}

function redFacts({ facts }: Rehearsal): readonly RehearsedFact[] {
  return facts.filter(({ differs }) => differs)
}

function redClasses({ cohort }: Rehearsal): readonly CohortDifference[] {
  return (cohort?.differences ?? []).filter(({ differs }) => differs)
}

/** Facts that are alike, in one line; text between backquotes is code. */
export interface FactLine {
  readonly text: string
  readonly differs: boolean
}

/** Every fact; those that differ first. */
export function factLines({ facts }: Rehearsal): readonly FactLine[] {
  const groups = groupBy(facts, ({ id, of, value, differs, expected }) =>
    JSON.stringify([id.slice(of.length), value, differs, differs ? expected : null]),
  )
  const lines = [...groups.values()].flatMap(([first, ...others]): FactLine | readonly FactLine[] => {
    if (first === undefined) return []
    const { id, of, value, differs, expected } = first
    const all = [first, ...others].map((fact) => fact.of)
    const old = differs && expected !== undefined ? ` (old: ${expected})` : ''
    return { text: `${id.slice(of.length + 2)}: ${value}${old}: ${firstFew(all, MAX_PLACES)}`, differs }
  })
  return lines.toSorted((a, b) => Number(b.differs) - Number(a.differs))
}

function otherCell({ acceptor, when, grant }: RehearsedCell, first: RehearsedCell): string {
  return [
    ...(acceptor === first.acceptor ? [] : [`→${acceptor}`]),
    COLUMN_WORDS[when],
    ...(grant === first.grant ? [] : [`(${grant})`]),
  ].join(' ')
}

/** The last line of every format. */
export function rehearsalSentence(report: Rehearsal): string {
  const tried = report.cells.filter(({ outcome }) => outcome !== 'not-tried')
  const judged = tried.filter(({ expected }) => expected !== undefined).length
  const asked = `${count(tried.length, 'cell')} tried`
  const refused = tried.filter(({ expected, outcome }) => expected === undefined && outcome === 'refused')
  const others = refused.length === 0 ? '' : `; of the others, ${refused.length} refused the token`
  switch (report.verdict) {
    case 'as-expected':
      return `✓ As expected: ${asked}${judged === tried.length ? '' : `, ${judged} of them judged${others}`}.`
    case 'different':
      return `✗ ${count(redGroups(report).length, 'difference')} from what is expected, ${asked}.`
    case 'inconclusive':
      return `? Inconclusive, for ${count(report.inconclusive.length, 'reason')}; ${asked}.`
  }
}

/** Why cells were not tried: each reason with how many. */
function untriedOf({ cells }: Rehearsal): readonly string[] {
  const reasons = cells.flatMap(({ outcome, why }) => (outcome === 'not-tried' ? (why ?? []) : []))
  return [...new Set(reasons)].map(
    (why) => `${count(reasons.filter((one) => one === why).length, 'cell')}: ${why}`,
  )
}

/** What every format shows below what is red: text between backquotes is code. */
export function rehearsalLists(
  report: Rehearsal,
): readonly { readonly id: string; readonly heading: string; readonly items: readonly string[] }[] {
  return [
    { id: 'cohort', heading: 'The cohort', items: cohortLines(report) },
    { id: 'inconclusive', heading: 'Inconclusive', items: report.inconclusive },
    { id: 'untried', heading: 'Not tried', items: untriedOf(report) },
    { id: 'notes', heading: 'Notes', items: report.notes },
  ].filter(({ items }) => items.length > 0)
}
