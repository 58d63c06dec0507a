import type { Case } from '../../spec/types.js'
import type { Sent } from '../session/session.js'
import type { Attempt } from './attempt.js'

/** The request that the first failure of an attempt is about; the last one, where that has no name of its own. */
export function failingRequest(subject: Case, { sent, judgements }: Attempt): Sent | undefined {
  const labels = subject.steps.flatMap(({ name, expect = [] }) => expect.map(({ of }) => of ?? name))
  const label = labels[judgements.findIndex(({ outcome }) => outcome === 'failed')]
  return sent.findLast((request) => request.label === label) ?? sent.at(-1)
}
