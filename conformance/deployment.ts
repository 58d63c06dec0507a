import type { HeaderList, Json, Policy } from '../spec/types.js'

export type { Policy } from '../spec/types.js'

export interface Account {
  readonly userName: string
  readonly password: string
  /** Compared with the answer's `userId` when given. */
  readonly userId?: string
}

/** A request of the target's own: templates over a closed list of `$names`. */
export interface TargetRequest {
  readonly method: string
  /** Below the base URL; exactly one of `path` and `url`. */
  readonly path?: string
  /** Absolute: only `externalLogin.prepare` may go elsewhere. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: Json
  readonly form?: Readonly<Record<string, string>>
}

export interface Registration {
  readonly request: TargetRequest
  /** Statuses, or absent: any 2xx. */
  readonly accepted?: readonly number[]
  /** Statuses, or absent: any 4xx but 401, 403, 404, 405, 429. */
  readonly rejected?: readonly number[]
  readonly immediate: boolean
  readonly emailDomain: string
  readonly cleanUp?: TargetRequest
  readonly policy: Policy
}

export interface ExternalLogin {
  readonly prepare?: { readonly request: TargetRequest; readonly capture: Readonly<Record<string, string>> }
  readonly request: TargetRequest
  /** The user name of the account that it signs in. */
  readonly account: string
  readonly withoutCallback?: TargetRequest
}

/** PEM texts, read from the paths of the target file. */
export interface Tls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly rejectUnauthorized: boolean
}

export interface StartCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly readyTimeoutMs: number
  /** The folder of the target file. */
  readonly cwd: string
}

/** One service under one configuration, with every default filled in. */
export interface Deployment {
  readonly name: string
  /** No trailing slash; may have a path. */
  readonly baseUrl: string
  readonly accounts: readonly [Account, ...Account[]]
  /** Seconds. */
  readonly tokenLifetime: number
  readonly includesUserId: boolean
  readonly additionalGrantTypes: readonly string[]
  /** Seconds. */
  readonly clockSkew: number
  readonly timeoutMs: number
  readonly maxRequestsPerSecond?: number
  readonly maxFailedLogins: number
  readonly headers: HeaderList
  readonly tls?: Tls
  readonly start?: StartCommand
  readonly registration?: Registration
  readonly externalLogin?: ExternalLogin
  /** The runs of a forall case here, as a share of `--runs`; 1 unless the embedded run says less. */
  readonly runsShare: number
  /** What was declared, as it may be shown: every secret replaced. */
  readonly declared: Json
}

export interface Target {
  readonly name: string
  readonly deployments: readonly [Deployment, ...Deployment[]]
  /** Values that must never be shown, with what to show instead: passwords, and whatever came from the environment. */
  readonly secrets: readonly { readonly value: string; readonly label: string }[]
  /** Its deployments set base URLs of their own, so that none can replace them all. */
  readonly ownBaseUrls?: true
}
