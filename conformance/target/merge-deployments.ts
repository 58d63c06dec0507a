import { dirname } from 'node:path'
import type { Located } from '../../spec/load/position.js'
import { isMap, type Json, pointerSegments, pointerTo } from '../../spec/model/json.js'
import type { Secret } from './deployment.js'
import type { TargetSettings } from './target-input.js'

/** Where a target comes from; all of it absent for a plain object of a program. */
export interface TargetOrigin {
  readonly file?: string
  readonly positions?: Located
  /** The input with labels in place of what came from the environment. */
  readonly shown?: Json
  readonly secrets?: readonly Secret[]
}

/** The merged settings of one deployment. */
export interface DeploymentSource {
  readonly name: string
  readonly settings: TargetSettings
  /** The same, with labels in place of what came from the environment. */
  readonly shown: Json
  readonly located: Located
  /** What paths are relative to. */
  readonly folder: string
}

/** The settings of each deployment: its patch merged over the keys at the top. */
export function mergeDeployments(
  json: { readonly [name: string]: Json },
  origin: TargetOrigin,
  located: Located,
): readonly DeploymentSource[] {
  const { name: _name, deployments = oneDeployment, ...base } = json
  const shown = isMap(origin.shown) ? origin.shown : json
  const { name: _shownName, deployments: shownDeployments = deployments, ...shownBase } = shown
  const folder = origin.file === undefined ? '.' : dirname(origin.file)
  return Object.entries(isMap(deployments) ? deployments : {}).map(([name, patch]) => ({
    name,
    // The caller validates it against the schema before anything reads it.
    settings: mergePatch(base, patch) as TargetSettings,
    shown: mergePatch(shownBase, isMap(shownDeployments) ? (shownDeployments[name] ?? patch) : patch),
    located:
      json.deployments === undefined ? located : within(pointerTo('/deployments', name), patch, located),
    folder,
  }))
}

const oneDeployment: { readonly [name: string]: Json } = { default: {} }

/** Places in merged settings: in the patch if it has the value, else at the top. */
function within(parent: string, patch: Json, located: Located): Located {
  const place = (pointer: string): string => (has(patch, pointer) ? parent + pointer : pointer)
  return { at: (pointer) => located.at(place(pointer)), keyAt: (pointer) => located.keyAt(place(pointer)) }
}

function has(value: Json, pointer: string): boolean {
  let part: Json | undefined = value
  for (const segment of pointerSegments(pointer)) {
    if (typeof part !== 'object' || part === null) return false
    part = new Map<string, Json>(Object.entries(part)).get(segment)
  }
  return part !== undefined
}

/** RFC 7396: maps are merged key by key, `null` takes a key away, everything else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isMap(patch)) return patch
  const merged = new Map(Object.entries(isMap(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}
