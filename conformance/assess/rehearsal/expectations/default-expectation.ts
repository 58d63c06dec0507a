import type { CellExpectation } from '../../../../spec/generated/types/rehearsal.js'
import { cellId, type ObservedCell } from '../cells/cell-board.js'

/**
 * What the new service is to do with a token of its own: what the old one does with its own, at the same moment, for the
 * same grant and resource. A resource behind both is to do with the new service's tokens what it does with the old one's.
 * Undefined where the old service shows nothing, or both, or refuses a token that lives.
 */
export function defaultExpectation(
  cell: ObservedCell,
  cells: readonly ObservedCell[],
): CellExpectation | undefined {
  if (cell.issuer.role !== 'new' || cell.acceptor.side === 'old') return undefined
  // Only a resource of its own is the new service's to answer for.
  if (cell.acceptor.side === 'new' && !cell.acceptor.of.includes(cell.issuer.of)) return undefined
  const alike = cells.filter(
    (other) =>
      other.issuer.role === 'old' &&
      other.when === cell.when &&
      other.grant === cell.grant &&
      (cell.acceptor.side === 'both'
        ? other.acceptor === cell.acceptor
        : other.acceptor.side === 'old' &&
          other.acceptor.of.includes(other.issuer.of) &&
          other.acceptor.resource.name === cell.acceptor.resource.name),
  )
  // Another instance of the old service is what another instance of the new one is compared with, where it has several.
  const related = alike.filter((other) => isOtherInstance(other) === isOtherInstance(cell))
  const shown = (related.length > 0 ? related : alike).flatMap((other) => {
    const { outcome } = other.observed
    return outcome === 'accepted' || outcome === 'refused' ? [{ outcome, id: cellId(other) }] : []
  })
  const [first] = shown
  if (first === undefined || shown.some(({ outcome }) => outcome !== first.outcome)) return undefined
  // No client rests on the refusal of a token that lives: new may keep it through a restart, or share it with an instance.
  if (first.outcome === 'refused' && cell.when !== 'after-end') return undefined
  return { outcome: first.outcome, because: `as the old service does (${first.id})` }
}

function isOtherInstance({ issuer, acceptor: { partOf } }: ObservedCell): boolean {
  return partOf !== undefined && partOf !== issuer.name
}
