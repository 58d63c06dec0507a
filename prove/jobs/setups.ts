import { type EmbeddedSettings, embeddedDeployments } from '../../reference/embedded/embedded-deployments.js'
import type { Policy } from '../../spec/model/policy.js'
import type { MutantSetup } from '../mutants/mutant.js'

/** Every switch of section 8 turned round, and another minimum length. */
export const OTHER_POLICY: Policy = {
  minimumLength: 10,
  requireNonLetterOrDigit: false,
  requireDigit: false,
  requireLowercase: false,
  requireUppercase: false,
  alphanumericUserNamesOnly: true,
  uniqueEmail: false,
}

/** The settings of a deployment of the embedded run, with all cases and all runs of each. */
export function settingsOf(setup: MutantSetup): EmbeddedSettings {
  const deployments = embeddedDeployments()
  const listed = deployments.get('default')
  const own =
    setup === 'other-policy' ? listed && { ...listed, policy: OTHER_POLICY } : deployments.get(setup)
  if (own === undefined) throw new TypeError(`the embedded run has no deployment ${setup}`)
  const { cases: _, ...settings } = own
  return { ...settings, runsShare: 1 }
}

/** The servers to start, by deployment: the one that is assessed has the setup's name. */
export function serversOf(setup: MutantSetup): ReadonlyMap<string, EmbeddedSettings> {
  const own: [string, EmbeddedSettings] = [setup, settingsOf(setup)]
  // 2.1-R3 compares with the same service without `userId`: a second deployment, which is not assessed itself.
  return new Map(setup === 'with-user-id' ? [['default', settingsOf('default')], own] : [own])
}
