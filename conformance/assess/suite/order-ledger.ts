import { pointerTo } from '../../../spec/model/json.js'
import type { SentRequest } from '../../drivers/send/session/session.js'
import { instantOf } from '../../exchange/headers.js'
import { textIn } from '../../exchange/http-response.js'
import type { Ledger } from './value-ledger.js'

interface DatedAnswer {
  readonly instant: number
  readonly date: string
  readonly receivedAt: number
  readonly sent: SentRequest
}

/**
 * The dates of a member over a whole run (2.1-issue-time). Nodes behind one address have clocks of their own, which may
 * differ by the declared skew: what is asked for later has no earlier date than that allows.
 */
export function orderLedger(rule: string, member: string, skewSeconds: number): Ledger {
  /** Each later than all before it: at most one for each second. */
  const latest: DatedAnswer[] = []
  let worst: { readonly before: DatedAnswer; readonly after: DatedAnswer; readonly order: number } | undefined
  return {
    record: (sent, order) => {
      const { response, exchange } = sent
      const date = textIn(response, member)
      const instant = date === undefined ? undefined : instantOf(date)
      if (date === undefined || instant === undefined) return
      const seen: DatedAnswer = { instant, date, receivedAt: exchange.receivedAt, sent }
      const before = latest.findLast(({ receivedAt }) => receivedAt <= exchange.startedAt)
      // Dates are cut to the second, or rounded to it.
      if (before !== undefined && before.instant - instant > (skewSeconds + 1) * 1000) {
        if (order < (worst?.order ?? Number.POSITIVE_INFINITY)) worst = { before, after: seen, order }
      }
      if (instant > (latest.at(-1)?.instant ?? Number.NEGATIVE_INFINITY)) latest.push(seen)
    },
    isEmpty: () => latest.length === 0,
    clash: () => {
      if (worst === undefined) return undefined
      const { before, after } = worst
      const back = (before.instant - after.instant) / 1000
      const judgement = {
        rule,
        outcome: 'failed' as const,
        message:
          `\`${member}\` is ${back} s before that of an earlier answer. Compare the two answers: they may be of ` +
          'another user, or of a node with another clock (only if clocks are known to differ, declare a larger `clockSkew`)',
        expected: `not before ${before.date}, but by ${skewSeconds} s`,
        actual: JSON.stringify(after.date),
        pointer: pointerTo('', member),
      }
      return { judgement, sent: [before.sent, after.sent] }
    },
  }
}
