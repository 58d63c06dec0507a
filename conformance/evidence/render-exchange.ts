import type { ReportBody, ReportExchange, ReportRequest } from '../../spec/model/report.js'
import type { Exchange, WireResponse } from '../exchange/exchange.js'
import { isMediaType } from '../exchange/headers.js'
import { requestOf } from '../exchange/http-request.js'
import { parseForm } from '../exchange/parse-form.js'
import type { PreparedRequest } from '../exchange/template.js'
import type { Deployment } from '../target/deployment.js'
import {
  type Author,
  hideForm,
  hideHeaders,
  hideParameters,
  hidePathParameters,
  hideQuery,
  hideSecrets,
  type IsHarmless,
  isHarmlessHeader,
} from './hidden-fields.js'
import type { Redactor } from './redact.js'

const MAX_BODY = 16 * 1024
const NOT_KEPT: ReportBody = { text: '‹not kept›', truncated: true }
/** Characters of a secret in its longest spelling. */
const MAX_SPELLED = 48 * 1024
/** What is searched for secrets; where that cuts one, the beginning of it is not found, and not shown. */
const SEARCHED = MAX_BODY + MAX_SPELLED

/** A request of the suite's own, in the form in which it was prepared. */
export interface OwnRequest {
  readonly prepared: PreparedRequest
  readonly shownBase: string
  readonly target: Pick<Deployment, 'headers' | 'shownHeaders' | 'tls' | 'tokenRequest'>
}

/** Who wrote a request, and what else its rendering needs; `origin` is that of the service. */
export type RequestSource =
  | ({ readonly author: 'suite' } & OwnRequest)
  | { readonly author: 'tested client'; readonly origin: string }
  | { readonly author: 'anyone'; readonly origin: string; readonly isHarmless: IsHarmless }

export interface SentExchange extends OwnRequest {
  readonly label: string
  readonly exchange: Exchange
}

export function renderSent(sent: SentExchange, redactor: Redactor): ReportExchange {
  return renderExchange(sent.label, sent.exchange, { author: 'suite', ...sent }, redactor)
}

export function renderExchange(
  label: string,
  exchange: Exchange,
  source: RequestSource,
  redactor: Redactor,
): ReportExchange {
  const { response, failure, resent } = exchange
  // What a service repeats of a body that was not kept is found nowhere: not in the names of headers either.
  const isUnread = source.author === 'anyone' && !requestOf(exchange).isBodyKept
  return {
    label,
    request: renderRequest(exchange, source, redactor),
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: hideHeaders(response.headers, source.author, redactor).filter(
              ([name]) => !isUnread || isHarmlessHeader(name),
            ),
            body: isUnread ? NOT_KEPT : renderResponseBody(response, source.author, redactor),
          },
    ...(failure === undefined ? {} : { failure: redactor.text(failure.message) }),
    ...(resent === undefined ? {} : { resent: `${resent.times}×: ${resent.why}` }),
    durationMs: Math.round(exchange.durationMs * 1000) / 1000,
  }
}

function renderRequest(exchange: Exchange, source: RequestSource, redactor: Redactor): ReportRequest {
  if (source.author === 'suite') return renderPrepared(source, redactor)
  const { author, origin } = source
  const { method, path, query, headers, body, isBodyKept } = requestOf(exchange)
  return {
    method: redactor.text(method),
    url:
      author === 'anyone'
        ? redactor.text(origin + hidePathParameters(path)) + hideQuery(query)
        : hideParameters(redactor.text(origin + exchange.request.path)),
    headers: hideHeaders(headers, author, redactor),
    ...(body.length === 0 && isBodyKept ? {} : { body: renderRequestBody(exchange, source, redactor) }),
  }
}

function renderRequestBody(
  exchange: Exchange,
  source: Exclude<RequestSource, { author: 'suite' }>,
  redactor: Redactor,
): ReportBody {
  const { body, isBodyKept } = requestOf(exchange)
  if (!isBodyKept) return NOT_KEPT
  if (source.author === 'anyone') return renderForm(exchange, source.isHarmless, redactor)
  return cut(hideParameters(redactor.text(Buffer.from(body).toString('utf8'))))
}

function renderPrepared({ prepared, shownBase, target }: OwnRequest, redactor: Redactor): ReportRequest {
  const { method, shownPath, headers, shownBody } = prepared
  return {
    method: redactor.text(method),
    url: redactor.text(shownBase + shownPath),
    headers: hideHeaders([...(target.shownHeaders ?? target.headers), ...headers], 'suite', redactor),
    ...(shownBody === undefined ? {} : { body: { text: redactor.text(shownBody), truncated: false } }),
  }
}

function renderForm(exchange: Exchange, isHarmless: IsHarmless, redactor: Redactor): ReportBody {
  const { contentType, body } = requestOf(exchange)
  return parseForm(body).malformed || !isMediaType(contentType, 'application/x-www-form-urlencoded')
    ? { text: `‹${body.length} bytes›`, truncated: true }
    : cut(hideForm(Buffer.from(body).toString('latin1'), isHarmless, redactor))
}

function renderResponseBody(
  { body, truncated }: WireResponse,
  author: Author,
  redactor: Redactor,
): ReportBody {
  if (truncated && body.length === 0) return NOT_KEPT
  const isLong = body.length > SEARCHED
  const text = decode(body.subarray(0, SEARCHED), isLong)
  if (text !== undefined) {
    // Redacted before it is cut, so that no half of a secret is left at the end.
    return cut(hideSecrets(text, redactor), truncated, isLong)
  }
  if (author === 'anyone') return { text: `‹${body.length} bytes›`, truncated: true }
  // Base64 would carry a secret past every later look.
  const latin1 = Buffer.from(body.subarray(0, SEARCHED)).toString('latin1')
  const shown = hideSecrets(latin1, redactor)
  if (shown !== latin1) return cut(shown, true, isLong)
  return {
    base64: Buffer.from(body.subarray(0, MAX_BODY)).toString('base64'),
    truncated: truncated || body.length > MAX_BODY,
  }
}

/** @param isSearchCut what followed the text was not searched: a secret may begin at its end */
function cut(text: string, isCut = false, isSearchCut = false): ReportBody {
  const certain = isSearchCut ? Math.max(0, text.length - MAX_SPELLED) : text.length
  const shown = text.slice(0, Math.min(MAX_BODY, certain))
  return { text: shown, truncated: isCut || shown.length < text.length }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @param isCut inside a character, perhaps */
function decode(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return isCut
      ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
      : UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}
