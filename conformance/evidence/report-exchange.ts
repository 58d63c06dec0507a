import type { HeaderList, ReportBody, ReportExchange } from '../../spec/types.js'
import { withoutSecretMembers } from '../checks/secret-members.js'
import type { Deployment } from '../deployment.js'
import type { Exchange, WireResponse } from '../exchange.js'
import type { PreparedRequest } from '../session/template.js'
import type { Redactor } from './redact.js'

const LONGEST_BODY = 16 * 1024
const SECRET_HEADER = /^(?:proxy-)?authorization$|^cookie$|^set-cookie2?$/i

/** What went over the wire, as the report may show it. */
export function reportExchange(
  label: string,
  prepared: PreparedRequest,
  exchange: Exchange,
  target: Pick<Deployment, 'baseUrl' | 'headers'>,
  redactor: Redactor,
): ReportExchange {
  const { response, failure, resent } = exchange
  const origin = originOf(target.baseUrl)
  return {
    label,
    request: {
      method: prepared.method,
      url: redactor.text(origin + prepared.shownPath),
      headers: showHeaders([...target.headers, ...prepared.headers], redactor),
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

/** Of the base URL that was asked for last: thousands of exchanges are with one. */
let latest: { readonly baseUrl: string; readonly origin: string } | undefined

function originOf(baseUrl: string): string {
  if (latest?.baseUrl !== baseUrl) latest = { baseUrl, origin: new URL(baseUrl).origin }
  return latest.origin
}

function showHeaders(headers: HeaderList, redactor: Redactor): HeaderList {
  return headers.map(([name, value]) => {
    if (SECRET_HEADER.test(name)) return [name, '‹redacted›']
    const withoutToken = value.replace(/(access_token=)[^&#\s]+/g, '$1‹access token›')
    return [name, redactor.text(withoutToken)]
  })
}

function showBody({ body, truncated }: WireResponse, redactor: Redactor): ReportBody {
  const text = decode(body)
  if (text === undefined) {
    // Base64 would carry a secret past every later look.
    const latin1 = Buffer.from(body).toString('latin1')
    const shown = redactor.text(latin1)
    if (shown !== latin1) return { text: shown.slice(0, LONGEST_BODY), truncated: true }
    return {
      base64: Buffer.from(body.subarray(0, LONGEST_BODY)).toString('base64'),
      truncated: truncated || body.length > LONGEST_BODY,
    }
  }
  // Redacted before it is cut, so that no half of a secret is left at the end.
  const shown = redactor.text(withoutSecretMembers(text))
  return { text: shown.slice(0, LONGEST_BODY), truncated: truncated || shown.length > LONGEST_BODY }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}
