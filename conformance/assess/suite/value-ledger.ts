import type { AcrossAccounts } from '../../../spec/model/expectation.js'
import { pointerTo } from '../../../spec/model/json.js'
import type { Judgement } from '../../../spec/model/report.js'
import type { SentRequest } from '../../drivers/send/session/session.js'
import { describeMember } from '../../evidence/describe.js'
import { ownCopy } from '../../evidence/own-copy.js'
import { HttpResponse, textIn } from '../../exchange/http-response.js'
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
  /** No answer had the member. */
  readonly isEmpty: () => boolean
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
export function valueLedger(rule: string, { member, is }: AcrossAccounts): Ledger {
  /** First uses, by what must have one counterpart alone: the value (`distinct`), or the account (`constant`). */
  const firstUses = new Map<string, Use[]>()
  let [size, bytes] = [0, 0]
  const record = (sent: SentRequest, order: number): void => {
    const { response, account } = sent
    const found = textIn(response, member)
    if (!(response instanceof HttpResponse) || found === undefined || account === undefined) return
    if (size > MAX_USES) return
    const use: Use = {
      account: account.userName,
      shownAccount: shownName(account).shown,
      value: ownCopy(found),
      order,
      ...(size < MAX_EVIDENCE && bytes < MAX_EVIDENCE_BYTES ? { sent } : {}),
    }
    bytes += response.raw.body.length
    const [key, counterpart] =
      is === 'distinct' ? (['value', 'account'] as const) : (['account', 'value'] as const)
    const uses = firstUses.get(use[key]) ?? []
    firstUses.set(use[key], uses)
    const known = uses.findIndex((other) => other[counterpart] === use[counterpart])
    if (known < 0) uses.push(use)
    else if ((uses[known]?.order ?? 0) > order) uses[known] = use
    else return
    size++
  }
  const clash = (): Clash | undefined => {
    const clashes = [...firstUses.values()].flatMap((uses) => {
      const [first, second] = [...uses].sort((a, b) => a.order - b.order)
      return first === undefined || second === undefined ? [] : [{ first, second }]
    })
    const [worst] = clashes.sort((a, b) => a.second.order - b.second.order)
    if (worst === undefined) return undefined
    const { first, second } = worst
    const [before, after] = [first, second].map(({ sent }) => {
      const response = sent?.response
      const found = response instanceof HttpResponse ? response.member(member) : undefined
      return response instanceof HttpResponse && found ? describeMember(response, found) : undefined
    })
    const judgement: Judgement = {
      rule,
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
  return { record, clash, isEmpty: () => size === 0 }
}
