import type { ProvingGround } from '../../reference/mutants/mutant.js'
import type { Policy } from '../../spec/types.js'
import { embeddedDeployments, type Settings } from '../embedded-deployments.js'

/** Section 8 the other way round: every switch turned, and another minimum length. */
const OTHER_POLICY: Policy = {
  minimumLength: 10,
  requireNonLetterOrDigit: false,
  requireDigit: false,
  requireLowercase: false,
  requireUppercase: false,
  alphanumericUserNamesOnly: true,
  uniqueEmail: false,
}

/** The settings of a ground, as one deployment of the embedded run at full depth. */
export function settingsOf(ground: ProvingGround): Settings {
  const deployments = embeddedDeployments()
  const listed = deployments.get('default')
  const own =
    ground === 'other-policy' ? listed && { ...listed, policy: OTHER_POLICY } : deployments.get(ground)
  if (own === undefined) throw new TypeError(`the embedded run has no deployment ${ground}`)
  return { ...own, runsShare: 1 }
}

/** The servers that it takes to prove something there; the one that is assessed has the ground's name. */
export function serversOf(ground: ProvingGround): ReadonlyMap<string, Settings> {
  const own: [string, Settings] = [ground, settingsOf(ground)]
  // 2.1-R3 compares with the same service without `userId`, which then stands beside it and is not assessed itself.
  return new Map(ground === 'with-user-id' ? [['default', settingsOf('default')], own] : [own])
}
