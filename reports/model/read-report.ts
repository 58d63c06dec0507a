import { report as validReport } from '../../spec/generated/validators/report.js'
import { formatFindings, type Located } from '../../spec/load/position.js'
import { jsonErrorOffset } from '../../spec/load/positioned-json.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { refuseLargeJson } from '../../spec/load/text-bounds.js'
import { violations } from '../../spec/load/validator.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import { isNdjson, readNdjson } from '../formats/ndjson/read-ndjson.js'
import { reconcile } from './reconcile.js'
import { upgradeReport } from './upgrade-report.js'

/** Far larger than any report, and still one string. */
const MAX_KIB = 256 * 1024
/** As many as some hundred thousand results have. */
const BOUNDS = { maxValues: 5_000_000 }
/** Characters. The search for the error reads the text many times: in longer texts its position is not reported. */
const MAX_TO_SEARCH = 4 * 2 ** 20
const MAX_PROBLEMS = 5

/**
 * Reads a saved `report.json`, or a report streamed as `ndjson`. It must match the schema, and its parts each other.
 * @throws AssayError `missing-file`, `malformed-file` (not JSON, or incomplete), `bad-report`
 */
export function readReport(file: string): Report {
  const text = readTextFile(file, 'a report, such as the report.json of a run', {
    kib: MAX_KIB,
    code: 'bad-report',
  })
  refuseLargeJson(file, text, BOUNDS)
  const value = upgradeReport(isNdjson(text) ? joinLines(file, text) : parse(file, text))
  if (!isReport(value)) {
    // Reports are not written by hand: a JSON pointer helps more than line and column.
    const place = (pointer: string) => ({ file: `${file}: ${pointer || '/'}`, line: 0, column: 0 })
    const located: Located = { at: place, keyAt: place }
    throw new AssayError('bad-report', formatFindings(violations(validReport, value, located)))
  }
  const problems = reconcile(value)
  if (problems.length > 0) {
    const shown = problems.slice(0, MAX_PROBLEMS).join('; ')
    const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : ''
    throw new AssayError('bad-report', `${file}: the report contradicts itself: ${shown}${more}`)
  }
  return value
}

const isReport = (value: unknown): value is Report => validReport(value)

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
  const offset = text.length > MAX_TO_SEARCH ? undefined : jsonErrorOffset(text)
  if (offset === undefined)
    return `${file}: expected a report as JSON, found something else or an incomplete report`
  if (offset >= text.trimEnd().length)
    return `${file}: the report is incomplete: the file was cut, or its run was killed while writing`
  const before = text.slice(0, offset).split('\n')
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: expected a report as JSON`
}
