import type { Exchange } from '../../../conformance/exchange/exchange.js'
import { withTokenRequest } from '../../../conformance/target/token-request.js'
import type { Fields, RequestTemplate } from '../../../spec/model/case.js'
import type { Script, ScriptAccount } from './script.js'

/** What the references of a template stand for. */
export interface Bindings {
  readonly [variable: string]: string | ScriptAccount
  readonly account: ScriptAccount
}

/** A request as a load tool sends it. */
export interface PreparedRequest {
  /** By which requests of one kind are counted together. */
  readonly name: string
  readonly caseId: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Null where it is empty. */
  readonly body: string | null
  readonly timeoutMs: number
  /** As an exchange has it. */
  readonly sent: Exchange['request']
  /** In the form that is sent. */
  readonly userName?: string
}

const FORM = 'application/x-www-form-urlencoded'

export function prepare(
  script: Script,
  caseId: string,
  planned: RequestTemplate,
  bindings: Bindings,
): PreparedRequest {
  const { tokenRequest, timeoutMs } = script.target
  const template = tokenRequest === undefined ? planned : withTokenRequest(planned, tokenRequest)
  const { method = 'POST', path = '/Token' } = template
  const form = template.form && pairsOf(template.form, bindings)
  const query = template.query === undefined ? '' : `?${encode(pairsOf(template.query, bindings))}`
  const url = script.baseUrl + fill(path, bindings, encodeURIComponent) + query
  const headers = headersOf(script, template, bindings)
  const userName = form?.find(([name]) => name === 'username')?.[1]
  return {
    name: `${method} ${path}`,
    caseId,
    url,
    method,
    headers,
    body: bodyOf(template, form, bindings),
    timeoutMs,
    sent: { method, path: url, headers: Object.entries(headers) },
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
