import type { Case, Forall, RequestTemplate, Step } from '../../../spec/model/case.js'
import type { Expectation } from '../../../spec/model/expectation.js'
import type { TokenRequestSettings } from '../../target/deployment.js'

/** What a k6 script holds beside the code: one deployment, and the cases to send to it. */
export interface Script {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly accounts: readonly ScriptAccount[]
  readonly headers: Readonly<Record<string, string>>
  readonly target: {
    /** Seconds. */
    readonly tokenLifetime: number
    /** Seconds. */
    readonly clockSkew: number
    readonly timeoutMs: number
    /** What is added to every token request. */
    readonly tokenRequest?: Omit<TokenRequestSettings, 'shown'>
  }
  readonly cases: readonly ScriptCase[]
  /** What every answer that yields a token is judged by, and the case that this is from. */
  readonly grant: { readonly id: string; readonly expect: ScriptStep['expect'] }
  /** The inputs of each generator that a case names. */
  readonly inputs: Readonly<Record<string, readonly string[]>>
  /** Every n-th answer of a case is judged, the others by their status. Default: 1. */
  readonly sample?: number
}

export interface ScriptAccount {
  readonly userName: string
  readonly password: string
  readonly userId?: string
}

export interface ScriptCase extends Pick<Case, 'id' | 'title' | 'account' | 'control'> {
  readonly forall?: Forall
  readonly steps: readonly ScriptStep[]
}

export interface ScriptStep extends Pick<Step, 'name' | 'waitMs'> {
  readonly send: RequestTemplate
  readonly expect: readonly Omit<Expectation, 'when' | 'hint' | 'hintIfOtherCase' | 'hintUnlessError'>[]
}
