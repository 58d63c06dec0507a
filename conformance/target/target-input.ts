import type { Json } from '../../spec/types.js'
import type { Account, Policy } from '../deployment.js'

/** A request of the target's own. Strings may hold `$names`; `$$` is a literal `$`. */
export interface RequestInput {
  /** Default `POST`. */
  readonly method?: string
  /** Appended to the base URL; begins with `/`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** At most one of `json` and `form`. */
  readonly json?: Json
  readonly form?: Readonly<Record<string, string>>
}

/** Everything that a deployment can set, in the shape of the target file; absent keys have their documented defaults. */
export interface TargetSettings {
  /** http or https; may have a path. No userinfo, query or fragment. */
  readonly baseUrl?: string
  /** The first is the main one. */
  readonly accounts?: readonly Account[]
  /** Seconds. Default 1209600, 14 days. */
  readonly tokenLifetime?: number
  /** Default false. */
  readonly includesUserId?: boolean
  readonly additionalGrantTypes?: readonly string[]
  /** Seconds. Default 60. */
  readonly clockSkew?: number
  /** Default 10000. */
  readonly timeoutMs?: number
  readonly maxRequestsPerSecond?: number
  /** Default 20. */
  readonly maxFailedLogins?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Paths of PEM files, relative to the target file (or to the working directory). */
  readonly tls?: {
    readonly ca?: string
    readonly cert?: string
    readonly key?: string
    readonly rejectUnauthorized?: boolean
  }
  readonly start?: {
    readonly command: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly readyTimeoutMs?: number
  }
  readonly registration?: {
    readonly request: RequestInput
    readonly accepted?: readonly number[]
    readonly rejected?: readonly number[]
    readonly immediate?: boolean
    readonly emailDomain?: string
    readonly cleanUp?: RequestInput
    readonly policy?: Partial<Policy>
  }
  readonly externalLogin?: {
    readonly prepare?: {
      readonly request: RequestInput | (Omit<RequestInput, 'path'> & { readonly url: string })
      readonly capture: Readonly<Record<string, string>>
    }
    readonly request: RequestInput
    readonly account: string
    readonly withoutCallback?: RequestInput
  }
}

/** An RFC 7396 merge patch: `null` takes a key away. */
export type SettingsPatch = { readonly [Key in keyof TargetSettings]?: TargetSettings[Key] | Json }

/** What the target file holds, as a plain object. Strings are taken as they are: `${NAME}` is read in files only. */
export interface TargetInput extends TargetSettings {
  readonly name?: string
  readonly deployments?: Readonly<Record<string, SettingsPatch>>
}
