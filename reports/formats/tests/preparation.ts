import { isMap, type Json } from '../../../spec/model/json.js'
import type { Report, ReportExchange } from '../../../spec/model/report.js'
import { LABEL } from './text-parts.js'

type Deployment = Report['target']['deployments'][number]
/** A request of a report: what a test sends. */
export type ShownRequest = Pick<ReportExchange, 'label' | 'request'>

export const CONTROL = 'control'
const CONTROLS = [CONTROL, 'control again']
const RUN = '‹run'
const WHOLE_RUN = '‹run›'
const CUT_RUN = '‹run cut'

export function isControl({ label }: ShownRequest): boolean {
  return CONTROLS.includes(label)
}

/**
 * What a test sends before the requests that show a failure: the valid request, without which a refusal would show nothing,
 * and before it the registrations of the accounts that the run made up.
 * @param reproduce the command that repeats the failure: it registers them too
 * @returns undefined where an account is made up and cannot be registered
 */
export function preparationOf(
  evidence: readonly ReportExchange[],
  reproduce: string | undefined,
  deployment: Deployment | undefined,
): readonly ShownRequest[] | undefined {
  const control = evidence.find((one) => one.label === CONTROL && isGrant(one))
  // A token request may lack the user name or the password.
  const isRegistered = (name: string): boolean =>
    evidence.some(
      (one) =>
        loginOf(one) === undefined &&
        (control === undefined || endpointOf(one) !== endpointOf(control)) &&
        textOf(one).includes(name),
    )
  const names = new Set(evidence.flatMap((one) => loginOf(one)?.userName ?? []))
  const missing = [...names].filter((name) => name.includes(RUN) && !isRegistered(name))
  // It is near to a name of that run alone.
  if (missing.some((name) => name.includes(CUT_RUN))) return undefined
  const login = control && loginOf(control)
  if (control === undefined || login === undefined)
    return missing.length === 0 ? declaredControl(evidence, deployment) : undefined
  // Another name is one that no account has, or near to one: the account that the command registers is to be a valid one.
  const [other] = namesMadeBy(reproduce, deployment).filter((name) => !isRegistered(name))
  const userName = other ?? login.userName
  const valid = other === undefined ? control : withLogin(control, { ...login, userName })
  if (other === undefined && !missing.includes(userName)) return [valid]
  const registration = registrationOf(deployment, { ...login, userName })
  return registration && [registration, valid]
}

/** Whether requests of the failure itself are about an account that the run made up. */
export function isOfNewAccount(evidence: readonly ReportExchange[]): boolean {
  return evidence.some((one) => !isControl(one) && textOf(one).includes(RUN))
}

/** A login of the main account, as a login of the failure is sent: where no account can sign in, a refusal shows nothing. */
function declaredControl(
  evidence: readonly ReportExchange[],
  deployment: Deployment | undefined,
): readonly ShownRequest[] {
  const { accounts } = isMap(deployment?.declared) ? deployment.declared : {}
  const [main] = Array.isArray(accounts) ? accounts : []
  const like = evidence.find(isUsualLogin)
  if (like === undefined || !isMap(main)) return []
  const login = { userName: String(main.userName), password: String(main.password) }
  return [{ ...withLogin(like, login), label: CONTROL }]
}

/** With nothing in it for which a service may refuse it, but for its credentials. */
function isUsualLogin(one: ShownRequest): boolean {
  const { method, url, headers } = one.request
  const names = pairsOf(one).map(([name]) => name)
  const types = headers.flatMap(([name, value]) => (name.toLowerCase() === 'content-type' ? [value] : []))
  return (
    method === 'POST' &&
    !url.includes('?') &&
    types.join() === 'application/x-www-form-urlencoded' &&
    textOf(one).startsWith('grant_type=password&') &&
    new Set(names).size === names.length &&
    loginOf(one) !== undefined
  )
}

function withLogin({ label, request }: ShownRequest, { userName, password }: Login): ShownRequest {
  const text = textOf({ label, request })
    .replace(/(?<=^|&)username=[^&]*/, () => `username=${encoded(userName, encodeURIComponent)}`)
    .replace(/(?<=^|&)password=[^&]*/, () => `password=${encoded(password, encodeURIComponent)}`)
  return { label, request: { ...request, body: { text, truncated: false } } }
}

/** What the accounts log in with that the commands before the last one register. */
function namesMadeBy(reproduce = '', deployment: Deployment | undefined): readonly string[] {
  const earlier = reproduce.split('curl ').slice(1, -1).join('')
  const { isByEmail, emailDomain } = registrationIn(deployment)
  const names = [...earlier.matchAll(/(?<!\w)(\w+)'?"\$RUN"/g)].map(([, begin = '']) => begin + WHOLE_RUN)
  return names.map((name) => (isByEmail ? `${name}@${emailDomain}` : name))
}

interface Login {
  readonly userName: string
  readonly password: string
}

/** The credentials of a token request. */
function loginOf(one: ShownRequest): Login | undefined {
  const pairs = new Map(pairsOf(one))
  const [userName, password] = [pairs.get('username'), pairs.get('password')]
  return userName === undefined || password === undefined ? undefined : { userName, password }
}

function pairsOf(one: ShownRequest): readonly (readonly [name: string, value: string])[] {
  const pairs = textOf(one).split('&')
  return pairs.map((pair) => [pair.replace(/=.*/s, ''), decoded(pair.replace(/^[^=]*=?/, ''))])
}

function endpointOf({ request: { url } }: ShownRequest): string {
  return url.replace(/\?.*/s, '')
}

export function isGrant(one: ReportExchange | undefined): boolean {
  const body = one?.response?.body
  if (body === undefined || !('text' in body)) return false
  try {
    const answer: Json = JSON.parse(body.text)
    return isMap(answer) && Boolean(answer.access_token)
  } catch {
    return false
  }
}

function textOf({ request: { body } }: ShownRequest): string {
  return body !== undefined && 'text' in body ? body.text : ''
}

/** As the target declares it, with these credentials. */
function registrationOf(deployment: Deployment | undefined, login: Login): ShownRequest | undefined {
  const { baseUrl = '', declared } = deployment ?? {}
  const { headers: everywhere = {} } = isMap(declared) ? declared : {}
  const { template, isByEmail, emailDomain } = registrationIn(deployment)
  if (!isMap(template)) return undefined
  const userName = isByEmail ? login.userName.replace(/@.*/, '') : login.userName
  const email = isByEmail ? login.userName : `${userName}@${emailDomain}`
  const values: Readonly<Record<string, string>> = { ...login, userName, email }
  const fill = (text: string): string =>
    text.replace(/\$\$|\$(userName|email|password)\b/g, (_, name) => (name ? (values[name] ?? '') : '$'))
  const { method = 'POST', path = '', headers = {}, json, form } = template
  const fillIn = (_: string, item: Json): Json => (typeof item === 'string' ? fill(item) : item)
  const jsonText = json === undefined ? undefined : JSON.stringify(json, fillIn)
  const text = form === undefined ? jsonText : formOf(form, fill)
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  // As `run` sends it: what the request itself declares wins, in any letter case.
  const all = [
    ...textsOf(everywhere),
    ...(text === undefined ? [] : [['Content-Type', type] as const]),
    ...textsOf(headers).map(([name, value]) => [name, fill(value)] as const),
  ]
  const byName = new Map(all.map((header) => [header[0].toLowerCase(), header]))
  return {
    label: 'registration of the account',
    request: {
      method: String(method),
      url: baseUrl.replace(/\/$/, '') + encoded(fill(String(path)), encodeURI),
      headers: [...byName.values()],
      ...(text === undefined ? {} : { body: { text, truncated: false } }),
    },
  }
}

/** As the target declares it. */
function registrationIn(deployment: Deployment | undefined) {
  const { registration } = isMap(deployment?.declared) ? deployment.declared : {}
  const {
    request: template,
    emailDomain = 'example.com',
    loginName,
  } = isMap(registration) ? registration : {}
  return { template, emailDomain: String(emailDomain), isByEmail: loginName === '$email' }
}

function textsOf(fields: Json): readonly (readonly [name: string, text: string])[] {
  return isMap(fields) ? Object.entries(fields).map(([name, value]) => [name, String(value)]) : []
}

function formOf(form: Json, fill: (text: string) => string): string {
  return textsOf(form)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(fill(value), encodeURIComponent)}`)
    .join('&')
}

/** But for labels, each of which is a variable of the test. */
function encoded(text: string, encode: (part: string) => string): string {
  return text
    .split(LABEL)
    .map((part) => (LABEL.test(part) ? part : encode(part)))
    .join('')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
