import { assessTarget } from '../../../conformance/assess/assess-target.js'
import type { Target } from '../../../conformance/target/deployment.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Result } from '../../../spec/model/report.js'
import type { Specification } from '../../../spec/model/specification.js'
import { EDITED, readRequest, withEdited } from './edit-request.js'

interface EditedRequest {
  readonly target: Target
  /** The result whose case is sent again. */
  readonly result: Result | undefined
  readonly label: string
  readonly text: string
}

export interface EditedRequests {
  /** @throws AssayError */
  send(edit: EditedRequest): Promise<Result>
  /** Stops those that are on their way. */
  close(): Promise<unknown>
}

export function createEditedRequests(specification: Specification): EditedRequests {
  const closing = new AbortController()
  let sending: Promise<unknown> = Promise.resolve()
  return {
    send(edit) {
      const sent = send(edit, specification, closing.signal)
      sending = Promise.allSettled([sending, sent])
      return sent
    },
    close() {
      closing.abort()
      return sending
    },
  }
}

async function send(edit: EditedRequest, specification: Specification, signal: AbortSignal): Promise<Result> {
  const { target, result, label, text } = edit
  const testCase = specification.cases.find(({ id }) => id === result?.case)
  const deployment = target.deployments.find(({ name }) => name === result?.deployment)
  if (deployment === undefined || testCase === undefined)
    throw new AssayError('usage', 'This result no longer exists: run the suite again first.')
  const found = await assessTarget(target, {
    specification: withEdited(specification, testCase, label, readRequest(text, deployment)),
    only: [`${deployment.name}/${EDITED}`],
    deployments: [deployment.name],
    signal,
  })
  const own = found.results.find((one) => one.case === EDITED && one.deployment === deployment.name)
  if (own === undefined) throw new TypeError('the edited case was planned')
  return own
}
