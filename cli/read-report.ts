import { readFileSync, statSync } from 'node:fs'
import { isNdjson, readNdjson } from '../reports/read-ndjson.js'
import { reconcile } from '../reports/reconcile.js'
import { AssayError } from '../spec/assay-error.js'
import { report as validReport } from '../spec/generated/validators/report.js'
import { jsonErrorOffset } from '../spec/json-error-offset.js'
import { formatFindings, type Located } from '../spec/position.js'
import type { Report } from '../spec/types.js'
import { violations } from '../spec/validator.js'

const MIB = 2 ** 20
/** Far beyond any run, and still one string. */
const LARGEST_MIB = 256
/** Finding the fault reads the text many times over: beyond this, only that there is one is told. */
const LARGEST_TO_SEARCH = 4 * MIB
const MOST_PROBLEMS = 5

/**
 * Reads a saved `report.json`, or one that was streamed as `ndjson`, and believes nothing of it: it is held to the schema, and then to itself.
 * @throws AssayError `missing-file`, `malformed-file` (no JSON, or cut short), `bad-report`
 */
export function readReport(file: string): Report {
  const text = readText(file)
  const value = isNdjson(text) ? joinLines(file, text) : parse(file, text)
  if (!isReport(value)) {
    // Nobody writes a report by hand: a JSON pointer says more than line and column.
    const place = (pointer: string) => ({ file: `${file}: ${pointer || '/'}`, line: 0, column: 0 })
    const located: Located = { at: place, keyAt: place }
    throw new AssayError('bad-report', formatFindings(violations(validReport, value, located)))
  }
  const problems = reconcile(value)
  if (problems.length > 0) {
    const shown = problems.slice(0, MOST_PROBLEMS).join('; ')
    const more = problems.length > MOST_PROBLEMS ? `; and ${problems.length - MOST_PROBLEMS} more` : ''
    throw new AssayError('bad-report', `${file}: the report contradicts itself: ${shown}${more}`)
  }
  return value
}

const isReport = (value: unknown): value is Report => validReport(value)

function readText(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false })
  if (!status?.isFile())
    throw new AssayError('missing-file', `${file}: expected a report, such as a run writes, found no file`)
  if (status.size > LARGEST_MIB * MIB) {
    const found = Math.ceil(status.size / MIB)
    throw new AssayError('bad-report', `${file}: expected at most ${LARGEST_MIB} MiB, found ${found} MiB`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    throw new AssayError('malformed-file', `${file}: expected text in UTF-8 that can be read`, { cause })
  }
}

function joinLines(file: string, text: string): unknown {
  const reading = readNdjson(text)
  if ('report' in reading) return reading.report
  throw new AssayError('malformed-file', `${file}:${reading.line}: ${reading.problem}`)
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AssayError('malformed-file', jsonProblem(file, text), { cause })
  }
}

function jsonProblem(file: string, text: string): string {
  const offset = text.length > LARGEST_TO_SEARCH ? undefined : jsonErrorOffset(text)
  if (offset === undefined) return `${file}: expected a report as JSON, found another form or half of one`
  if (offset >= text.trimEnd().length)
    return `${file}: the report breaks off: it was cut short, or its run was killed while it wrote`
  const before = text.slice(0, offset).split('\n')
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: expected a report as JSON`
}
