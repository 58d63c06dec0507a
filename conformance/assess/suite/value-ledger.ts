import type { AcrossAccounts } from '../../../spec/model/expectation.js'
import { pointerTo } from '../../../spec/model/json.js'
import type { Judgement } from '../../../spec/model/report.js'
import type { SentRequest } from '../../drivers/send/session/session.js'
import { describeMember } from '../../evidence/describe.js'
import { ownCopy } from '../../evidence/own-copy.js'
import { HttpResponse } from '../../exchange/http-response.js'
import { shownName } from '../../target/account-binding.js'

interface Use {
  readonly account: string
  readonly shownAccount: string
  readonly value: string
  readonly order: number
  /** Kept of the first ones only: every grant has another token. */
  readonly sent?: SentRequest
}

const MAX_USES = 200_000
const MAX_EVIDENCE = 2000
/** Of their bodies. */
const MAX_EVIDENCE_BYTES = 16 * 1024 * 1024

/** Keeps what answers show only together. */
export interface Ledger {
  /** @param order of all answers of the run: independent of which came first */
  readonly record: (sent: SentRequest, order: number) => void
  /** The first violation in the order of the run, or undefined. */
  readonly clash: () => Clash | undefined
}

/** A violation, with the two answers that show it. */
export interface Clash {
  readonly judgement: Judgement
  readonly sent: readonly SentRequest[]
}

/**
 * Which account was given which value of a member, over a whole run: two accounts never get the same token, and one
 * account keeps its userId (section 2.1).
 */
export class ValueLedger implements Ledger {
  readonly #check: AcrossAccounts
  readonly #rule: string
  /** First uses, by what must have one counterpart alone: the value (`distinct`), or the account (`constant`). */
  readonly #uses = new Map<string, Use[]>()
  #size = 0
  #bytes = 0

  constructor(rule: string, check: AcrossAccounts) {
    this.#rule = rule
    this.#check = check
  }

  record(sent: SentRequest, order: number): void {
    const { response, account } = sent
    if (!(response instanceof HttpResponse) || account === undefined || this.#size > MAX_USES) return
    const member = response.member(this.#check.member)
    if (member?.value.kind !== 'string') return
    const value = ownCopy(member.value.value)
    const use: Use = {
      account: account.userName,
      shownAccount: shownName(account).shown,
      value,
      order,
      ...(this.#size < MAX_EVIDENCE && this.#bytes < MAX_EVIDENCE_BYTES ? { sent } : {}),
    }
    this.#bytes += response.raw.body.length
    const key = this.#check.is === 'distinct' ? use.value : use.account
    const uses = this.#uses.get(key)
    if (uses === undefined) this.#uses.set(key, [use])
    else {
      const counterpart = this.#check.is === 'distinct' ? 'account' : 'value'
      const known = uses.findIndex((other) => other[counterpart] === use[counterpart])
      if (known < 0) uses.push(use)
      else if ((uses[known]?.order ?? 0) > order) uses[known] = use
      else return
    }
    this.#size++
  }

  clash(): Clash | undefined {
    const clashes = [...this.#uses.values()].flatMap((uses) => {
      const [first, second] = [...uses].sort((a, b) => a.order - b.order)
      return first === undefined || second === undefined ? [] : [{ first, second }]
    })
    const [worst] = clashes.sort((a, b) => a.second.order - b.second.order)
    if (worst === undefined) return undefined
    const { first, second } = worst
    const { member, is } = this.#check
    const [before, after] = [first, second].map(({ sent }) => {
      const response = sent?.response
      const found = response instanceof HttpResponse ? response.member(member) : undefined
      return response instanceof HttpResponse && found ? describeMember(response, found) : undefined
    })
    const judgement: Judgement = {
      rule: this.#rule,
      outcome: 'failed',
      message:
        is === 'distinct'
          ? `\`${member}\` of ${second.shownAccount} was also given to ${first.shownAccount}`
          : `\`${member}\` of ${second.shownAccount} has changed`,
      expected: is === 'distinct' ? 'a different one for each account' : (before ?? 'the same one each time'),
      actual: after ?? 'see the message',
      pointer: pointerTo('', member),
    }
    return { judgement, sent: [first, second].flatMap(({ sent }) => sent ?? []) }
  }
}
