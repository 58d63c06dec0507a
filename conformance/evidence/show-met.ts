import type { HeaderList, ReportBody, ReportExchange } from '../../spec/model/report.js'
import { isResource, type Met, type Played } from '../drivers/host/play.js'

/** Characters of a body that are shown. */
const LONGEST = 4096
/** Requests that are shown. */
const MOST = 20
const SECRET_HEADER = /^(?:.*authorization|cookie|.*(?:key|token|secret|auth|signature)s?)$/i
const SECRET_PARAMETER = /((?:^|[?&])(?:client_assertion|[^=&]*(?:key|secret|token))=)[^&]+/gi

/** What went over the wire, as the report may show it: without tokens, and without what a client sends of its own secrets. */
export function showMet({ met, tokens, environment }: Played): readonly ReportExchange[] {
  const withoutTokens = (text: string): string =>
    tokens.reduce((shown, token) => shown.replaceAll(token, '‹access token›'), text)
  const withoutSecrets = (text: string): string =>
    withoutTokens(text).replace(SECRET_PARAMETER, '$1‹redacted›')
  const header = ([name, value]: readonly [string, string]): readonly [string, string] => {
    const shown = withoutTokens(value)
    return [name, SECRET_HEADER.test(name) && shown === value ? '‹redacted›' : shown]
  }
  const body = (bytes: string | Uint8Array): ReportBody => {
    const text = withoutSecrets(Buffer.from(bytes).toString('utf8'))
    return { text: text.slice(0, LONGEST), truncated: text.length > LONGEST }
  }
  const headers = (all: HeaderList): HeaderList => all.map(header)
  return met.slice(0, MOST).map((one: Met): ReportExchange => {
    const { request, answer } = one
    const query = request.query === '' ? '' : `?${request.query}`
    return {
      label: isResource(one) ? 'resource' : 'token',
      request: {
        method: request.method,
        url: withoutSecrets(environment.url + request.path + query),
        headers: headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        ...(request.body.length === 0 ? {} : { body: body(request.body) }),
      },
      response:
        answer === null
          ? null
          : { status: answer.status, headers: headers(answer.headers), body: body(answer.body) },
      ...(answer === null ? { failure: 'the service sent no answer' } : {}),
      durationMs: 0,
    }
  })
}
