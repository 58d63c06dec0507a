import t from 'tap'
import type { SentRequest } from '../../drivers/send/session/session.js'
import { answer } from '../../fixtures/answers.js'
import { orderLedger } from './order-ledger.js'

/** Sent and answered at these milliseconds, with a date of so many seconds. */
type Grant = readonly [startedAt: number, receivedAt: number, issued: number]

function clash(grants: readonly Grant[], skewSeconds = 60): string | undefined {
  const ledger = orderLedger('2.1-issue-time', '.issued', skewSeconds)
  for (const [index, [startedAt, receivedAt, issued]] of grants.entries()) {
    const response = answer(JSON.stringify({ '.issued': new Date(issued * 1000).toUTCString() }))
    const exchange = { startedAt, receivedAt } as SentRequest['exchange']
    ledger.record({ response, exchange } as SentRequest, index)
  }
  return ledger.clash()?.judgement.message
}

t.test('no later answer has a date that goes back by more than the skew', async (t) => {
  t.equal(clash([]), undefined)
  t.equal(
    clash([
      [0, 1, 1000],
      [2, 3, 940],
      [4, 5, 1000],
    ]),
    undefined,
    'two nodes, 60 s apart',
  )
  t.match(
    clash([
      [0, 1, 1000],
      [2, 3, 400],
    ]),
    /^`\.issued` is 600 s before that of an earlier answer/,
  )
  t.match(
    clash([
      [0, 1, 400],
      [2, 3, 1000],
      [4, 5, 401],
    ]),
    /^`\.issued` is 599 s before/,
  )
  t.equal(
    clash([
      [0, 1, 400],
      [2, 3, 1000],
    ]),
    undefined,
    'the clock of a service may be set right',
  )
  t.equal(
    clash([
      [0, 10, 1000],
      [5, 20, 400],
    ]),
    undefined,
    'which of two at once came first is not known',
  )
  t.equal(
    clash(
      [
        [0, 1, 1001],
        [2, 3, 1000],
      ],
      0,
    ),
    undefined,
    'one may be rounded, and the other cut',
  )
  t.match(
    clash(
      [
        [0, 1, 1002],
        [2, 3, 1000],
      ],
      0,
    ),
    /is 2 s before/,
  )
})
