import { dirname } from 'node:path'
import { type Located, pointerSegments, pointerTo } from '../../spec/position.js'
import type { Json } from '../../spec/types.js'
import type { Secret } from './environment.js'
import { isMap, mergePatch } from './merge-patch.js'
import type { DeploymentSource } from './resolve-deployment.js'
import type { TargetSettings } from './target-input.js'

/** Where a target comes from; all of it absent for a plain object of a program. */
export interface TargetOrigin {
  readonly file?: string
  readonly positions?: Located
  /** The input with labels in place of what came from the environment. */
  readonly shown?: Json
  readonly secrets?: readonly Secret[]
}

/** The settings of each deployment: its patch merged over what stands at the top. */
export function deploymentSources(
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
    // Held to the schema by the caller before anything reads it.
    settings: mergePatch(base, patch) as TargetSettings,
    shown: mergePatch(shownBase, isMap(shownDeployments) ? (shownDeployments[name] ?? patch) : patch),
    located:
      json.deployments === undefined ? located : within(pointerTo('/deployments', name), patch, located),
    folder,
  }))
}

const oneDeployment: { readonly [name: string]: Json } = { default: {} }

/** Places in merged settings: in the patch where it says something, else above. */
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
