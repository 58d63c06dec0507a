import { specifiedBehaviour } from '../../../reference/behaviour.js'
import { type Clock, createClock } from '../../../reference/clock.js'
import type { Delivery } from '../../../reference/http/answer.js'
import type { ReferenceServerOptions } from '../../../reference/server.js'
import type { FixedAnswer, ResourceUses } from '../../../spec/generated/types/client-scenarios.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import { RESOURCE } from '../../judge/client/observed-sign-in.js'
import { legalAnswer } from './legal-answer.js'

/** The reference server as a scenario has it. */
export function serviceOptions({ service = {}, answers = [] }: ClientScenario): ReferenceServerOptions {
  const { token, resource, tokenLifetime } = service
  const { behaviour, ...options } = legalAnswer(answers)
  const deliver = behaviour?.deliver ?? specifiedBehaviour.deliver
  const clock = resource?.advanceClockSeconds === undefined ? undefined : createClock()
  const onUse = resource === undefined ? undefined : countingUses(resource, clock)
  return {
    ...options,
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
    ...(clock === undefined ? {} : { clock }),
    behaviour: {
      ...behaviour,
      deliver: (answer, request) => {
        if (token !== undefined && request.path.endsWith('/Token')) return deliveryOf(token)
        const own = deliver(answer, request)
        return onUse !== undefined && request.path === RESOURCE && answer.status === 200 ? onUse(own) : own
      },
    },
  }
}

/** @returns what a good use of a token is answered; it counts them */
function countingUses(resource: ResourceUses, clock: Clock | undefined): (own: Delivery) => Delivery {
  const { nth, everyNth, fromNth, delayMs, advanceClockSeconds, answer } = resource
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

function deliveryOf({ status = 200, headers = {}, body = '', json, raw, reset }: FixedAnswer): Delivery {
  if (reset) return { kind: 'reset' }
  if (raw !== undefined) return { kind: 'raw', bytes: Buffer.from(raw) }
  const text = json === undefined ? body : JSON.stringify(json)
  return { kind: 'answer', answer: { status, headers: Object.entries(headers), body: text } }
}
