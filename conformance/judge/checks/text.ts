import { cut, describeBody } from '../../evidence/describe.js'
import type { HttpResponse } from '../../wire/http-response.js'
import { stringsOf } from '../../wire/json-values.js'
import { type CheckResult, PASS } from './check-result.js'

/** No white space between the parts of the JSON text. */
export function checkCompactJson(response: HttpResponse): CheckResult {
  if (response.json.root === undefined) return { kind: 'inconclusive', reason: 'the answer is no JSON' }
  const between = response.text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  if (!/\s/.test(between)) return PASS
  return {
    kind: 'fail',
    message: 'there is white space between the parts of the JSON text',
    expected: 'compact JSON',
    actual: describeBody(response),
  }
}

/** One string of the answer is this text. */
export function checkHasString(response: HttpResponse, text: string): CheckResult {
  const { root } = response.json
  const strings = root === undefined ? [response.text] : stringsOf(root)
  if (strings.includes(text)) return PASS
  return {
    kind: 'fail',
    message: 'no string of the answer is the expected text',
    expected: JSON.stringify(text),
    actual: cut(strings.map((string) => JSON.stringify(string)).join(', ')),
  }
}

/** What programs print of themselves: of each kind one sign that no message for users has. */
const DIAGNOSTICS: readonly (readonly [what: string, sign: RegExp])[] = [
  ['a stack trace', /^\s*at \S+.*(?:\(.*:\d+(?::\d+)?\)|:\d+:\d+|:line \d+)\s*$/m],
  ['a stack trace', /Traceback \(most recent call last\)|^\s*File "[^"]+", line \d+/m],
  ['a stack trace', /\\n\s*at [\w.$<>]+ ?\(|\\r?\\n\s+at \S+ in /],
  [
    'the name of an exception',
    /\b[A-Za-z_][\w.]*(?:Exception|Error)\b: |\b(?:System|java|org|com)\.[\w.]+Exception\b/,
  ],
  ['a message of a database', /\b(?:SQLSTATE\[|ORA-\d{5}|SQL syntax|sqlite3?\.|psycopg2|SqlClient)\b/i],
  [
    'a path of its machine',
    /(?:^|["'\s(])(?:\/(?:usr|home|var|opt|srv|app)\/[\w./-]+\.\w+|[A-Z]:\\[\w\\.-]+\.\w+)/,
  ],
]

/** Nothing in the answer is meant for those who wrote the service. */
export function checkNoDiagnostics(response: HttpResponse): CheckResult {
  const { text } = response
  for (const [what, sign] of DIAGNOSTICS) {
    const found = sign.exec(text)
    if (found !== null)
      return {
        kind: 'fail',
        message: `the answer shows ${what}`,
        expected: 'a message for users, and nothing of the inside',
        actual: cut(found[0].trim()),
      }
  }
  return PASS
}
