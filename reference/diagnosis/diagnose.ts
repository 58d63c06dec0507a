import { type Form, parseForm } from '../form.js'
import { parseJsonObject } from '../json-body.js'
import type { ReceivedRequest } from '../received-request.js'
import { particularsOf, type Refusal } from '../refusal.js'
import { whyNotContentType } from './content-type.js'
import { nearMiss, unseenEnds } from './near-miss.js'
import { type Known, onlyValue } from './parameters.js'

/** Why a request was refused, in words for whoever wrote the client. Quotes nothing of the request but known words. */
export function diagnose(refusal: Refusal, request: ReceivedRequest, known: Known): string {
  return hints[refusal]?.(request, known) ?? particularsOf(refusal).why
}

type Hint = (request: ReceivedRequest, known: Known) => string | undefined

const hints: Partial<Record<Refusal, Hint>> = {
  'unknown-path': whyNotPath,
  // Node's parser lets none but the known methods in.
  'wrong-method': ({ method }) => `the method is ${method}: it must be POST`,
  'wrong-media-type': (request) => whyNotContentType(request, 'application/x-www-form-urlencoded'),
  'not-json': (request) => whyNotContentType(request, 'application/json'),
  'no-grant-type': whyNoGrantType,
  'unsupported-grant-type': ({ body }) => whyNotGrantType(onlyValue(parseForm(body), 'grant_type')),
  'repeated-parameter': ({ body }) => {
    const names = parseForm(body).pairs.map(([name]) => name)
    const repeated = ['grant_type', 'username', 'password'].filter(
      (name) => names.indexOf(name) !== names.lastIndexOf(name),
    )
    return repeated.length === 0 ? undefined : `${repeated.join(' and ')} occurs more than once`
  },
  'no-user-name': (request) => whyMissing('username', request),
  'no-password': (request) => whyMissing('password', request),
  'unknown-user': ({ body }, known) => whyUnknown(onlyValue(parseForm(body), 'username'), known),
  'wrong-password': ({ body }) => whyWrong(onlyValue(parseForm(body), 'password')),
}

function whyNotPath({ path }: ReceivedRequest, { basePath }: Known): string | undefined {
  const wanted = `${basePath}/Token`
  const miss =
    nearMiss(path, wanted) ??
    (path === `${wanted}/` ? 'has a slash at its end' : undefined) ??
    (path.replaceAll(/\/+/g, '/') === wanted ? 'has a slash twice' : undefined) ??
    (basePath !== '' && nearMiss(path, '/Token') === undefined && path === '/Token'
      ? 'lacks the base path'
      : undefined)
  return miss === undefined ? undefined : `the path ${miss}: it must be exactly ${wanted}`
}

const must = 'it must be exactly "password"'

function whyNotGrantType(grantType: string | undefined): string | undefined {
  if (grantType === undefined) return undefined
  const miss = nearMiss(grantType, 'password')
  if (miss !== undefined) return `the grant_type ${miss}: ${must}`
  const others = ['refresh_token', 'client_credentials', 'authorization_code', 'implicit']
  return others.includes(grantType) ? `the grant_type is ${grantType}: ${must}` : undefined
}

function whyNoGrantType(request: ReceivedRequest): string | undefined {
  if (request.body.length === 0) {
    return inQuery('grant_type', request) ?? 'the body is empty: it must be a form with grant_type=password'
  }
  if (parseJsonObject(request.body) !== undefined)
    return 'the body is JSON: it must be a form, as its Content-Type says'
  return whyMissing('grant_type', request)
}

function whyMissing(wanted: string, request: ReceivedRequest): string | undefined {
  const form = parseForm(request.body)
  return (
    misspelt(wanted, form) ??
    inQuery(wanted, request) ??
    (form.malformed ? `${wanted} is missing, or what stands there is no form in UTF-8` : undefined)
  )
}

/** Other frameworks' names for what the specification calls so. */
const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ['grant_type', ['granttype', 'grant']],
  ['username', ['user_name', 'user', 'login', 'email']],
  ['password', ['passwd', 'pwd', 'pass']],
])

function misspelt(wanted: string, { pairs }: Form): string | undefined {
  for (const [name] of pairs) {
    const miss = nearMiss(name, wanted)
    if (name !== '' && miss !== undefined)
      return `the form holds no ${wanted}, but a parameter whose name ${miss}: it must be exactly "${wanted}"`
    const alias = aliases.get(wanted)?.find((other) => other === name.toLowerCase())
    if (alias !== undefined)
      return `the form holds no ${wanted}, but ${alias}: the name must be exactly "${wanted}"`
  }
  return undefined
}

function inQuery(wanted: string, { query }: ReceivedRequest): string | undefined {
  return new URLSearchParams(query).has(wanted)
    ? `the ${wanted} stands in the query: it belongs in the body`
    : undefined
}

function whyUnknown(userName: string | undefined, known: Known): string | undefined {
  if (userName === undefined) return undefined
  if (userName === '') return 'the username is empty'
  const ends = unseenEnds(userName)
  if (ends !== undefined) return `no account has this user name, which ${ends}`
  for (const name of known.someNames()) {
    const miss = name === userName ? 'is the e-mail address of one' : nearMiss(userName, name)
    if (miss !== undefined)
      return `no account has this user name: it ${miss.replace('differs', 'differs from one')}`
  }
  return undefined
}

function whyWrong(password: string | undefined): string | undefined {
  if (password === '') return 'the password is empty'
  const ends = password === undefined ? undefined : unseenEnds(password)
  return ends === undefined ? undefined : `the password is not that of the account: what was sent ${ends}`
}
