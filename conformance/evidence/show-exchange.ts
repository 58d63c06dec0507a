import { parseForm } from '../../reference/http/form.js'
import { isMediaType } from '../../reference/http/media-type.js'
import type { HeaderList, Judgement, ReportBody, ReportExchange } from '../../spec/model/report.js'
import {
  isAnswer,
  type SeenAnswer,
  type SeenExchange,
  type SeenRequest,
} from '../drivers/relay/seen-exchange.js'
import { decodeUtf8 } from '../exchange/utf8.js'
import type { Declared } from '../judge/traffic/declared.js'
import { findExposure } from '../judge/traffic/judge-client.js'
import type { KnownSecrets } from '../judge/traffic/known-secrets.js'
import { withoutSecretMembers } from './describe.js'
import type { Redactor } from './redact.js'

const LONGEST_BODY = 16 * 1024
/** Headers whose values say what a message is, and are no secret. All others are named alone. */
const SHOWN_HEADERS =
  /^(?:host|accept|accept-charset|content-type|content-length|content-encoding|transfer-encoding|connection|date|cache-control|pragma|server|vary|retry-after|allow|expires)$/i
const GRANT_TYPES = ['password', 'refresh_token', 'client_credentials', 'authorization_code']

/** An exchange as it may be shown, and what may be shown of a judgement about it. */
export interface ShownTraffic {
  readonly exchange: ReportExchange
  readonly redact: (judgement: Judgement) => Judgement
}

/**
 * An exchange as the report may show it. Of a request nothing is shown that may be a secret: who sends it is not declared,
 * as the suite's own requests are. Of an answer secrets are searched for, as `run` does.
 * @param body of the answer, decoded
 * @param grantedName the user name of the request, where the service grants it a token
 */
export function showExchange(
  seen: SeenExchange,
  label: string,
  body: Uint8Array,
  grantedName: string | undefined,
  declared: Declared,
  secrets: KnownSecrets,
): ShownTraffic {
  const isShown = shownParameters([
    ...declared.accounts.map(({ userName }) => userName),
    ...(grantedName === undefined ? [] : [grantedName]),
  ])
  const redactor = secrets.redactor(ownSecrets(seen, body, isShown, secrets))
  const { request, answer, startedAt, receivedAt } = seen
  const origin = new URL(declared.shownBaseUrl).origin
  const exchange: ReportExchange = {
    label,
    request: {
      method: redactor.text(request.method),
      url: redactor.text(origin + request.path) + (request.query === '' ? '' : `?${shownQuery(request)}`),
      headers: showHeaders(request.headers, redactor),
      ...(request.body.length === 0 && !request.bodyTooLong
        ? {}
        : { body: showForm(request, isShown, redactor) }),
    },
    response: isAnswer(answer)
      ? {
          status: answer.status,
          headers: showHeaders(answer.headers, redactor),
          body: showBody(answer, body, redactor),
        }
      : null,
    ...(isAnswer(answer)
      ? {}
      : { failure: answer.by === 'service' ? redactor.text(answer.reason) : 'no answer was awaited' }),
    durationMs: Math.max(0, receivedAt - startedAt),
  }
  return {
    exchange,
    redact: ({ rule, outcome, ...words }) => ({ rule, outcome, ...redactor.value(words) }),
  }
}

/** What this exchange alone may hold: every value of its form that does not say who asks for what, and its tokens. */
function ownSecrets(
  { request }: SeenExchange,
  body: Uint8Array,
  isShown: IsShown,
  secrets: KnownSecrets,
): readonly { readonly value: string; readonly label: string }[] {
  const parameters = parseForm(request.body).pairs.flatMap(([name, value]) =>
    isShown(name, value) ? [] : [{ value, label: name === 'password' ? name : 'value of a form' }],
  )
  const tokens = [...decodeUtf8(body).text.matchAll(/"[\w.]*token"\s*:\s*"([^"\\]+)"/g)].map(
    ([, value = '']) => ({ value, label: 'token' }),
  )
  const exposure = findExposure(request, secrets)
  return [
    ...parameters,
    ...tokens,
    ...(exposure === undefined ? [] : [{ value: exposure.value, label: exposure.what }]),
  ]
}

/** Whether a parameter's value says who asks for what, and is no secret. */
type IsShown = (name: string, value: string) => boolean

/** A client may send anything as anything: a user name is one where it is known to be. */
function shownParameters(userNames: readonly string[]): IsShown {
  return (name, value) =>
    (name === 'grant_type' && GRANT_TYPES.includes(value.trim().toLowerCase())) ||
    (name === 'username' && userNames.includes(value)) ||
    name === 'client_id' ||
    name === 'scope'
}

function shownQuery({ query }: SeenRequest): string {
  const { length } = query.split('&')
  return `‹${length} ${length === 1 ? 'parameter' : 'parameters'}›`
}

function showHeaders(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => [
    redactor.text(name),
    SHOWN_HEADERS.test(name) ? redactor.text(value) : '‹redacted›',
  ])
}

function showForm(request: SeenRequest, isShown: IsShown, redactor: Redactor): ReportBody {
  const { contentType, body, bodyTooLong } = request
  const { pairs, malformed } = parseForm(body)
  if (bodyTooLong || malformed || !isMediaType(contentType, 'application/x-www-form-urlencoded'))
    return { text: bodyTooLong ? '‹not kept›' : `‹${body.length} bytes›`, truncated: true }
  const shown = pairs.map(([name, value]) => {
    const hidden = name === 'password' ? '‹password›' : '‹redacted›'
    return `${redactor.text(name)}=${isShown(name, value) ? redactor.text(value) : hidden}`
  })
  const text = shown.join('&')
  return { text: text.slice(0, LONGEST_BODY), truncated: text.length > LONGEST_BODY }
}

function showBody({ bodyTooLong }: SeenAnswer, body: Uint8Array, redactor: Redactor): ReportBody {
  if (bodyTooLong) return { text: '‹not kept›', truncated: true }
  const { text, isValid } = decodeUtf8(body.subarray(0, 4 * LONGEST_BODY))
  if (!isValid) return { text: `‹${body.length} bytes›`, truncated: true }
  const shown = redactor.text(withoutSecretMembers(text))
  return {
    text: shown.slice(0, LONGEST_BODY),
    truncated: body.length > 4 * LONGEST_BODY || shown.length > LONGEST_BODY,
  }
}
