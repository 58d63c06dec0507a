import { resolve } from 'node:path'
import { isMap, type Json } from '../../spec/model/json.js'
import { readBaseUrl } from './check-target.js'
import type {
  CohortSettings,
  ProtectedResource,
  RefreshSettings,
  RehearsalSettings,
  ShownBaseUrl,
} from './deployment.js'
import type { DeploymentSource } from './merge-deployments.js'
import { startCommand } from './start-command.js'
import type { ResourceInput, TargetSettings } from './target-input.js'
import { memberAt, textAt, toRequest } from './target-request.js'

/**
 * Undefined where nothing of it is declared.
 * @param source whose settings are valid
 * @param shown the settings as they may be shown
 */
export function toRehearsal(
  { name, settings, shown: labels, folder }: DeploymentSource,
  shown: Json,
): RehearsalSettings | undefined {
  const { instances, resource, restart, refresh, revoke, origins = [], cohort, expect = {} } = settings
  const role = settings.role ?? (name === 'old' || name === 'new' ? name : undefined)
  if (resource === undefined && role === undefined) return undefined
  const resources = resourcesOf(resource).map(([key, one]): ProtectedResource => {
    const own = (json: Json | undefined): Json | undefined => {
      const all = memberAt(json, 'resource')
      return key === undefined ? all : memberAt(all, key)
    }
    return toResource(key, one, { labels: own(labels), shown: own(shown), folder })
  })
  return {
    ...(role === undefined ? {} : { role }),
    instances: baseUrlsOf(instances, memberAt(labels, 'instances')),
    resources,
    ...(restart === undefined ? {} : { restart: startCommand(restart, folder) }),
    ...(refresh === undefined ? {} : { refresh: toRefresh(refresh, memberAt(shown, 'refresh')) }),
    ...(revoke === undefined ? {} : { revoke: toRequest(revoke, memberAt(shown, 'revoke')) }),
    ...(cohort === undefined ? {} : { cohort: toCohort(cohort, labels, folder) }),
    origins,
    expect,
  }
}

/** Each with its name; the only one may have none. */
export function resourcesOf(
  resource: TargetSettings['resource'] = {},
): readonly (readonly [name: string | undefined, request: ResourceInput])[] {
  return isResource(resource) ? [[undefined, resource]] : Object.entries(resource)
}

function isResource(resource: NonNullable<TargetSettings['resource']>): resource is ResourceInput {
  return typeof resource.path === 'string'
}

interface ShownResource {
  /** With labels in place of what came from the environment. */
  readonly labels: Json | undefined
  /** As it may be shown. */
  readonly shown: Json | undefined
  readonly folder: string
}

function toCohort(
  { passwords, file, ...given }: NonNullable<TargetSettings['cohort']>,
  labels: Json,
  folder: string,
): CohortSettings {
  return {
    userName: 'userName',
    perSecond: 10,
    maxFailedLogins: 20,
    ...given,
    file: resolve(folder, file),
    shownFile: textAt(memberAt(labels, 'cohort'), 'file', file) ?? file,
    ...(passwords === undefined ? {} : { passwords: { env: {}, ...passwords, cwd: resolve(folder) } }),
  }
}

function toRefresh(
  { request, capture = '/refresh_token', lifetime }: NonNullable<TargetSettings['refresh']>,
  shown: Json | undefined,
): RefreshSettings {
  return {
    ...(request === undefined ? {} : { request: toRequest(request, memberAt(shown, 'request')) }),
    pointer: capture,
    ...(lifetime === undefined ? {} : { lifetime }),
  }
}

function toResource(
  name: string | undefined,
  { baseUrl, instances, active, restart, ...input }: ResourceInput,
  { labels, shown, folder }: ShownResource,
): ProtectedResource {
  const request = toRequest(withToken({ method: 'GET', ...input }), shownRequest(shown))
  const own = baseUrl === undefined ? [] : [baseUrl, ...(instances ?? [])]
  const shownUrls = [memberAt(labels, 'baseUrl') ?? null, ...listAt(labels, 'instances')]
  return {
    ...(name === undefined ? {} : { name }),
    ...(own.length === 0 ? {} : { baseUrls: baseUrlsOf(own, shownUrls) }),
    request,
    ...(active === undefined ? {} : { active }),
    ...(restart === undefined ? {} : { restart: startCommand(restart, folder) }),
  }
}

/** The usual way to present a token (RFC 6750, section 2.1), where the request shows no other. */
function withToken<T extends Pick<ResourceInput, 'headers'>>(request: T): T {
  if (JSON.stringify(request).includes('$token')) return request
  return { ...request, headers: { ...request.headers, Authorization: 'Bearer $token' } }
}

function shownRequest(shown: Json | undefined): Json | undefined {
  if (!isMap(shown)) return shown
  const { baseUrl: _, instances: __, active: ___, restart: ____, ...request } = shown
  // The labels are those of the same request.
  return withToken({ method: 'GET', ...request } as { readonly headers?: Readonly<Record<string, string>> })
}

function baseUrlsOf(urls: readonly string[] = [], labels: Json | undefined): readonly ShownBaseUrl[] {
  return urls.map((url, index) => {
    const read = readBaseUrl(url)
    if ('problem' in read) throw new TypeError('settings that were not checked')
    const shown = Array.isArray(labels) ? textAt({ url: labels[index] ?? null }, 'url', url) : undefined
    return { baseUrl: read.baseUrl, shownBaseUrl: shown?.replace(/\/$/, '') ?? read.baseUrl }
  })
}

function listAt(json: Json | undefined, name: string): readonly Json[] {
  const list = memberAt(json, name)
  return Array.isArray(list) ? list : []
}
