import { readControlInput } from '../input/read-control-input.js'
import type { AccountPolicy } from '../policy.js'

/** What may be changed while a server runs. */
export interface ChangeableSettings {
  /** Seconds. */
  readonly tokenLifetime: number
  readonly includesUserId: boolean
  readonly policy: AccountPolicy
}

/** What the routes need to know of the configuration. */
export interface Settings extends ChangeableSettings {
  /** No trailing slash. */
  readonly basePath: string
}

/** What is to be changed; what is left out stays. */
export type SettingsChange = Partial<Omit<ChangeableSettings, 'policy'>> & {
  readonly policy?: Partial<AccountPolicy>
}

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

/** @param initial what a reset goes back to */
export function createSettings(initial: () => Settings): ResettableSettings {
  let current = initial()
  const get = (): ChangeableSettings => {
    const { tokenLifetime, includesUserId, policy } = current
    return { tokenLifetime, includesUserId, policy }
  }
  return {
    get,
    change(asked) {
      const { policy = {}, ...change } = readControlInput<SettingsChange>('settings', asked)
      current = { ...current, ...change, policy: { ...current.policy, ...policy } }
      return get()
    },
    current: () => current,
    reset() {
      current = initial()
    },
  }
}
