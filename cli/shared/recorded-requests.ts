import { vocabularyWith } from '../../conformance/evidence/describe.js'
import { Redactor } from '../../conformance/evidence/redact.js'
import { type Recording, withRecorded } from '../../conformance/plan/recorded/with-recorded.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { count, firstFew } from '../../reports/formats/shared/phrase.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import type { Specification } from '../../spec/model/specification.js'

/** An hour of a browser, with the bodies of its answers. */
const HAR_LIMIT = { kib: 64 * 1024, code: 'malformed-file' } as const
const MAX_NAMED = 5

/** The requests of a recording, what of them must never be shown, and what the user should know. */
export interface RecordedRequests extends Pick<Recording, 'specification'> {
  /** The same target, with the secrets of the recording among those that are never shown. */
  readonly withSecrets: <T extends Target>(target: T) => T
  readonly notes: readonly string[]
  /** Of requests that are not sent, and so not judged. */
  readonly warnings: readonly string[]
}

/** @throws AssayError where the file is no HAR file, or has no token request that can be sent */
export function recordedRequests(
  specification: Specification,
  file: string,
  deployments: readonly [Deployment, ...Deployment[]],
): RecordedRequests {
  const recording = withRecorded(
    specification,
    file,
    readTextFile(file, 'a HAR file', HAR_LIMIT),
    deployments,
  )
  const { secrets } = recording
  const redactor = new Redactor(secrets, vocabularyWith(deployments, specification))
  const shown = (note: string): string => `${file}: ${redactor.text(note)}`
  return {
    specification: recording.specification,
    withSecrets: (target) => ({ ...target, secrets: [...target.secrets, ...secrets] }),
    notes: notesOf(recording).map(shown),
    warnings: warningsOf(recording).map(shown),
  }
}

function notesOf({ requests, distinct, dropped, changed }: Recording): readonly string[] {
  const ids = distinct === 1 ? 'har:request/1' : `har:request/1 to har:request/${distinct}`
  const sent = `${count(requests, 'token request')}${requests === distinct ? '' : `, ${distinct} of them distinct`}`
  return [
    `${sent}: ${ids}`,
    ...(dropped.length === 0
      ? []
      : [`not sent, because the values are secret or not recorded: ${firstFew(dropped, MAX_NAMED)}`]),
    ...(changed.length === 0
      ? []
      : [`made up, because the recorded values may be secret: ${firstFew(changed, MAX_NAMED)}`]),
  ]
}

function warningsOf({ leftOut }: Recording): readonly string[] {
  return [...leftOut].map(
    ([why, entries]) =>
      `left out: ${entries.length === 1 ? 'entry' : 'entries'} ${firstFew(entries.map(String), MAX_NAMED)}: ${why}`,
  )
}
