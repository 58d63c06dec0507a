import { longestLifetime } from '../options/check-options.js'
import { type AccountPolicy, listedPolicy } from '../policy.js'
import type { SettingsChange } from './control.js'
import { given } from './given.js'
import { readObject } from './read-object.js'

/** @throws ControlError `bad-request` */
export function readSettings(value: unknown): SettingsChange {
  const fields = readObject('the settings', value)
  const settings = given({
    tokenLifetime: fields.integer('tokenLifetime', 1, longestLifetime),
    includesUserId: fields.flag('includesUserId'),
    policy: policyOf(fields.json('policy')),
  })
  fields.done()
  return settings
}

function policyOf(value: unknown): Partial<AccountPolicy> | undefined {
  if (value === undefined) return undefined
  const fields = readObject('the policy', value)
  const entries = Object.keys(listedPolicy).flatMap((name) => {
    const setting = name === 'minimumLength' ? fields.integer(name, 1, 1024) : fields.flag(name)
    return setting === undefined ? [] : [[name, setting] as const]
  })
  fields.done()
  return Object.fromEntries(entries)
}
