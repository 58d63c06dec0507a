import { isMap, type Json } from '../../spec/model/json.js'
import type { TargetRequest } from './deployment.js'
import type { OutsideRequest } from './target-input.js'

/** A request of a target file. @param shown the same, with labels in place of what came from the environment */
export function toRequest(input: OutsideRequest, shown: Json | undefined): TargetRequest {
  const request = { method: 'POST', ...input }
  // The schema has seen the input, of which this differs by labels alone.
  const isSame = JSON.stringify(shown) === JSON.stringify(input)
  return isMap(shown) && !isSame
    ? { ...request, shown: { ...request, ...(shown as Partial<TargetRequest>) } }
    : request
}

/** The text as it may be shown, where that differs. */
export function textAt(shown: Json | undefined, name: string, text: string): string | undefined {
  const label = memberAt(shown, name)
  return typeof label === 'string' && label !== text ? label : undefined
}

export function memberAt(json: Json | undefined, name: string): Json | undefined {
  return isMap(json) ? json[name] : undefined
}
