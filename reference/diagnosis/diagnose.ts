import { parseForm } from '../http/form.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { detailsOf } from '../refusal.js'
import type { Reply } from '../service.js'
import { explainContentType } from './explain-content-type.js'
import { explainAccount, explainUnknownUser, explainWrongPassword } from './explain-credentials.js'
import { explainGrantType, explainMalformedForm, explainMissing, explainNoGrantType } from './explain-form.js'
import { explainPath, explainScope } from './explain-path.js'
import type { ServerFacts } from './parameters.js'

/** What was refused, and what the answer says about it. */
export type RefusedReply = Required<Pick<Reply, 'refusal'>> & Pick<Reply, 'errors'>

/** Why a request was refused, in words for the author of the client. Quotes nothing of the request but known words. */
export function diagnose(
  { refusal, errors = [] }: RefusedReply,
  request: ReceivedRequest,
  known: ServerFacts,
): string {
  return hints[refusal]?.(request, known, errors) ?? detailsOf(refusal).why
}

type Hint = (request: ReceivedRequest, known: ServerFacts, errors: readonly string[]) => string | undefined

const hints: Partial<Record<RefusedReply['refusal'], Hint>> = {
  'unknown-path': explainPath,
  'unknown-scope': explainScope,
  // Node's parser lets none but the known methods in.
  'wrong-method': ({ method }) => `the method is ${method}: it must be POST`,
  'wrong-resource-method': ({ method }) => `the method is ${method}: it must be GET`,
  'wrong-media-type': (request) => explainContentType(request, 'application/x-www-form-urlencoded'),
  'not-json': (request) => explainContentType(request, 'application/json'),
  'no-grant-type': explainNoGrantType,
  'unsupported-grant-type': explainGrantType,
  'malformed-form': explainMalformedForm,
  'repeated-parameter': ({ body }) => {
    const names = parseForm(body).pairs.map(([name]) => name)
    const repeated = ['grant_type', 'username', 'password', 'refresh_token'].filter(
      (name) => names.indexOf(name) !== names.lastIndexOf(name),
    )
    return repeated.length === 0
      ? undefined
      : `${repeated.join(' and ')} ${repeated.length === 1 ? 'occurs' : 'occur'} more than once`
  },
  'no-user-name': (request) => explainMissing('username', request),
  'no-password': (request) => explainMissing('password', request),
  'no-refresh-token': (request) => explainMissing('refresh_token', request),
  'unknown-user': explainUnknownUser,
  'wrong-password': explainWrongPassword,
  'preflight-refused': (_, __, [why]) => why,
  'hook-failed': (_, __, [why]) => why,
  'account-rejected': (_, __, errors) => explainAccount(errors),
}
