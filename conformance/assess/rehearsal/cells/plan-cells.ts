import type { TokenGrant } from '../../../../spec/model/later-life.js'
import type { PlannedSides } from '../declare/plan-sides.js'
import type { CellPlace } from './cell-board.js'

/** Every cell of the table: by grant, issuer, acceptor and moment. */
export function planCells({ issuers, acceptors }: PlannedSides): readonly CellPlace[] {
  const grants: readonly TokenGrant[] = ['password']
  return grants.flatMap((grant) =>
    issuers.flatMap((issuer) =>
      acceptors.map((acceptor) => ({ issuer, acceptor, when: 'at-once' as const, grant })),
    ),
  )
}
