import type {
  Account as DeclaredAccount,
  Target as DeclaredTarget,
} from '../../spec/generated/types/target.js'
import type { Json } from '../../spec/model/json.js'
import type { Policy } from '../../spec/model/policy.js'
import type { HeaderList } from '../../spec/model/report.js'

export interface Account extends DeclaredAccount {
  /** The environment variable that the target file takes the whole password from. */
  readonly variable?: string
  /** Someone typed that value: the environment has none. */
  readonly isTyped?: true
  /** The user name as it may be shown, where it came from the environment. */
  readonly shownName?: string
}
export type { Policy } from '../../spec/model/policy.js'

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
  /** The same as it may be shown: with labels in place of what came from the environment. */
  readonly shown?: TargetRequest
}

/** What a service requires of every token request in addition to the contract, such as a `client_id`. */
export interface TokenRequestSettings {
  /** In place of `/Token`, which is what `4.1-path` asks for. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: Readonly<Record<string, string>>
  /** The same as it may be shown. */
  readonly shown?: Omit<TokenRequestSettings, 'shown'>
}

export interface Registration {
  readonly request: TargetRequest
  /** Statuses, or absent: any 2xx. */
  readonly accepted?: readonly number[]
  /** Statuses, or absent: any 4xx but 401, 403, 404, 405, 429. */
  readonly rejected?: readonly number[]
  /** By JSON pointer: what makes an answer with an accepted status a rejection. */
  readonly rejectedWhen?: Readonly<Record<string, Json>>
  readonly immediate: boolean
  /** What a new account logs in with. */
  readonly loginName: '$userName' | '$email'
  readonly emailDomain: string
  /** The same as it may be shown, where it came from the environment. */
  readonly shownEmailDomain?: string
  readonly cleanUp?: TargetRequest
  readonly policy: Policy
}

export interface ExternalLoginSettings {
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
  /** Where they were read from, as a copied command may name it. */
  readonly files?: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>
}

export interface StartCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly readyTimeoutMs: number
  /** The folder of the target file. */
  readonly cwd: string
}

/** A client of the service, as `token-assay client` takes one. */
export interface ClientCommand {
  readonly name: string
  readonly version?: string
  readonly command: readonly string[]
  /** The folder that it is run in. */
  readonly cwd: string
}

/** Which of the two services a deployment is. */
export type CutOverRole = 'old' | 'new'

/** A base URL, and the same as it may be shown. */
export interface ShownBaseUrl {
  readonly baseUrl: string
  readonly shownBaseUrl: string
}

/** What accepts tokens. */
export interface ProtectedResource {
  /** Absent: the only one. */
  readonly name?: string
  /** Its own, of each of its instances. Absent: it is part of the service. */
  readonly baseUrls?: readonly ShownBaseUrl[]
  /** With `$token`. */
  readonly request: TargetRequest
  /** A JSON pointer into a 2xx answer, whose value says whether the token is accepted. */
  readonly active?: string
  /** Of its own. */
  readonly restart?: StartCommand
}

/** How a token is renewed. */
export interface RefreshSettings {
  /** With `$refreshToken`. Absent: a token request with the grant type `refresh_token`. */
  readonly request?: TargetRequest
  /** A JSON pointer into the answer of a sign-in. */
  readonly pointer: string
  /** Seconds. */
  readonly lifetime?: number
}

/** Accounts that were migrated. */
export interface CohortSettings {
  /** Absolute. */
  readonly file: string
  /** As it is declared. */
  readonly shownFile: string
  /** The field with the user name. */
  readonly userName: string
  /** Of every account. */
  readonly password?: string
  /** What prints the password of each, one a line. */
  readonly passwords?: Omit<StartCommand, 'readyTimeoutMs'>
  /** Logins, at each service. */
  readonly perSecond: number
  /** At each service. */
  readonly maxFailedLogins: number
}

/** By its key, such as `old→new`. */
export type DeclaredExpectations = NonNullable<DeclaredTarget['expect']>

/** What a deployment declares of a token's later life. */
export interface RehearsalSettings {
  readonly role?: CutOverRole
  /** Beside the base URL of the deployment. */
  readonly instances: readonly ShownBaseUrl[]
  readonly resources: readonly ProtectedResource[]
  readonly restart?: StartCommand
  readonly refresh?: RefreshSettings
  /** With `$token`. */
  readonly revoke?: TargetRequest
  readonly cohort?: CohortSettings
  /** Of pages that use both services. */
  readonly origins: readonly string[]
  readonly expect: DeclaredExpectations
}

/** One service under one configuration, with every default filled in. */
export interface Deployment {
  readonly name: string
  /** No trailing slash; may have a path. */
  readonly baseUrl: string
  /** The same as it may be shown: with labels in place of what came from the environment. */
  readonly shownBaseUrl: string
  readonly accounts: readonly [Account, ...Account[]]
  /** Seconds. */
  readonly tokenLifetime: number
  readonly includesUserId: boolean
  readonly additionalGrantTypes: readonly string[]
  readonly tokenRequest?: TokenRequestSettings
  /** Seconds. */
  readonly clockSkew: number
  readonly timeoutMs: number
  readonly maxRequestsPerSecond?: number
  /** Absent: not declared. What that comes to depends on whether accounts can be registered (`session/budgets.ts`). */
  readonly maxFailedLogins?: number
  readonly headers: HeaderList
  /** The same as they may be shown: every value is a label. */
  readonly shownHeaders?: HeaderList
  readonly tls?: Tls
  readonly start?: StartCommand
  readonly clients?: readonly ClientCommand[]
  readonly registration?: Registration
  readonly externalLogin?: ExternalLoginSettings
  /** Absent where it declares nothing of it. */
  readonly rehearsal?: RehearsalSettings
  /** The runs of a forall case here, as a share of `--runs`; 1 unless the embedded run says less. */
  readonly runsShare: number
  /** Patterns over case ids. Only the embedded run has them: where no other case depends on what sets a deployment apart. */
  readonly cases?: readonly string[]
  /** What was declared, as it may be shown: every secret replaced. */
  readonly declared: Json
}

/** A value that must never be shown, and what to show instead. */
export interface Secret {
  readonly value: string
  readonly label: string
  /** Of one or two characters, as `0`: hiding it would hide ordinary text. */
  readonly isOrdinary?: true
}

export interface Target {
  readonly name: string
  readonly deployments: readonly [Deployment, ...Deployment[]]
  /** Passwords, credential headers, and every value that came from the environment. */
  readonly secrets: readonly Secret[]
  /** Its deployments set base URLs of their own, so that none can replace them all. */
  readonly ownBaseUrls?: true
}
