import type { CellExpectation } from '../../../../spec/generated/types/rehearsal.js'
import { nearest } from '../../../../spec/load/nearest.js'
import { AssayError } from '../../../../spec/model/assay-error.js'
import { GRANTS, MOMENTS } from '../../../../spec/model/later-life.js'
import type { DeclaredExpectations } from '../../../target/deployment.js'
import type { CellPlace } from '../cells/cell-board.js'
import type { PlannedSides } from '../declare/plan-sides.js'

/** An entry of `expect`. */
export interface DeclaredExpectation {
  /** As it is written. */
  readonly key: string
  readonly outcome: CellExpectation['outcome'] | 'any'
  /** How exact it is: the most exact one that matches counts. */
  readonly rank: number
  /** It names a moment or a grant: it is about cells that are to be tried. */
  readonly isExact: boolean
  readonly matches: (place: CellPlace) => boolean
}

type RankedName = readonly [rank: number, name: string]

/**
 * Reads the entries of `expect`, the most exact first; of two that are as exact the later one.
 * @throws AssayError `usage` for a name that is none of these services, resources, moments and grants
 */
export function readExpectations(
  expect: DeclaredExpectations,
  sides: PlannedSides,
): readonly DeclaredExpectation[] {
  const read = Object.entries(expect).map(([key, outcome]): DeclaredExpectation => {
    const [left = '', right = ''] = key.split(/→|->/)
    const [acceptorName = '', ...conditions] = right.split(',').map((part) => part.trim())
    const issuerName = left.trim()
    const issuerRank = rankOf(
      key,
      issuerName,
      sides.issuers.flatMap(({ name, of, role }): readonly RankedName[] => [
        [0, role],
        [1, of],
        [2, name],
      ]),
    )
    const acceptorRank = rankOf(key, acceptorName, sides.acceptors.flatMap(namesOf))
    for (const condition of conditions)
      rankOf(
        key,
        condition,
        [...MOMENTS, ...GRANTS].map((name): RankedName => [0, name]),
      )
    const moments = MOMENTS.filter((moment) => conditions.includes(moment))
    const grants = GRANTS.filter((grant) => conditions.includes(grant))
    return {
      key,
      outcome,
      rank: issuerRank + acceptorRank + 10 * (Math.min(moments.length, 1) + Math.min(grants.length, 1)),
      isExact: conditions.length > 0,
      matches: ({ issuer, acceptor, when, grant }) =>
        [issuer.role, issuer.of, issuer.name].includes(issuerName) &&
        namesOf(acceptor).some(([, name]) => name === acceptorName) &&
        // A token is accepted for as long as it lives: of its end only an entry that names it says something.
        (moments.length === 0 ? outcome !== 'accepted' || when !== 'after-end' : moments.includes(when)) &&
        (grants.length === 0 || grants.includes(grant)),
    }
  })
  return read.toReversed().toSorted((a, b) => b.rank - a.rank)
}

/** What an entry may call an acceptor: its side, its deployment (unless it is behind both), its resource, its instance, itself. */
function namesOf({
  name,
  side,
  of,
  resource,
  partOf,
}: PlannedSides['acceptors'][number]): readonly RankedName[] {
  return [
    ...(side === 'both' ? [] : [[0, side] as const, ...of.map((deployment) => [1, deployment] as const)]),
    ...(resource.name === undefined ? [] : [[2, resource.name] as const]),
    ...of.map((deployment) => [3, `${deployment}/${resource.name}`] as const),
    ...(partOf === undefined ? [] : [[3, partOf] as const]),
    [4, name],
  ]
}

function rankOf(key: string, name: string, known: readonly RankedName[]): number {
  const ranks = known.filter(([, own]) => own === name).map(([rank]) => rank)
  if (ranks.length > 0) return Math.min(...ranks)
  const names = [...new Set(known.map(([, own]) => own))].filter((own) => !own.endsWith('/undefined'))
  const near = nearest(name, names)
  throw new AssayError(
    'usage',
    `expect: \`${key}\`: expected ${near === undefined ? `one of ${names.slice(0, 20).join(', ')}` : `a known name`}, found \`${name}\`${near === undefined ? '' : `; did you mean \`${near}\`?`}`,
  )
}
