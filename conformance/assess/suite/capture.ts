import type { Step } from '../../../spec/model/case.js'
import type { SentRequest, Session } from '../../drivers/send/session/session.js'
import { HttpResponse } from '../../exchange/http-response.js'
import { textAt } from '../../exchange/json-values.js'
import { secret } from '../../exchange/redactable-text.js'
import type { Bindings } from '../../exchange/template.js'

/** What a sent request carries of it, so that a command can do the same. */
export function capturedBy({ capture: captured }: Step): Pick<SentRequest, 'captured'> {
  return captured === undefined ? {} : { captured }
}

/** What later steps may use of the answer to a step; or why there is nothing to use. Shown by its name alone. */
export function capture(
  { capture: pointers = {} }: Step,
  sent: SentRequest | undefined,
  label: string,
  { run }: Session,
): Bindings | string {
  const bindings: Record<string, Bindings[string]> = {}
  for (const [name, pointer] of Object.entries(pointers)) {
    const response = sent?.response
    if (!(response instanceof HttpResponse))
      return `the step was not sent: ${label}: ${response?.reason ?? 'no answer'}`
    const text = textAt(response.json.root, pointer)
    if (text === undefined) return `the step was not sent: the answer to ${label} has no text at ${pointer}`
    run.redactor.learnToken(text, `‹${name}›`)
    bindings[name] = secret(text, name)
  }
  return bindings
}
