import { resolve } from 'node:path'
import type { Located } from '../../spec/position.js'
import type { Json } from '../../spec/types.js'
import type { Account, Deployment, ExternalLogin, Registration, TargetRequest } from '../deployment.js'
import { LISTED_POLICY } from '../policy.js'
import { readBaseUrl } from './base-url.js'
import { showDeclared } from './declared.js'
import type { RequestInput, TargetSettings } from './target-input.js'
import { readTls } from './tls.js'

/** 14 days, in seconds (8-R3). */
const listedLifetime = 1_209_600

/** The settings of one deployment: merged, valid by the schema and by `checkSettings`. */
export interface DeploymentSource {
  readonly name: string
  readonly settings: TargetSettings
  /** The same, with labels in place of what came from the environment. */
  readonly shown: Json
  readonly located: Located
  /** What paths are relative to. */
  readonly folder: string
}

/**
 * Fills in every default.
 * @throws AssayError where a TLS file cannot be read
 */
export function resolveDeployment({ name, settings, shown, located, folder }: DeploymentSource): Deployment {
  const { accounts, start, registration, externalLogin } = settings
  const base = readBaseUrl(settings.baseUrl ?? '')
  const [main, ...others] = accounts ?? []
  if ('problem' in base || main === undefined) throw new TypeError('settings that were not checked')
  return {
    name,
    baseUrl: base.baseUrl,
    accounts: [main, ...others] satisfies [Account, ...Account[]],
    tokenLifetime: settings.tokenLifetime ?? listedLifetime,
    includesUserId: settings.includesUserId ?? false,
    additionalGrantTypes: settings.additionalGrantTypes ?? [],
    clockSkew: settings.clockSkew ?? 60,
    timeoutMs: settings.timeoutMs ?? 10_000,
    ...(settings.maxRequestsPerSecond === undefined
      ? {}
      : { maxRequestsPerSecond: settings.maxRequestsPerSecond }),
    maxFailedLogins: settings.maxFailedLogins ?? 20,
    headers: Object.entries(settings.headers ?? {}),
    ...(settings.tls === undefined ? {} : { tls: readTls(settings.tls, folder, located) }),
    ...(start === undefined
      ? {}
      : {
          start: {
            command: start.command,
            env: start.env ?? {},
            readyTimeoutMs: start.readyTimeoutMs ?? 30_000,
            cwd: resolve(folder),
          },
        }),
    ...(registration === undefined ? {} : { registration: toRegistration(registration) }),
    ...(externalLogin === undefined ? {} : { externalLogin: toExternalLogin(externalLogin) }),
    runsShare: 1,
    declared: showDeclared(shown),
  }
}

function toRegistration(input: NonNullable<TargetSettings['registration']>): Registration {
  const { request, cleanUp, immediate = true, emailDomain = 'example.com', policy, ...statuses } = input
  return {
    ...statuses,
    request: toRequest(request),
    ...(cleanUp === undefined ? {} : { cleanUp: toRequest(cleanUp) }),
    immediate,
    emailDomain,
    policy: { ...LISTED_POLICY, ...policy },
  }
}

function toExternalLogin(input: NonNullable<TargetSettings['externalLogin']>): ExternalLogin {
  const { prepare, request, account, withoutCallback } = input
  return {
    ...(prepare === undefined ? {} : { prepare: { ...prepare, request: toRequest(prepare.request) } }),
    request: toRequest(request),
    account,
    ...(withoutCallback === undefined ? {} : { withoutCallback: toRequest(withoutCallback) }),
  }
}

function toRequest(
  input: RequestInput | (Omit<RequestInput, 'path'> & { readonly url: string }),
): TargetRequest {
  return { ...input, method: input.method ?? 'POST' }
}
