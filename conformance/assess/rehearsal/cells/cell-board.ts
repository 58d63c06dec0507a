import type { TokenGrant, TokenMoment } from '../../../../spec/model/later-life.js'
import type { EarlierRequest } from '../../../evidence/reproduce.js'
import type { AcceptingInstance, IssuingInstance } from '../declare/plan-sides.js'
import type { NoToken, ObtainedToken } from '../grants/obtain-token.js'
import type { Presentation } from './present-token.js'

/** The place of a cell in the table. */
export interface CellPlace {
  readonly issuer: IssuingInstance
  readonly acceptor: AcceptingInstance
  readonly when: TokenMoment
  readonly grant: TokenGrant
}

/** What came of a cell. */
export type CellObservation =
  | { readonly outcome: 'not-tried'; readonly why: string }
  | (Omit<Presentation, 'sent'> & {
      /** From the sign-in on. */
      readonly sent: NoToken['sent']
      /** What the last of them builds on. */
      readonly earlier: readonly EarlierRequest[]
    })

export interface ObservedCell extends CellPlace {
  readonly id: string
  readonly observed: CellObservation
}

export function cellId({ issuer, acceptor, when, grant }: CellPlace): string {
  return `${issuer.name}→${acceptor.name}, ${when}, ${grant}`
}

/** What a token came to at an acceptor. */
export function presented(
  { sent, earlier }: ObtainedToken,
  { sent: last, ...presentation }: Presentation,
): CellObservation {
  return { ...presentation, sent: [...sent, last], earlier }
}

/** There was no token to present. */
export function withoutToken({ problem, isUnanswered, sent, earlier }: NoToken): CellObservation {
  return {
    outcome: 'error',
    why: problem,
    ...(isUnanswered ? { isUnanswered: true } : {}),
    sent,
    earlier: earlier.slice(0, -1),
  }
}

/** The table while it is filled in: its cells are in the order in which they are planned. */
export class CellBoard {
  readonly #places: readonly CellPlace[]
  readonly #observed = new Map<string, CellObservation>()

  constructor(places: readonly CellPlace[]) {
    this.#places = places
  }

  /** The first observation counts. */
  set(place: CellPlace, observed: CellObservation): void {
    const id = cellId(place)
    if (!this.#observed.has(id)) this.#observed.set(id, observed)
  }

  /** @param otherwise why a cell that nothing was observed of was not tried */
  cells(otherwise: string): readonly ObservedCell[] {
    return this.#places.map((place) => {
      const id = cellId(place)
      return {
        ...place,
        id,
        observed: this.#observed.get(id) ?? { outcome: 'not-tried', why: otherwise },
      }
    })
  }
}
