import { GRANTS, MOMENTS, type TokenMoment } from '../../../../spec/model/later-life.js'
import type { PlannedSides } from '../declare/plan-sides.js'
import { GRANT_KEYS, grantsOf } from '../grants/grants-of.js'
import { CellBoard, type CellPlace } from './cell-board.js'
import type { RestartUnit } from './restart-units.js'

/** Every cell of the table, by grant, issuer, acceptor and moment; what cannot be tried is noted already. */
export function planCells({ issuers, acceptors }: PlannedSides, units: readonly RestartUnit[]): CellBoard {
  const grants = GRANTS.filter((grant) =>
    issuers.some(({ deployment }) => grantsOf(deployment).includes(grant)),
  )
  const places = grants.flatMap((grant) =>
    issuers.flatMap((issuer) =>
      acceptors.flatMap((acceptor) => MOMENTS.map((when): CellPlace => ({ issuer, acceptor, when, grant }))),
    ),
  )
  const board = new CellBoard(places)
  for (const place of places) {
    const why = obstacleOf(place, units)
    if (why !== undefined) board.set(place, { outcome: 'not-tried', why })
  }
  return board
}

function obstacleOf(
  { issuer, acceptor, when, grant }: CellPlace,
  units: readonly RestartUnit[],
): string | undefined {
  if (!grantsOf(issuer.deployment).includes(grant))
    return `\`${GRANT_KEYS[grant]}\` is not declared for ${issuer.of}`
  const needed: Partial<Readonly<Record<TokenMoment, readonly [what: string, isThere: boolean]>>> = {
    'issuer-restarted': [issuer.of, units.some(({ issues }) => issues(issuer))],
    'acceptor-restarted': [
      acceptor.partOf === undefined ? acceptor.name : acceptor.of.join(),
      units.some(({ accepts }) => accepts(acceptor)),
    ],
  }
  const [what, isThere] = needed[when] ?? ['', true]
  return isThere ? undefined : `\`restart\` is not declared for ${what}`
}
