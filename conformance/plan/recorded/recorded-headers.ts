import { literal } from '../../../spec/model/literal.js'
import type { HeaderList } from '../../../spec/model/report.js'
import { isOfTheSender } from '../../../spec/model/sender-headers.js'
import { recordableHeader } from '../../evidence/hidden-fields.js'
import { isCredentialHeader } from '../../exchange/header-credentials.js'
import { type RecordedValues, standIn } from './recorded-values.js'

/** Each request, or each client, has another one. */
const OF_ONE_REQUEST =
  /^(?:cookie|traceparent|tracestate|baggage|sentry-trace|(?:x-)?(?:request|correlation|amzn-trace)-id|x-(?:b3|datadog)-.*|date|newrelic)$/i
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** What a header can hold as Latin-1, without controls. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const CODINGS = /^(?:gzip|x-gzip|deflate|br|identity|\*)(?:\s*;.*)?$/i

/** The headers that are sent as they were recorded, as templates by name. */
export function recordedHeaders(
  headers: HeaderList,
  declared: ReadonlySet<string>,
  values: RecordedValues,
): Readonly<Record<string, string>> {
  const kept = new Map<string, string>()
  for (const [name, text] of headers) {
    if (isOfTheSender(name) || OF_ONE_REQUEST.test(name) || declared.has(name.toLowerCase())) continue
    const recorded = readable(name, text.trim())
    const known = recordableHeader(name, recorded)
    const value = known ?? (values.isHarmless(name, recorded) ? recorded : standIn(recorded))
    if (
      isCredentialHeader(name) ||
      values.repeatsSecret(value) ||
      values.hasPlaceholder(value) ||
      !NAME.test(name) ||
      !VALUE.test(value)
    ) {
      values.dropped.add(`\`${name.replace(/[^\w-]/g, '?').slice(0, 40)}\``)
      continue
    }
    if (value !== (known ?? recorded)) values.changed.add(`\`${name}\``)
    const before = kept.get(name)
    kept.set(name, before === undefined ? literal(value) : `${before}, ${literal(value)}`)
  }
  return Object.fromEntries(kept)
}

/** An answer in a coding that cannot be undone is not read. */
function readable(name: string, value: string): string {
  if (!/^accept-encoding$/i.test(name)) return value
  const codings = value.split(',').map((coding) => coding.trim())
  const known = codings.filter((coding) => CODINGS.test(coding))
  return known.length === codings.length ? value : known.join(', ')
}
