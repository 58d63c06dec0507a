import type { Credentials } from '../../../../spec/generated/types/client-scenarios.js'
import type { RequestTemplate } from '../../../../spec/model/case.js'
import type { ReceivedRequest } from '../../../drivers/host/host-client.js'
import { probeOf } from '../../../drivers/pair/probe.js'
import type { FormPair } from '../../../exchange/form-pairs.js'
import { parseForm } from '../../../exchange/parse-form.js'
import { FORM, hasTraits, type RequestTrait, traitsOf } from '../isolate/request-traits.js'

/** In what a client's request may differ from the plain one, so that it shows. How a form is encoded is not among it. */
const SEEN =
  /^(?:method|path|media type|grant_type|names of parameters|repeated parameters|order of the parameters|space as \+|query|parameters in the query|(?:header|parameter) .*)$/
const CREDENTIALS = /^(?:registered )?(?:user_?name|password|email)$/i

/** What a finding is about, of the request: the credentials that a client is given, and how it sends them. */
export interface Concern {
  /** Other credentials than those of the plain login. */
  readonly ofCredentials: boolean
  readonly traits: readonly RequestTrait[]
  /** All of one place is one trait: which of them is meant is here. */
  readonly template: RequestTemplate
}

/** @returns what it is about, or the trait that no request of a client can be looked at for */
export function concernOf(
  traits: readonly RequestTrait[],
  template: RequestTemplate,
): Concern | { readonly unseen: RequestTrait } {
  const isCredential = ({ place, kinds }: RequestTrait): boolean =>
    CREDENTIALS.test(place) && kinds[0] !== 'missing'
  // What has no phrase comes along with another, which says it.
  const others = traits.filter((one) => !isCredential(one) && one.phrase !== '')
  const unseen = others.find(({ place }) => !SEEN.test(place) && !CREDENTIALS.test(place))
  return unseen === undefined
    ? { ofCredentials: traits.some(isCredential), traits: others, template }
    : { unseen }
}

/** Whether a client's request is one that a finding is about. */
export function isConcerned(
  { ofCredentials, traits, template }: Concern,
  request: ReceivedRequest,
  given: Credentials,
): boolean {
  const { pairs } = parseForm(request.body)
  const has = (name: RegExp, value: string): boolean =>
    pairs.some(([own, sent]) => name.test(own) && sent === value)
  if (ofCredentials && !(has(/^username$/i, given.userName) && has(/^password$/i, given.password)))
    return false
  const own = traitsOf(probeOf('', [{ send: templateOf(request, pairs, given) }]), 0)
  const spaces = /\+/.test(Buffer.from(request.body).toString('latin1'))
    ? [{ place: 'space as +', kinds: ['space'], phrase: '' }]
    : []
  return hasTraits([...own, ...spaces], traits) && isSameLine(template, request)
}

/** Paths that a service does not tell from each other differ in letter case. */
function isSameLine(
  { method, path, headers = {}, contentType }: RequestTemplate,
  request: ReceivedRequest,
): boolean {
  const hasType = request.contentType !== undefined
  return (
    (!contentType || (hasType && isForm(contentType) === isForm(request.contentType))) &&
    (method === undefined || method === request.method) &&
    (path === undefined || path.toLowerCase() === request.path.toLowerCase()) &&
    Object.entries(headers).every(([name, value]) =>
      isSameHeader(name, String(request.headers[name.toLowerCase()] ?? ''), value),
    )
  )
}

function templateOf(
  { method, path, query, contentType, headers }: ReceivedRequest,
  form: readonly FormPair[],
  given: Credentials,
): RequestTemplate {
  const named = form.map(([name, value]): FormPair => {
    if (/^username$/i.test(name) && value === given.userName) return [name, '$account.userName']
    return [name, /^password$/i.test(name) && value === given.password ? '$account.password' : value]
  })
  return {
    method,
    path,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(query === '' ? {} : { query: parseForm(Buffer.from(query)).pairs }),
    ...(contentType === FORM ? {} : { contentType: contentType ?? null }),
    form: named,
  }
}

function isForm(contentType = ''): boolean {
  return contentType.split(';')[0]?.trim().toLowerCase() === FORM
}

/** Of credentials the scheme counts. */
function isSameHeader(name: string, own: string, known: string): boolean {
  const whole = (text: string): string =>
    (/^authorization$/i.test(name) ? text.replace(/ .*/s, '') : text).toLowerCase()
  return whole(own) === whole(known)
}
