import type { TokenRequest } from '../../../../conformance/target/deployment.js'
import type { Case, Forall, RequestTemplate, Step } from '../../../../spec/model/case.js'
import type { Expectation } from '../../../../spec/model/expectation.js'

/** What a script holds beside the code: one deployment, and the cases to send to it. */
export interface Script {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly accounts: readonly ScriptAccount[]
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly target: {
    /** Seconds. */
    readonly tokenLifetime: number
    /** Seconds. */
    readonly clockSkew: number
    readonly timeoutMs: number
    /** What is added to every token request. */
    readonly tokenRequest?: Omit<TokenRequest, 'shown'>
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
  readonly expect: readonly Omit<Expectation, 'when' | 'hint' | 'hintUnlessError'>[]
}

/** The parts of k6 that a script uses: https://grafana.com/docs/k6/latest/javascript-api/ */
export interface K6 {
  readonly check: (
    value: unknown,
    sets: Readonly<Record<string, boolean>>,
    tags: Readonly<Record<string, string>>,
  ) => boolean
  readonly sleep: (seconds: number) => void
  readonly http: {
    readonly CookieJar: new () => object
    readonly expectedStatuses: (range: { readonly min: number; readonly max: number }) => unknown
    readonly request: (method: string, url: string, body: string | null, params: object) => K6Response
  }
}

export interface K6Response {
  /** 0 where no answer came. */
  readonly status: number
  /** The values of a header that came more than once are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ArrayBuffer | null
}
