import { specifiedBehaviour } from '../../../reference/behaviour.js'
import { type Clock, createClock } from '../../../reference/clock.js'
import type { Delivery } from '../../../reference/http/answer.js'
import type { ReferenceServerOptions } from '../../../reference/server.js'
import type {
  FixedAnswer,
  ResourceUses,
  ScenarioService,
} from '../../../spec/generated/types/client-scenarios.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import type { HeaderList } from '../../../spec/model/report.js'
import { RESOURCE } from '../../judge/client/observed-sign-in.js'
import { tokenPathsOf } from '../../judge/client/token-request.js'
import { legalAnswer } from './legal-answer.js'

/** The reference server as a scenario has it. @param elsewhere the base URL that token requests are redirected to */
export function serviceOptions(
  { service = {}, answers = [], fetches }: ClientScenario,
  elsewhere?: string,
): ReferenceServerOptions {
  const { token = redirect(service, elsewhere), renewal, resource, basePath = '' } = service
  const { tokenLifetime, renewedLifetime, tokenType } = service
  const { behaviour, ...options } = legalAnswer(answers)
  const deliver = behaviour?.deliver ?? specifiedBehaviour.deliver
  const clock = resource?.advanceClockSeconds === undefined ? undefined : createClock()
  const onUse = resource === undefined ? undefined : handlingUses(resource, clock)
  let isGiven = false
  let tokens = 0
  return {
    ...options,
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(clock === undefined ? {} : { clock }),
    basePath,
    behaviour: {
      ...behaviour,
      isTokenPath: (path) => tokenPathsOf(basePath).includes(path),
      ...(tokenType === undefined ? {} : { tokenType: () => tokenType }),
      ...(renewedLifetime === undefined
        ? {}
        : { lifetime: (first) => (tokens++ === 0 ? first : renewedLifetime) }),
      deliver: (answer, request) => {
        const fixed = isGiven ? renewal : token
        const asksForToken = request.path.endsWith('/Token')
        if (fixed !== undefined && asksForToken) return deliveryOf(fixed)
        isGiven ||= renewal !== undefined && asksForToken && answer.status === 200
        const own = deliver(answer, request)
        if (!request.path.endsWith(RESOURCE)) return own
        if (onUse !== undefined && answer.status === 200) return onUse(own)
        // Uses at the same time are seen by their delay. A client that signs in once may have one time limit for all.
        return fetches === undefined ? withoutDelay(own) : own
      },
    },
  }
}

function redirect({ redirectsElsewhere: status }: ScenarioService, to?: string): FixedAnswer | undefined {
  return status === undefined ? undefined : { status, headers: { Location: `${to}/Token` } }
}

/** @returns what a good use of a token is answered; it counts them */
function handlingUses(resource: ResourceUses, clock: Clock | undefined): (own: Delivery) => Delivery {
  const { nth, everyNth, fromNth, delayMs, heldMs, advanceClockSeconds, answer } = resource
  if (heldMs !== undefined) return holdingUses(heldMs)
  let uses = 0
  return (own) => {
    uses += 1
    const isChosen =
      uses === nth ||
      (everyNth !== undefined && uses % everyNth === 0) ||
      (fromNth !== undefined && uses >= fromNth)
    if (!isChosen) return own
    if (advanceClockSeconds !== undefined) clock?.advance(advanceClockSeconds)
    if (answer !== undefined) return deliveryOf(answer)
    return delayMs === undefined ? own : { ...own, delayMs }
  }
}

function holdingUses(heldMs: number): (own: Delivery) => Delivery {
  let untilMs: number | undefined
  return (own) => {
    const nowMs = performance.now()
    untilMs ??= nowMs + heldMs
    return nowMs < untilMs ? { ...own, delayMs: untilMs - nowMs } : own
  }
}

function withoutDelay(delivery: Delivery): Delivery {
  if (delivery.kind !== 'answer') return delivery
  const { delayMs, ...others } = delivery
  return others
}

function deliveryOf({
  status = 200,
  headers = {},
  body = '',
  json,
  retryAtSeconds,
  raw,
  reset,
  silence,
}: FixedAnswer): Delivery {
  if (reset) return { kind: 'reset' }
  if (silence) return { kind: 'silence' }
  if (raw !== undefined) return { kind: 'raw', bytes: Buffer.from(raw) }
  const text = json === undefined ? body : JSON.stringify(json)
  const retry: HeaderList =
    retryAtSeconds === undefined ? [] : [['Retry-After', secondsFromNow(retryAtSeconds)]]
  return { kind: 'answer', answer: { status, headers: [...Object.entries(headers), ...retry], body: text } }
}

/** Such a date has whole seconds: rounded up, so that the wait is no shorter. */
function secondsFromNow(seconds: number): string {
  return new Date((Math.ceil(Date.now() / 1000) + seconds) * 1000).toUTCString()
}
