import { parseForm } from '../http/form.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { particularsOf } from '../refusal.js'
import type { Reply } from '../service.js'
import { whyNotContentType } from './content-type.js'
import type { Known } from './parameters.js'
import { whyNotAccount } from './why-not-account.js'
import { whyUnknown, whyWrong } from './why-not-credentials.js'
import { whyMalformed, whyMissing, whyNoGrantType, whyNotGrantType } from './why-not-form.js'
import { whyNotPath, whyNotScope } from './why-not-path.js'

/** What was refused, and what the answer tells of it. */
export type Refused = Required<Pick<Reply, 'refusal'>> & Pick<Reply, 'errors'>

/** Why a request was refused, in words for whoever wrote the client. Quotes nothing of the request but known words. */
export function diagnose({ refusal, errors = [] }: Refused, request: ReceivedRequest, known: Known): string {
  return hints[refusal]?.(request, known, errors) ?? particularsOf(refusal).why
}

type Hint = (request: ReceivedRequest, known: Known, errors: readonly string[]) => string | undefined

const hints: Partial<Record<Refused['refusal'], Hint>> = {
  'unknown-path': whyNotPath,
  'unknown-scope': whyNotScope,
  // Node's parser lets none but the known methods in.
  'wrong-method': ({ method }) => `the method is ${method}: it must be POST`,
  'wrong-media-type': (request) => whyNotContentType(request, 'application/x-www-form-urlencoded'),
  'not-json': (request) => whyNotContentType(request, 'application/json'),
  'no-grant-type': whyNoGrantType,
  'unsupported-grant-type': whyNotGrantType,
  'malformed-form': whyMalformed,
  'repeated-parameter': ({ body }) => {
    const names = parseForm(body).pairs.map(([name]) => name)
    const repeated = ['grant_type', 'username', 'password'].filter(
      (name) => names.indexOf(name) !== names.lastIndexOf(name),
    )
    return repeated.length === 0
      ? undefined
      : `${repeated.join(' and ')} ${repeated.length === 1 ? 'occurs' : 'occur'} more than once`
  },
  'no-user-name': (request) => whyMissing('username', request),
  'no-password': (request) => whyMissing('password', request),
  'unknown-user': whyUnknown,
  'wrong-password': whyWrong,
  'account-rejected': (_, __, errors) => whyNotAccount(errors),
}
