import type { Exchange } from '../../exchange/exchange.js'
import { isMediaType, parseMediaType } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { formValues, type ParsedForm, parseForm } from '../../exchange/parse-form.js'
import type { Account } from '../../target/deployment.js'
import { type DeclaredService, tokenPathOf } from './declared.js'

/** The cases of the suite that traffic can be an instance of. */
export const CASES = [
  '2.1/token-response',
  '4.1/password-grant',
  '4.1/content-type-spelling',
  '4.1/method-get',
  '4.1/method-get-query',
  '4.1/method-put',
  '4.1/method-patch',
  '4.1/method-delete',
  '4.1/unknown-grant-type',
  '4.1/json-and-empty-body',
  '4.1/no-grant-type',
  '4.1/empty-form',
  '4.1/other-media-type',
  '4.1/no-content-type',
  '4.1/json-body',
  '4.1/multipart-body',
  '4.1/no-username',
  '4.1/empty-username',
  '4.1/no-password',
  '4.1/empty-password',
  '4.1/wrong-password',
] as const

export type CaseId = (typeof CASES)[number]

/** What a token request asks of the service. */
export interface Exercised {
  /** Undefined: none of the suite. */
  readonly case: CaseId | undefined
  /** A password grant with a user name and a password. */
  readonly isGrant: boolean
  /** A grant type that the service is also declared to have: the contract says nothing of it. */
  readonly isOther?: true
  /** Where it is not `password`. */
  readonly grantType?: string
  readonly userName?: string
  readonly password?: string
  /** The media type has a parameter or other letter case: to refuse it breaks advice alone. */
  readonly isSpelled?: true
  /** The declared account of that user name. */
  readonly account?: Account
}

const FORM = 'application/x-www-form-urlencoded'
const OF_METHOD: ReadonlyMap<string, CaseId> = new Map([
  ['GET', '4.1/method-get'],
  ['PUT', '4.1/method-put'],
  ['PATCH', '4.1/method-patch'],
  ['DELETE', '4.1/method-delete'],
])
const NOTHING: Exercised = { case: undefined, isGrant: false }

/** Which case a request to the token endpoint is: what `run` sends for it, a client has sent by itself. */
export function exercisedBy(
  exchange: Pick<Exchange, 'request'>,
  declared: Pick<DeclaredService, 'baseUrl' | 'tokenRequest' | 'additionalGrantTypes' | 'accounts'>,
): Exercised {
  const { method, path, query, contentType, body, isBodyKept } = requestOf(exchange)
  if (path !== tokenPathOf(declared) || !isBodyKept) return NOTHING
  if (method !== 'POST') return { case: caseOfMethod(method, query, body), isGrant: false }
  if (!isMediaType(contentType, FORM)) return { case: caseOfMediaType(contentType, body), isGrant: false }
  const form = parseForm(body)
  if (form.malformed || form.pairs.some(([name]) => isInOtherCase(name))) return NOTHING
  const [grantType, ...others] = formValues(form, 'grant_type')
  if (others.length > 0) return NOTHING
  if (grantType === undefined)
    return { case: form.pairs.length === 0 ? '4.1/empty-form' : '4.1/no-grant-type', isGrant: false }
  if (grantType !== 'password')
    return declared.additionalGrantTypes.includes(grantType)
      ? { ...NOTHING, isOther: true }
      : { case: '4.1/unknown-grant-type', isGrant: false, grantType }
  const grant = exercisedByGrant(form, declared)
  return contentType?.trim() === FORM ? grant : { ...grant, isSpelled: true }
}

/** Whether a service may take it for a parameter that has no effect here: the specification is silent about letter case. */
function isInOtherCase(name: string): boolean {
  const lower = name.toLowerCase()
  return name !== lower && (lower === 'grant_type' || lower === 'username' || lower === 'password')
}

function exercisedByGrant(form: ParsedForm, { accounts }: Pick<DeclaredService, 'accounts'>): Exercised {
  const userNames = formValues(form, 'username')
  const passwords = formValues(form, 'password')
  if (userNames.length > 1 || passwords.length > 1) return NOTHING
  const [userName] = userNames
  const [password] = passwords
  const refused = (id: CaseId): Exercised => ({ case: id, isGrant: false })
  if (userName === undefined) return refused('4.1/no-username')
  if (userName === '') return refused('4.1/empty-username')
  if (password === undefined) return refused('4.1/no-password')
  if (password === '') return refused('4.1/empty-password')
  const account = accounts.find((declared) => declared.userName === userName)
  if (account === undefined) return { case: undefined, isGrant: true, userName, password }
  const isRight = account.password === password
  return {
    case: isRight ? '4.1/password-grant' : '4.1/wrong-password',
    isGrant: true,
    userName,
    password,
    account,
  }
}

function caseOfMethod(method: string, query: string, body: Uint8Array): CaseId | undefined {
  const isInQuery = /(?:^|&)grant_type=/.test(query)
  // A page that is looked for asks for no token.
  if (!isInQuery && body.length === 0) return undefined
  if (method === 'GET' && isInQuery) return '4.1/method-get-query'
  return OF_METHOD.get(method)
}

function caseOfMediaType(contentType: string | undefined, body: Uint8Array): CaseId | undefined {
  if (contentType === undefined) return '4.1/no-content-type'
  switch (parseMediaType(contentType)?.essence) {
    // No media type at all, or the right one with a charset that few can read: the suite sends neither.
    case undefined:
    case FORM:
      return undefined
    case 'application/json':
      return body.length === 0 ? '4.1/json-and-empty-body' : '4.1/json-body'
    case 'multipart/form-data':
      return '4.1/multipart-body'
    default:
      return '4.1/other-media-type'
  }
}
