import { dayOf } from '../../../../reports/model/known-failures/baseline.js'
import type { Accepted } from '../../../../spec/generated/types/accepted.js'
import type { Differential, Finding } from '../../../../spec/generated/types/differential.js'
import { accepted as validAccepted } from '../../../../spec/generated/validators/accepted.js'
import { formatFinding, formatFindings } from '../../../../spec/load/position.js'
import { readPositioned } from '../../../../spec/load/positioned.js'
import { violations } from '../../../../spec/load/validator.js'
import { AssayError } from '../../../../spec/model/assay-error.js'

/** Differences that are agreed on, as they are written in their file. */
export interface AcceptedFile {
  readonly file: string
  readonly entries: Accepted['accepted']
  /** An entry with its place in the file before what is wrong with it. */
  readonly say: (index: number, message: string) => string
}

const BOUNDS = { maxValues: 100_000 }

/** @throws AssayError with file:line:column: `malformed-file`, `bad-accepted` */
export function parseAccepted(file: string, text: string): AcceptedFile {
  const document = readPositioned(file, text, BOUNDS)
  const value: unknown = document.value
  if (!isAccepted(value))
    throw new AssayError('bad-accepted', formatFindings(violations(validAccepted, value, document)))
  return {
    file,
    entries: value.accepted,
    say: (index, message) => formatFinding({ position: document.at(`/accepted/${index}`), message }),
  }
}

const isAccepted = (value: unknown): value is Accepted => validAccepted(value)

/**
 * The report with its accepted differences, and the entries that do not say what is so any more: the rules of a baseline.
 * What could not be decided says nothing of an entry. Pure.
 */
export function applyAccepted(
  report: Differential,
  { file, entries, say }: AcceptedFile,
  now: Date,
): Differential {
  const today = dayOf(now)
  const entryOf = ({ id }: Finding) =>
    entries.find(({ difference, until }) => difference === id && until >= today)
  const findings = report.findings.map((finding): Finding => {
    const entry = entryOf(finding)
    if (entry === undefined) return finding
    const { reason, owner, until } = entry
    return { ...finding, accepted: { reason, owner, until } }
  })
  const isWhole = report.inconclusive.length + report.flaky.length === 0
  const stale = entries.flatMap(({ difference, until }, index) => {
    const isThere = report.findings.some(({ id }) => id === difference)
    if (entries.findIndex((other) => other.difference === difference) !== index)
      return say(index, `${difference} is there twice: remove one`)
    if (!isThere) return isWhole ? say(index, `${difference} does not differ any more: remove the entry`) : []
    return until < today
      ? say(index, `${difference} was accepted until ${until}: mend it, or agree on another date`)
      : []
  })
  return { ...report, ...verdictOf({ ...report, findings }, stale), findings, accepted: { file, stale } }
}

function verdictOf(
  { findings, inconclusive, flaky }: Differential,
  stale: readonly string[],
): Pick<Differential, 'verdict'> {
  if (stale.length > 0 || findings.some(({ accepted }) => accepted === undefined))
    return { verdict: 'different' }
  return { verdict: inconclusive.length + flaky.length > 0 ? 'inconclusive' : 'same' }
}
