import { AssayError } from '../../../spec/model/assay-error.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import type { TargetChange } from './target-text.js'

/** What a small form says of one of the target's own requests. */
export interface RequestFields {
  readonly method: string
  readonly path: string
  /** How the body is sent. */
  readonly kind: string
  /** JSON: an object; of a form, one whose values are texts. */
  readonly body: string
}

export const REGISTRATION: RequestFields = {
  method: 'POST',
  path: '/accounts',
  kind: 'json',
  body: '{ "userName": "$userName", "email": "$email", "password": "$password" }',
}

export const EXTERNAL_LOGIN: RequestFields = {
  method: 'POST',
  path: '/external-login',
  kind: 'json',
  body: '{ "provider": "acme", "code": "a code of the provider" }',
}

/** The changes of the target that declare how accounts are registered, and removed where a path says so. */
export function registrationChanges(fields: RequestFields, cleanUpPath: string): readonly TargetChange[] {
  return [
    [['registration', 'request'], requestOf(fields)],
    [['registration', 'cleanUp'], cleanUpPath === '' ? undefined : { method: 'DELETE', path: cleanUpPath }],
  ]
}

/** The changes that declare how a registered user signs in through a provider. */
export function externalLoginChanges(fields: RequestFields, account: string): readonly TargetChange[] {
  return [
    [['externalLogin', 'request'], requestOf(fields)],
    [['externalLogin', 'account'], account],
  ]
}

/** @throws AssayError for a body that is no JSON object */
function requestOf({ method, path, kind, body }: RequestFields): Json {
  return { method, path, [kind === 'form' ? 'form' : 'json']: bodyOf(body) }
}

function bodyOf(text: string): Json {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AssayError('bad-target', 'expected the body as JSON, such as { "userName": "$userName" }', {
      cause,
    })
  }
  if (isMap(value)) return value
  throw new AssayError(
    'bad-target',
    'expected the body as a JSON object, such as { "userName": "$userName" }',
  )
}

export function fieldsOf(declared: Json | undefined, usual: RequestFields): RequestFields {
  const request = isMap(declared) && isMap(declared.request) ? declared.request : undefined
  if (request === undefined) return usual
  const { method, path, json, form } = request
  const body = form ?? json
  return {
    method: typeof method === 'string' ? method : 'POST',
    path: typeof path === 'string' ? path : usual.path,
    kind: form === undefined ? 'json' : 'form',
    body: body === undefined ? '{}' : JSON.stringify(body),
  }
}

/** The request as it goes over the wire, with its `$names`. */
export function shownRequest(baseUrl: string, { method, path, kind, body }: RequestFields): string {
  const isForm = kind === 'form'
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return `${method} ${baseUrl}${path}\nContent-Type: ${type}\n\n${isForm ? formText(body) : body}`
}

function formText(body: string): string {
  try {
    const value: Json = JSON.parse(body)
    return isMap(value)
      ? Object.entries(value)
          .map(([name, text]) => `${name}=${String(text)}`)
          .join('&')
      : body
  } catch {
    return body
  }
}
