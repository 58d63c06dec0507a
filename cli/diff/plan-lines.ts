import type { PairProbe } from '../../conformance/drivers/pair/probe.js'
import { DEFAULT_MAX } from '../../conformance/drivers/send/session/budgets.js'
import type { Deployment } from '../../conformance/target/deployment.js'
import { cleanUpPhrase } from '../../reports/formats/shared/load-sentence.js'
import { count } from '../../reports/formats/shared/phrase.js'

type PlannedService = Pick<Deployment, 'shownBaseUrl' | 'registration' | 'maxFailedLogins'>

/** What the user should know before the first request: how much is sent, what stays, and what a declaration would add. */
export function planLines(
  old: PlannedService,
  now: PlannedService,
  probes: readonly PairProbe[],
): readonly string[] {
  const sends = `compares ${count(probes.length, 'request')}: each goes twice to ${old.shownBaseUrl} and once to ${now.shownBaseUrl}, more often where they differ`
  const { registration } = now
  const registers =
    registration === undefined ? '' : `; registers accounts at both: ${cleanUpPhrase(registration)}`
  const mayFail = probes.filter((probe) => probe.mayFail).length
  const budget = Math.min(...[old, now].map(({ maxFailedLogins = DEFAULT_MAX }) => maxFailedLogins))
  const takesAll = [old, now].every((service) => service.registration?.immediate === true)
  // Half of the allowed ones are kept to confirm what is found.
  if (takesAll || budget >= 2 * mayFail) return [sends + registers]
  return [
    sends + registers,
    `only ${count(budget, 'login')} may fail, and ${count(mayFail, 'request')} may be failed logins: to compare them all, declare \`registration\` in a target file, so that new accounts take them, or a larger \`maxFailedLogins\``,
  ]
}
