import { withTokenRequest } from '../../../../conformance/target/token-request.js'
import type { Exchange, WireResponse } from '../../../../conformance/wire/exchange.js'
import type { Fields, RequestTemplate } from '../../../../spec/model/case.js'
import type { HeaderList } from '../../../../spec/model/report.js'
import type { K6, K6Response, Script, ScriptAccount } from './script.js'

/** What the references of a template stand for. */
export interface Bindings {
  readonly [variable: string]: string | ScriptAccount
  readonly account: ScriptAccount
}

export interface Received {
  readonly exchange: Exchange & { readonly response: WireResponse }
  /** In the form that was sent. */
  readonly userName?: string
}

const FORM = 'application/x-www-form-urlencoded'
/** Bytes: a longer body is cut where `token-assay run` cuts it, and not judged. */
const MAX_BODY = 1024 * 1024

/** Sends one step; undefined where there is no answer to judge, which the check `answered` shows. */
export function send(
  k6: K6,
  script: Script,
  caseId: string,
  planned: RequestTemplate,
  bindings: Bindings,
): Received | undefined {
  const { tokenRequest } = script.target
  const template = tokenRequest === undefined ? planned : withTokenRequest(planned, tokenRequest)
  const { method = 'POST', path = '/Token' } = template
  const form = template.form && pairsOf(template.form, bindings)
  const query = template.query === undefined ? '' : `?${encode(pairsOf(template.query, bindings))}`
  const url = script.baseUrl + fill(path, bindings, encodeURIComponent) + query
  const sentHeaders = headersOf(script, template, bindings)
  const startedAt = Date.now()
  const response = k6.http.request(method, url, bodyOf(template, form, bindings), {
    headers: sentHeaders,
    // Each request is one of its own: no cookie of an earlier answer, no redirect, no grouping by URL.
    jar: new k6.http.CookieJar(),
    redirects: 0,
    // A refusal is an answer, not a failed request.
    responseCallback: k6.http.expectedStatuses({ min: 200, max: 499 }),
    // As text, what is no UTF-8 would be lost.
    responseType: 'binary',
    tags: { name: `${method} ${path}`, case: caseId },
    timeout: script.target.timeoutMs,
  })
  const receivedAt = Date.now()
  const headers = headerList(response)
  const isBusy =
    response.status === 429 ||
    (response.status === 503 && headers.some(([name]) => name.toLowerCase() === 'retry-after'))
  const isAnswer = response.status > 0 && !isBusy
  k6.check(null, { answered: isAnswer }, { case: caseId })
  if (!isAnswer) return undefined
  const body = new Uint8Array(response.body ?? new ArrayBuffer(0))
  const userName = form?.find(([name]) => name === 'username')?.[1]
  return {
    exchange: {
      request: { method, path: url, headers: Object.entries(sentHeaders) },
      response: {
        status: response.status,
        headers,
        body: body.subarray(0, MAX_BODY),
        truncated: body.length > MAX_BODY,
      },
      startedAt,
      receivedAt,
      durationMs: receivedAt - startedAt,
    },
    ...(userName === undefined ? {} : { userName }),
  }
}

function headersOf(
  script: Script,
  template: RequestTemplate,
  bindings: Bindings,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { ...script.headers }
  const usual = template.form !== undefined ? FORM : template.json !== undefined ? 'application/json' : null
  const contentType = template.contentType === undefined ? usual : template.contentType
  if (contentType !== null) headers['Content-Type'] = fill(contentType, bindings)
  for (const [name, value] of Object.entries(template.headers ?? {})) headers[name] = fill(value, bindings)
  return headers
}

/** @returns null for an empty body: k6 sends `''` in chunks, and null with `Content-Length: 0`, as `token-assay run` does */
function bodyOf({ json, body }: RequestTemplate, form: Pairs | undefined, bindings: Bindings): string | null {
  if (form !== undefined) return encode(form) || null
  if (json === undefined) return fill(body ?? '', bindings) || null
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === 'string' ? fill(value, bindings) : value,
  )
}

/** Fills in the references of a template, `$account.userName` or `$input`; `$$` is a dollar sign. */
function fill(text: string, bindings: Bindings, spell = (value: string): string => value): string {
  return text.replace(/\$\$|\$([A-Za-z]\w*)(?:\.(\w+))?/g, (_, variable?: string, member?: string) => {
    if (variable === undefined) return '$'
    const bound = bindings[variable]
    if (typeof bound !== 'object') return spell(String(bound)) + (member === undefined ? '' : `.${member}`)
    return spell(Object.entries(bound).find(([name]) => name === member)?.[1] ?? '')
  })
}

type Pairs = readonly (readonly [name: string, value: string])[]

function pairsOf(fields: Fields, bindings: Bindings): Pairs {
  const pairs = isPairList(fields) ? fields : Object.entries(fields)
  return pairs.map(([name, value]) => [name, fill(value, bindings)])
}

function isPairList(fields: Fields): fields is Pairs {
  return Array.isArray(fields)
}

function encode(pairs: Pairs): string {
  const spell = (text: string): string => encodeURIComponent(text).replace(/%20/g, '+')
  return pairs.map(([name, value]) => `${spell(name)}=${spell(value)}`).join('&')
}

/** k6 joins the values of a header that came several times. Two that are the same are one, as `token-assay run` has it. */
function headerList({ headers }: K6Response): HeaderList {
  return Object.entries(headers).map(([name, value]) => {
    const half = value.slice(0, (value.length - 2) / 2)
    return [name, value === `${half}, ${half}` ? half : value]
  })
}
