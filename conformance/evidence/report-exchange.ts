import type { HeaderList, ReportBody, ReportExchange } from '../../spec/model/report.js'
import type { Exchange, WireResponse } from '../exchange/exchange.js'
import type { PreparedRequest } from '../exchange/prepared-request.js'
import type { Deployment } from '../target/deployment.js'
import { withoutSecretMembers } from './describe.js'
import type { Redactor } from './redact.js'

const LONGEST_BODY = 16 * 1024
/** What is searched for secrets: what is shown, and as much again as a secret may be long in its longest spelling. */
const SEARCHED = LONGEST_BODY + 48 * 1024
const SECRET_HEADER = /^(?:proxy-)?authorization$|^cookie$|^set-cookie2?$/i

/** A request with its response, and where it was sent. */
export interface ShownRequest {
  readonly label: string
  readonly prepared: PreparedRequest
  readonly exchange: Exchange
  /** Origin and base path. */
  readonly shownBase: string
  readonly target: Pick<Deployment, 'headers' | 'shownHeaders' | 'tls' | 'tokenRequest'>
}

/** What went over the wire, as the report may show it. */
export function reportExchange(sent: ShownRequest, redactor: Redactor): ReportExchange {
  const { label, prepared, exchange, shownBase, target } = sent
  const { response, failure, resent } = exchange
  return {
    label,
    request: {
      method: prepared.method,
      url: redactor.text(shownBase + prepared.shownPath),
      headers: showHeaders([...(target.shownHeaders ?? target.headers), ...prepared.headers], redactor),
      ...(prepared.shownBody === undefined
        ? {}
        : { body: { text: redactor.text(prepared.shownBody), truncated: false } }),
    },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: showHeaders(response.headers, redactor),
            body: showBody(response, redactor),
          },
    ...(failure === undefined ? {} : { failure: redactor.text(failure.message) }),
    ...(resent === undefined ? {} : { resent: `${resent.times}×: ${resent.why}` }),
    durationMs: Math.round(exchange.durationMs * 1000) / 1000,
  }
}

function showHeaders(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => {
    const shownName = redactor.text(name)
    if (SECRET_HEADER.test(name)) return [shownName, '‹redacted›']
    const withoutToken = value.replace(/(access_token=)[^&#\s]+/g, '$1‹access token›')
    return [shownName, redactor.text(withoutToken)]
  })
}

function showBody({ body, truncated }: WireResponse, redactor: Redactor): ReportBody {
  const isLong = body.length > SEARCHED
  const text = decode(body.subarray(0, SEARCHED), isLong)
  if (text === undefined) {
    // Base64 would carry a secret past every later look.
    const latin1 = Buffer.from(body.subarray(0, SEARCHED)).toString('latin1')
    const shown = redactor.text(latin1)
    if (shown !== latin1) return { text: shown.slice(0, LONGEST_BODY), truncated: true }
    return {
      base64: Buffer.from(body.subarray(0, LONGEST_BODY)).toString('base64'),
      truncated: truncated || body.length > LONGEST_BODY,
    }
  }
  // Redacted before it is cut, so that no half of a secret is left at the end.
  const shown = redactor.text(withoutSecretMembers(text))
  return {
    text: shown.slice(0, LONGEST_BODY),
    truncated: truncated || isLong || shown.length > LONGEST_BODY,
  }
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
