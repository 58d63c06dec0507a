import type { Answer } from '../http/answer.js'
import { formValues, parseForm } from '../http/form.js'
import { parseJsonObject } from '../http/json-body.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { SentAnswer } from '../store/journal.js'
import { withheld } from './parameters.js'

const longestBody = 1024
const longestValue = 256
const headersShown = 20

/** Members of an answer, and parameters of a request, of which nothing is shown. */
const secretNames = ['access_token', 'refresh_token', 'token', 'password', 'client_secret']

/**
 * What a hook sent, cut, and without what is secret: the tokens that the service issued or was shown, those that the hook put
 * in their place, and the password of the request: as plain text and as JSON escapes them (`docs/control.md`).
 */
export function shownAnswer(sent: Answer, service: Answer, request: ReceivedRequest): SentAnswer {
  const answers = [sent, service].flatMap((answer) => secretMembers(Buffer.from(textOf(answer))))
  const secrets = [...answers, ...presented(request)].filter((secret) => secret !== '')
  const redacted = redactor(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))
  const body = redacted(textOf(sent))
  return {
    status: sent.status,
    headers: Object.fromEntries(
      sent.headers
        .slice(0, headersShown)
        .map(([name, value]) => [name.slice(0, longestValue), redacted(value).slice(0, longestValue)]),
    ),
    body: body.length > longestBody ? `${body.slice(0, longestBody)}…` : body,
  }
}

/** The longest first, all in one pass: a short one may be part of a long one, and of what is put in its place. */
function redactor(secrets: readonly string[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text
  const any = secrets
    .toSorted((one, other) => other.length - one.length)
    .map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return (text) => text.replaceAll(new RegExp(any.join('|'), 'g'), withheld)
}

function textOf({ body }: Answer): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString()
}

function secretMembers(body: Uint8Array): readonly string[] {
  const members = parseJsonObject(body) ?? {}
  return secretNames.flatMap((name) => members[name] ?? []).filter((value) => typeof value === 'string')
}

function presented({ body, headers }: ReceivedRequest): readonly string[] {
  const form = parseForm(body)
  const credentials = headers.authorization?.split(' ').slice(1).join(' ') ?? ''
  return [...secretMembers(body), ...secretNames.flatMap((name) => formValues(form, name)), credentials]
}
