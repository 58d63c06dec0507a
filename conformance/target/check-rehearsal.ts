import { type Finding, finding, type Located } from '../../spec/load/position.js'
import { pointerTo } from '../../spec/model/json.js'
import { checkRequest, readBaseUrl } from './check-target.js'
import { resourcesOf } from './resolve-rehearsal.js'
import type { TargetSettings } from './target-input.js'

/** What the schema cannot say of the settings for `rehearse`. */
export function* checkRehearsal(settings: TargetSettings, located: Located): Generator<Finding> {
  yield* checkBaseUrls(settings.instances, '/instances', located)
  const { refresh: { request: renewal } = {}, revoke } = settings
  if (renewal !== undefined) yield* checkRequest(renewal, '/refresh/request', ['refreshToken'], located)
  if (revoke !== undefined) yield* checkRequest(revoke, '/revoke', ['token'], located)
  for (const [name, resource] of resourcesOf(settings.resource)) {
    const pointer = name === undefined ? '/resource' : pointerTo('/resource', name)
    const { baseUrl, instances, active: _, restart, ...request } = resource
    yield* checkRequest(request, pointer, ['token'], located)
    yield* checkBaseUrl(baseUrl, `${pointer}/baseUrl`, located)
    yield* checkBaseUrls(instances, `${pointer}/instances`, located)
    if (restart !== undefined && baseUrl === undefined)
      yield finding(
        located.keyAt(`${pointer}/restart`),
        'expected `baseUrl` beside `restart`; without it, the resource is restarted with its service',
      )
    if (instances !== undefined && baseUrl === undefined)
      yield finding(
        located.keyAt(`${pointer}/instances`),
        'expected `baseUrl` beside `instances`; without both, the instances are those of the service',
      )
  }
}

function* checkBaseUrls(urls: readonly string[] = [], pointer: string, located: Located): Generator<Finding> {
  for (const [index, url] of urls.entries()) yield* checkBaseUrl(url, pointerTo(pointer, index), located)
}

function* checkBaseUrl(url: string | undefined, pointer: string, located: Located): Generator<Finding> {
  const read = url === undefined ? undefined : readBaseUrl(url)
  if (read !== undefined && 'problem' in read) yield finding(located.at(pointer), read.problem)
}
