import { checkPolicy } from '../options/check-options.js'
import type { ChangeableSettings, Settings } from '../service.js'
import type { SettingsChange } from './control.js'
import { readSettings } from './read-settings.js'

/** The settings of a store, which a test may change. */
export interface StoreSettings {
  get(): ChangeableSettings
  change(change: SettingsChange): ChangeableSettings
}

export interface ResettableSettings extends StoreSettings {
  /** All of them, as they are now. */
  current(): Settings
  reset(): void
}

export function createSettings(initial: Settings): ResettableSettings {
  let current = initial
  const get = (): ChangeableSettings => {
    const { tokenLifetime, includesUserId, policy } = current
    return { tokenLifetime, includesUserId, policy }
  }
  return {
    get,
    change(given) {
      const { policy = {}, ...change } = readSettings(given)
      current = { ...current, ...change, policy: checkPolicy({ ...current.policy, ...policy }) }
      return get()
    },
    current: () => current,
    reset() {
      current = initial
    },
  }
}
