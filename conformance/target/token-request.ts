import type { Fields, RequestTemplate } from '../../spec/model/case.js'
import { isMap, type Json } from '../../spec/model/json.js'
import { literal } from '../../spec/model/literal.js'
import { encodeFormText } from '../exchange/form.js'
import { isPairList } from '../exchange/template.js'
import type { Secret, TokenRequestSettings } from './deployment.js'
import type { DeploymentSource } from './merge-deployments.js'
import { withExcerpts } from './password-excerpts.js'
import type { TargetSettings } from './target-input.js'

/** Parameters that name a client or what it asks for, and are no secrets. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set(['client_id', 'scope', 'resource', 'audience'])

export function isShownParameter(name: string): boolean {
  return SHOWN_PARAMETERS.has(name)
}

/** What is declared as `tokenRequest`, with its Basic credentials as a header. @param shown the settings as they may be shown */
export function toTokenRequest(
  { tokenRequest }: TargetSettings,
  shown: Json,
): TokenRequestSettings | undefined {
  if (tokenRequest === undefined) return undefined
  const { path, form = {} } = tokenRequest
  const headers = headersOf(tokenRequest)
  const declared = isMap(shown) && isMap(shown.tokenRequest) ? shown.tokenRequest : {}
  const shownOf = (values: typeof form, labels: Json | undefined, inClear: (name: string) => boolean) =>
    mapValues(values, (value, name) => {
      const label = isMap(labels) ? labels[name] : undefined
      if (typeof label === 'string' && label !== value) return label
      return inClear(name) ? value : `‹value of ${name}›`
    })
  const ownPath = path === undefined ? {} : { path }
  return {
    ...ownPath,
    headers,
    form,
    shown: {
      ...(typeof declared.path === 'string' ? { path: declared.path } : ownPath),
      headers: shownOf(headers, declared.headers, () => false),
      form: shownOf(form, declared.form, isShownParameter),
    },
  }
}

/** The values that must never be shown. */
export function tokenRequestSecrets({
  settings: { tokenRequest = {} },
}: DeploymentSource): readonly Secret[] {
  const { form = {}, basic } = tokenRequest
  const values = [
    ...Object.entries(headersOf(tokenRequest)),
    ...Object.entries(form).filter(([name]) => !isShownParameter(name)),
    ...(basic === undefined ? [] : [['Authorization', basic.password] as const]),
  ]
  return values.flatMap(([name, value]) => {
    // Of a token, such as an assertion, the beginning is that of many others.
    const isPassword = value === basic?.password || /secret$/i.test(name)
    const texts = isPassword ? withExcerpts(value) : [value]
    return texts.filter((text) => text !== '').map((text) => ({ value: text, label: `value of ${name}` }))
  })
}

/** A token request with what the service requires in addition to the contract. What the case itself says wins. */
export function withTokenRequest(
  template: RequestTemplate,
  { path, headers, form }: Omit<TokenRequestSettings, 'shown'>,
): RequestTemplate {
  const isWritten = template.form !== undefined && template.spelling?.includes('as-written') === true
  const values = mapValues(form, isWritten ? written : literal)
  const withForm = (fields: Fields | undefined): Fields | undefined => {
    if (fields === undefined) return undefined
    return isPairList(fields) ? [...fields, ...Object.entries(values)] : { ...values, ...fields }
  }
  const { json } = template
  const added = {
    path: template.path ?? (path && literal(path)),
    headers: { ...mapValues(headers, literal), ...template.headers },
    form: withForm(template.form),
    // Once is enough: a parameter that comes twice is another request.
    query: template.form === undefined ? withForm(template.query) : template.query,
    json: isMap(json) ? { ...values, ...json } : json,
  }
  const given = Object.entries(added).filter(([, value]) => value !== undefined)
  return { ...template, ...Object.fromEntries(given) }
}

/** RFC 6749, section 2.3.1: both are encoded as in a form before they are joined. */
function headersOf({ headers = {}, basic }: NonNullable<TargetSettings['tokenRequest']>) {
  if (basic === undefined) return headers
  const [userName = '', password = ''] = [basic.userName, basic.password].map((text) =>
    new URLSearchParams([['', text]]).toString().slice(1),
  )
  const credentials = Buffer.from(`${userName}:${password}`, 'utf8').toString('base64')
  return { ...headers, Authorization: `Basic ${credentials}` }
}

function mapValues(
  values: Readonly<Record<string, string>>,
  map: (value: string, name: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))
}

/** A label is for people: it is not encoded. */
function written(value: string): string {
  return value.startsWith('‹') ? literal(value) : encodeFormText(value)
}
