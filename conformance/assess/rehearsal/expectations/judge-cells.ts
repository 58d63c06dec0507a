import type { CellExpectation } from '../../../../spec/generated/types/rehearsal.js'
import type { ObservedCell } from '../cells/cell-board.js'
import type { DeclaredExpectation } from './declared-expectations.js'
import { defaultExpectation } from './default-expectation.js'

/** A cell beside what is expected of it. */
export interface JudgedCell {
  readonly cell: ObservedCell
  readonly expected?: CellExpectation
  readonly differs: boolean
}

/** The table beside what is expected of it. */
export interface JudgedCells {
  readonly cells: readonly JudgedCell[]
  /** Why something could not be compared. */
  readonly inconclusive: readonly string[]
}

/**
 * @param declared the most exact first
 * @param noMeasure acceptors that show nothing of what is expected
 */
export function judgeCells(
  cells: readonly ObservedCell[],
  declared: readonly DeclaredExpectation[],
  noMeasure: ReadonlySet<string>,
): JudgedCells {
  const problems = cells.flatMap((cell) => baselineProblem(cell, declared) ?? [])
  const isGood = (cell: ObservedCell): boolean => !problems.some(({ cell: other }) => isSameWay(cell, other))
  // What is refused at once shows nothing at any moment, nor does another instance: it may have signed in last.
  const measures = cells.filter((cell) => !noMeasure.has(cell.acceptor.name) && isGood(cell))
  const judged = cells.map((cell) => {
    const one = judge(cell, measures, declared)
    // The token may be no good anywhere.
    return one.expected?.outcome === 'accepted' && !isGood(cell) ? { ...one, differs: false } : one
  })
  return {
    cells: judged.map(({ inconclusive: _, ...one }) => one),
    inconclusive: [
      ...problems.map(({ sentence }) => sentence),
      ...declared.filter((entry) => isOfNoCell(entry, cells)).map(({ key }) => neverIssued(key)),
      ...judged.flatMap(({ inconclusive }) => inconclusive ?? []),
    ],
  }
}

/** Such as an entry by a grant that the target does not declare: what was to be seen would never be looked at. */
function isOfNoCell(
  { isExact, outcome, matches }: DeclaredExpectation,
  cells: readonly ObservedCell[],
): boolean {
  return isExact && outcome !== 'any' && !cells.some(matches)
}

function neverIssued(key: string): string {
  return `expect: \`${key}\`: no such token is tried: declare \`refresh\` or \`externalLogin\` if it is by that grant, or remove the entry`
}

function judge(
  cell: ObservedCell,
  measures: readonly ObservedCell[],
  declared: readonly DeclaredExpectation[],
): JudgedCell & { readonly inconclusive?: string } {
  const { observed, id } = cell
  const entry = declared.find(({ matches }) => matches(cell))
  const expected = expectationOf(entry, cell, measures)
  if (expected === undefined) return { cell, differs: false }
  const common = { cell, expected, differs: false }
  if (observed.outcome === 'not-tried') {
    // An entry for all moments says nothing of those that cannot be tried.
    const isAsked = entry?.isExact === true
    return isAsked ? { ...common, inconclusive: `${id}: not tried: ${observed.why}` } : common
  }
  if (observed.isUnanswered) return { ...common, inconclusive: `${id}: ${observed.why}` }
  return { ...common, differs: observed.outcome !== expected.outcome }
}

function expectationOf(
  entry: DeclaredExpectation | undefined,
  cell: ObservedCell,
  measures: readonly ObservedCell[],
): CellExpectation | undefined {
  if (entry === undefined) return defaultExpectation(cell, measures)
  const { key, outcome } = entry
  return outcome === 'any' ? undefined : { outcome, because: `as \`expect\` says (${key})` }
}

function isSameWay(one: ObservedCell, other: ObservedCell): boolean {
  return (
    one.issuer.of === other.issuer.of &&
    one.acceptor.resource.name === other.acceptor.resource.name &&
    one.grant === other.grant
  )
}

/**
 * Where the old service does not accept the token that it has just issued, it is no measure of the new one: then the
 * `resource` is declared wrongly, or a further sign-in has ended the session, unless an entry of `expect` says that it is so.
 */
function baselineProblem(
  cell: ObservedCell,
  declared: readonly DeclaredExpectation[],
): { readonly cell: ObservedCell; readonly sentence: string } | undefined {
  const { id, issuer, acceptor, when, observed } = cell
  const isBaseline = issuer.role === 'old' && acceptor.of.includes(issuer.of) && when === 'at-once'
  const isSame = acceptor.partOf === undefined || acceptor.partOf === issuer.name
  if (!isBaseline || !isSame || observed.outcome === 'accepted' || observed.outcome === 'not-tried')
    return undefined
  if (declared.some(({ matches, outcome }) => outcome !== 'any' && matches(cell))) return undefined
  const answered = observed.status === undefined ? (observed.why ?? '') : `status ${observed.status}`
  const sentence = observed.why?.startsWith('no token')
    ? `${id}: ${observed.why}`
    : `${id}: ${acceptor.name} does not accept a token that ${issuer.name} has just issued (${answered}): check \`resource\`, and whether a further sign-in ends the session`
  return { cell, sentence }
}
