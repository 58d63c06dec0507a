import { specifiedBehaviour } from '../../../reference/behaviour.js'
import { createClock } from '../../../reference/clock.js'
import type { Delivery } from '../../../reference/http/answer.js'
import type { ReferenceServerOptions } from '../../../reference/server.js'
import { RESOURCE, type Scenario } from './scenario.js'

/** Long enough for a slow machine to use a token, short enough to wait for its end. */
const SHORT_LIFETIME_S = 3
/** More than any lifetime here. */
const FAR_S = 15 * 24 * 60 * 60
/** What a client that goes by its own clock may round. */
const ROUNDING_MS = 50

const REFUSED: Delivery = {
  kind: 'answer',
  answer: { status: 401, headers: [['WWW-Authenticate', 'Bearer error="invalid_token"']], body: '' },
}

/** What a client that goes on does when its tokens expire. */
export const EXPIRY_SCENARIOS: readonly Scenario[] = [
  {
    id: 'client:expiry/before-time',
    title: 'uses a token again as long as it lives',
    expects: 'signed-in',
    fetches: 4,
    rules: ['client:expiry-before-time'],
    service: () => ({}),
  },
  {
    id: 'client:expiry/expired',
    title: 'signs in anew, once, each time that its token has expired',
    expects: 'signed-in',
    fetches: 5,
    rules: ['client:expiry-anew', 'client:expiry-once'],
    // Time passes for client and service: it may go by `expires_in`, by `.expires`, or by a 401.
    service: () => ({
      tokenLifetime: SHORT_LIFETIME_S,
      ...answeringUse((nth, own) =>
        nth % 2 === 0 ? { ...own, delayMs: SHORT_LIFETIME_S * 1000 + ROUNDING_MS } : own,
      ),
    }),
  },
  {
    id: 'client:expiry/refused-early',
    title: 'signs in anew, once, when a token is refused before its time',
    expects: 'signed-in',
    fetches: 4,
    rules: ['client:expiry-refused', 'client:expiry-once'],
    // The clock of the service alone is moved: for the client its token is good for days.
    service: () => {
      const clock = createClock()
      return {
        clock,
        ...answeringUse((nth, own) => {
          if (nth === 2) clock.advance(FAR_S)
          return own
        }),
      }
    },
  },
  {
    id: 'client:expiry/refused-for-good',
    title: 'gives up when new tokens are refused too',
    expects: 'safe',
    fetches: 3,
    rules: ['client:expiry-storm'],
    service: () => answeringUse((nth, own) => (nth === 1 ? own : REFUSED)),
  },
]

/** @param delivery what the nth good use of a token at the resource is answered */
function answeringUse(delivery: (nth: number, own: Delivery) => Delivery): ReferenceServerOptions {
  let uses = 0
  return {
    behaviour: {
      deliver: (answer, request) => {
        const own = specifiedBehaviour.deliver(answer, request)
        if (request.path !== RESOURCE || answer.status !== 200) return own
        uses += 1
        return delivery(uses, own)
      },
    },
  }
}
