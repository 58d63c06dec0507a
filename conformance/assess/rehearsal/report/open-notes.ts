import { groupBy } from '../../../../spec/model/items.js'
import type { JudgedCell } from '../expectations/judge-cells.js'

/** Of the tokens of one service at the other, where nothing is expected: how many are refused, and how to say what is to be. */
export function openNotes(cells: readonly JudgedCell[]): readonly string[] {
  // Who declares one moment of a way knows how to declare another.
  const declared = new Set(cells.flatMap((one) => (one.expected === undefined ? [] : wayOf(one))))
  const open = cells.filter(
    (one) =>
      !declared.has(wayOf(one)) &&
      one.cell.acceptor.side !== 'both' &&
      one.cell.acceptor.side !== one.cell.issuer.role &&
      one.cell.observed.outcome !== 'not-tried' &&
      !one.cell.observed.isUnanswered,
  )
  const byWay = groupBy(open, wayOf)
  return [...byWay].map(([way, own]) => {
    const accepted = own.filter(({ cell }) => cell.observed.outcome === 'accepted').length
    const some = own.length === 1 ? 'none is accepted' : `${accepted} of ${own.length} cells are accepted`
    const what = accepted === own.length ? 'all are accepted' : some
    const purpose =
      own[0]?.cell.issuer.role === 'old'
        ? 'tokens are to survive the cut-over'
        : 'both are to run side by side'
    return `nothing is expected of ${way}: ${what}; declare \`expect: { "${way}": accepted }\` where ${purpose}`
  })
}

function wayOf({ cell }: JudgedCell): string {
  return `${cell.issuer.role}→${cell.acceptor.side}`
}
