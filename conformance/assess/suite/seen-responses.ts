import type { SentRequest } from '../../drivers/send/session/session.js'
import { troubleOf } from '../../drivers/send/session/trouble.js'

/** Labels of what is sent around a case. */
const SET_UP: readonly string[] = ['control', 'control again', 'set-up', 'prepare']

/** What a run has seen of a deployment anyway, whatever it was sent for. */
export class SeenResponses {
  readonly #observed: ReadonlySet<string | undefined>
  readonly #firstResponses = new Map<string, SentRequest>()
  readonly #resent: string[] = []
  readonly #troubled = new Map<string, number>()

  /** @param observed the cases whose first responses are kept */
  constructor(observed: Iterable<string | undefined>) {
    this.#observed = new Set(observed)
  }

  /** The first response to each case's own last request. */
  get firstResponses(): ReadonlyMap<string, SentRequest> {
    return this.#firstResponses
  }

  /** Why requests were sent again. */
  get resent(): readonly string[] {
    return this.#resent
  }

  /** How often each case met trouble. */
  get troubled(): ReadonlyMap<string, number> {
    return this.#troubled
  }

  add(sent: SentRequest, caseId: string): void {
    const { resent } = sent.exchange
    if (this.#observed.has(caseId) && !this.#firstResponses.has(caseId) && !SET_UP.includes(sent.label))
      this.#firstResponses.set(caseId, sent)
    if (resent !== undefined) this.#resent.push(resent.why)
    if (troubleOf(sent) !== undefined) this.#troubled.set(caseId, (this.#troubled.get(caseId) ?? 0) + 1)
  }
}
