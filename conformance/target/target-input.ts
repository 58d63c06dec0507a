import type { Target } from '../../spec/generated/types/target.js'
import type { Json } from '../../spec/model/json.js'

export type {
  OutsideRequest,
  Request as RequestInput,
  ResourceRequest as ResourceInput,
  Restart as RestartInput,
} from '../../spec/generated/types/target.js'

/** Everything that a deployment can set, in the shape of the target file; absent keys have their documented defaults. */
export interface TargetSettings extends Omit<Target, 'name' | 'deployments'> {}

/** An RFC 7396 merge patch: `null` takes a key away. */
export type SettingsPatch = { readonly [Key in keyof TargetSettings]?: TargetSettings[Key] | Json }

/** What the target file holds, as a plain object. Strings are taken as they are: `${NAME}` is read in files only. */
export interface TargetInput extends Omit<Target, 'deployments'> {
  readonly deployments?: Readonly<Record<string, SettingsPatch>>
}
