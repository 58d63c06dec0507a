import type { Specification } from '../spec/model/specification.js'
import type { Group } from './groups.js'
import { keyOf } from './probe.js'

/** What a run observes of a difference of which the specification says nothing. */
export function observationOf(
  { smallest, behind }: Group,
  { observations }: Pick<Specification, 'observations'>,
): string | undefined {
  const { about, step } = smallest.part
  const steps = smallest.probe.testCase.steps
  const isRegistration = steps[step]?.register !== undefined
  if (about === 'headers') return '2.1/success-headers'
  if (about === 'status' || about === 'media type') return '2.1/success-status'
  if (about === 'value' && smallest.part.signature.includes('token ')) return '2.1/token-format'
  const key = keyOf(smallest.probe)
  const sources = [...behind].sort((a, b) => Number(keyOf(b.probe) === key) - Number(keyOf(a.probe) === key))
  if (about === 'fate' || about === 'refusal')
    for (const { probe } of sources) {
      const [kind, id] = probe.id.split(' ')
      const own = observations.find((one) => (kind === 'observation' ? one.id === id : kind === 'case' && one.of === id))
      if (own !== undefined) return own.id
    }
  if (isRegistration) return '7/several-messages'
  return about === 'fate' || about === 'refusal' ? '7/other-errors' : '2.1/extra-members'
}
