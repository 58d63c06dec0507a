import type { AccountPolicy } from '../../reference/policy.js'
import type { SeedAccount } from '../../reference/seed-account.js'
import type { ReferenceServerOptions } from '../../reference/server.js'

/** `server.yaml`, as `spec/schemas/server-config.schema.json` has it. */
export interface ServerConfig
  extends Pick<
    ReferenceServerOptions,
    | 'tokenLifetime'
    | 'includesUserId'
    | 'providers'
    | 'providerTimeoutMs'
    | 'hashing'
    | 'host'
    | 'port'
    | 'basePath'
    | 'bodyLimitBytes'
    | 'requestTimeoutMs'
    | 'headersTimeoutMs'
    | 'graceMs'
    | 'limits'
  > {
  readonly accounts?: readonly SeedAccount[]
  readonly policy?: Partial<AccountPolicy>
  readonly tls?: 'self-signed' | { readonly cert: string; readonly key: string }
  readonly cors?: '*' | readonly string[]
  readonly log?: { readonly level?: LogLevel; readonly format?: LogFormat }
  readonly control?: {
    readonly port?: number
    readonly host?: string
    readonly secret?: string
    readonly remote?: boolean
  }
}

export type LogLevel = 'info' | 'warn' | 'error' | 'silent'
export type LogFormat = 'json' | 'text'
