import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { parseJsonObject } from '../../reference/http/json-body.js'
import type { ReceivedRequest } from '../../reference/http/received-request.js'
import { imfFixdate, wholeSeconds } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, oneIn } from './overrides.js'
import type { Override } from './rows.js'

/** Whether the second of two nodes behind one address answers a request. */
type IsSecond = (request: ReceivedRequest) => boolean

export const byConnection: IsSecond = ({ connection }) => connection % 2 === 1
/** As a balancer that draws a node for each connection. */
const byChance: IsSecond = ({ connection }) => ((connection * 2_654_435_761) >>> 16) % 2 === 1

/** Two nodes behind one address, of which the second is wrong. */
export const nodeMutants: readonly Mutant[] = [
  ...breaking(['2.1-issue-time'], asIs, {
    'node-ten-minutes-behind: Each second connection reaches a node whose clock is ten minutes behind.':
      withClock(-600_000, byConnection),
    'drawn-node-ten-minutes-ahead: A node whose clock is ten minutes ahead is drawn for some connections.':
      withClock(600_000, byChance),
    'answer-two-minutes-behind: Each second answer is from a node whose clock is two minutes behind.': () => {
      const isDue = oneIn(2)
      return withClock(-120_000, () => isDue())
    },
  }),
  ...breaking(
    {
      violates: ['8-require-digit'],
      collateral: ['8-R1', '7-one-per-violation', '7-digit-message'],
    },
    withoutDigits,
    {
      'node-without-digits: Each second connection reaches a node that asks for no digit.': byConnection,
      'drawn-node-without-digits: A node that asks for no digit is drawn for some connections.': byChance,
    },
  ),
  ...breaking(['2.1-userId-absent'], asIs, {
    'node-with-user-id: Each second connection reaches a node that adds userId.': inBody(
      byConnection,
      (body) => body.replace(/("access_token".*)}$/, '$1,"userId":"user-1"}'),
    ),
  }),
  ...breaking({ violates: ['7-token-error-body'], collateral: ['4.1-R2'] }, asIs, {
    'node-with-description: Each second connection reaches a node that describes the documented error.':
      inBody(byConnection, (body) =>
        body.replace('unsupported_grant_type"', '$&,"error_description":"Unknown."'),
      ),
  }),
]

/** The clock of the second node, which its `Date` shows too. */
export function withClock(offsetMs: number, isSecond: IsSecond): Override {
  const dates = /"\.issued":"([^"]*)","\.expires":"([^"]*)"/
  return {
    dateHeader: () => undefined,
    deliver: (answer, request) => {
      const nowMs = Date.now() + (isSecond(request) ? offsetMs : 0)
      const body = String(answer.body).replace(dates, (_, issued, expires) => {
        const later = imfFixdate(wholeSeconds(nowMs) + Date.parse(expires) - Date.parse(issued))
        return `".issued":"${imfFixdate(nowMs)}",".expires":"${later}"`
      })
      const headers: Answer['headers'] = [...answer.headers, ['Date', imfFixdate(nowMs)]]
      return { kind: 'answer', answer: { ...answer, headers, body } }
    },
  }
}

function inBody(isSecond: IsSecond, change: (body: string) => string): Override {
  return answers(
    (answer, request): Answer =>
      request.path.endsWith('/Token') && isSecond(request)
        ? { ...answer, body: change(String(answer.body)) }
        : answer,
  )
}

/** Whose password lacks a digit alone is stored: for the node that accepts it. */
function withoutDigits(isSecond: IsSecond): () => Override {
  return () => {
    const refused = new Set<unknown>()
    const { signIn } = specifiedBehaviour
    return {
      storesAccount: (errors) => errors.every((error) => error.includes('one digit')),
      signIn: (attempt) => (refused.has(attempt.userName) ? undefined : signIn(attempt)),
      ...answers((answer, request) => {
        const { userName } = parseJsonObject(request.body) ?? {}
        const isOfDigit =
          request.path.endsWith('/accounts') &&
          /^\{"errors":\["[^"]*one digit[^"]*"\]\}$/.test(String(answer.body))
        if (answer.status === 201) refused.delete(userName)
        if (!isOfDigit) return answer
        if (isSecond(request)) return { ...answer, status: 201, body: '{}' }
        refused.add(userName)
        return answer
      }),
    }
  }
}
