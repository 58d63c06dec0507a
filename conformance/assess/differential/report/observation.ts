import type { Specification } from '../../../../spec/model/specification.js'
import { probeKey } from '../../../drivers/pair/probe.js'
import type { Witness } from '../compare/comparer.js'
import { isFailedLogin } from '../isolate/request-traits.js'

/** The observation by which a run shows a difference on which the specification is silent. */
export function observationOf(
  smallest: Witness,
  behind: readonly Witness[],
  { observations }: Pick<Specification, 'observations'>,
): string {
  const { about, step, differences } = smallest.discrepancy
  const steps = smallest.probe.testCase.steps
  const isRegistration = steps[step]?.register !== undefined
  if (about === 'headers') return '2.1/success-headers'
  if (about === 'status' || about === 'media type') return '2.1/success-status'
  if (about === 'value' && differences.some(({ at }) => at.startsWith('token '))) return '2.1/token-format'
  if (about === 'refusal' && isFailedLogin(smallest)) return '7/other-errors'
  const key = probeKey(smallest.probe)
  if (about === 'fate' || about === 'refusal') {
    const own = behind.flatMap(({ probe }) => {
      const [kind, id] = probe.id.split(' ')
      const found = observations.find((one) =>
        kind === 'observation' ? one.id === id : kind === 'case' && one.of === id,
      )
      return found === undefined ? [] : [{ id: found.id, isSmallest: probeKey(probe) === key }]
    })
    // The one that sends the same; for a refusal, one about errors.
    const best =
      own.find(({ isSmallest }) => isSmallest) ??
      own.find(({ id }) => about === 'refusal' && id.startsWith('7/')) ??
      own[0]
    if (best !== undefined) return best.id
  }
  if (isRegistration) return '7/several-messages'
  return about === 'fate' || about === 'refusal' ? '7/other-errors' : '2.1/extra-members'
}
