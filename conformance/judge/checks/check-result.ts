import { pointerTo } from '../../../spec/model/json.js'
import type { HttpResponse } from '../../exchange/http-response.js'
import type { Candidate } from '../../target/accounts/fresh-account.js'
import type { Account, Deployment, Registration } from '../../target/deployment.js'

/** What a check found: it holds, it does not, or it has nothing to decide on. A value, never an exception. */
export type CheckResult =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'fail'
      /** One sentence. */
      readonly message: string
      readonly expected: string
      readonly actual: string
      readonly pointer?: string
      /** What is judged is not there, or of another kind: a hint about its value would mislead. */
      readonly hasNoValue?: true
    }
  /** The suite cannot decide: often because another rule is broken, and this one has nothing left to judge. */
  | { readonly kind: 'inconclusive'; readonly reason: string; readonly pointer?: string }

export const PASS: CheckResult = { kind: 'pass' }

export function fail(
  message: string,
  expected: string,
  actual: string,
  pointer?: string,
): CheckResult & { readonly kind: 'fail' } {
  return { kind: 'fail', message, expected, actual, ...(pointer !== undefined && { pointer }) }
}

/** @param member that is not there, or holds nothing to judge: that is what another rule is about */
export function inconclusive(reason: string, member?: string): CheckResult {
  return { kind: 'inconclusive', reason, ...(member !== undefined && { pointer: pointerTo('', member) }) }
}

/** What a check may look at in addition to the answer. */
export interface CheckContext {
  readonly deployment: Pick<Deployment, 'tokenLifetime' | 'clockSkew' | 'tokenRequest'> & {
    readonly accounts?: readonly Account[]
  }
  /** The answer of another step, by its name. */
  readonly responseOf: (step: string) => HttpResponse | undefined
  /** The answers to all requests of another step, where it may have sent several at once. */
  readonly answersOf?: ((step: string) => readonly HttpResponse[]) | undefined
  /** The answers to all requests of the judged step, where it sent several at once. */
  readonly copies?: readonly (HttpResponse | undefined)[] | undefined
  readonly registration?: Pick<Registration, 'accepted' | 'rejected' | 'policy'> | undefined
  /** Of a registration: what was to be registered. */
  readonly candidate?: Candidate | undefined
  /** Of the form that was sent. */
  readonly grantType?: string | undefined
  /** The value behind a `$reference`; undefined where the target does not declare it. */
  readonly resolve: (text: string) => string | undefined
}
