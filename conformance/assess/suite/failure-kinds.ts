import { failureKind } from '../../../reports/model/known-failures/fingerprint.js'
import type { Case } from '../../../spec/model/case.js'
import type { Judgement } from '../../../spec/model/report.js'

type Other = NonNullable<Judgement['others']>[number]

/** Beside the one that is reported at length. */
const MAX_OTHERS = 10
/** Of each expectation: a service may find ever new ways to be wrong. */
const MAX_KINDS = 100

/**
 * The kinds of failure that many answers show of each expectation: the first is reported at length, and a baseline that
 * waives it is to waive no other.
 */
export class FailureKinds {
  readonly #isOfText: readonly boolean[]
  readonly #seen: Map<string, { readonly order: number; readonly other: Other }>[] = []

  constructor({ steps }: Case) {
    this.#isOfText = steps
      .flatMap(({ expect = [] }) => expect)
      .map(({ member }) => typeof member?.equals === 'string' && !member.equals.startsWith('$'))
  }

  add(judgements: readonly Judgement[], order: number): void {
    for (const [index, judgement] of judgements.entries()) {
      if (judgement.outcome !== 'failed') continue
      this.#seen[index] ??= new Map()
      const seen = this.#seen[index]
      const kind = this.#kindOf(judgement, index)
      const known = seen.get(kind)
      if (known === undefined ? seen.size >= MAX_KINDS : known.order <= order) continue
      const { message = '', expected = '', actual = '', pointer } = judgement
      const other = { message, expected, actual, ...(pointer !== undefined && { pointer }) }
      seen.set(kind, { order, other })
    }
  }

  /** The judgement of an expectation with what else was seen of it, the earliest first. */
  with(judgement: Judgement, index: number): Judgement {
    const seen = this.#seen[index]
    if (judgement.outcome !== 'failed' || seen === undefined) return judgement
    const own = this.#kindOf(judgement, index)
    const others = [...seen]
      .filter(([kind]) => kind !== own)
      .sort(([, one], [, other]) => one.order - other.order)
      .slice(0, MAX_OTHERS)
      .map(([, { other }]) => other)
    return others.length === 0 ? judgement : { ...judgement, others }
  }

  #kindOf(judgement: Judgement, index: number): string {
    return failureKind(judgement, this.#isOfText[index] === true)
  }
}
