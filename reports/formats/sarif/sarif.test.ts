import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import Ajv04Module from 'ajv-draft-04'
import t from 'tap'
import type { Report } from '../../../spec/model/report.js'
import { everywhere, PAYLOADS } from '../../fixtures/hostile-report.js'
import { greenReport, hostile, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { renderSarif } from './sarif.js'

// The types of this module give its class as a member of the default export only.
const Ajv04 = Ajv04Module.default ?? Ajv04Module
const SCHEMA = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
const schema = JSON.parse(await readFile(createRequire(import.meta.url).resolve(SCHEMA), 'utf8'))
const validate = new Ajv04({
  allErrors: true,
  validateFormats: false,
  strict: false,
  unicodeRegExp: false,
}).compile(schema)

const emptyReport: Report = { ...greenReport, verdict: 'inconclusive', results: [], rules: [] }
const samples: Readonly<Record<string, Report>> = {
  ...{ redReport, greenReport, inconclusiveReport, emptyReport },
  ...Object.fromEntries(
    Object.entries(PAYLOADS).map(([name, payload]) => [
      name,
      { ...everywhere(redReport, (text) => text + payload), startedAt: redReport.startedAt },
    ]),
  ),
}

interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly partialFingerprints: { readonly primaryLocationLineHash: string }
  readonly suppressions?: readonly object[]
}
const runOf = (report: Report) => JSON.parse(renderSarif(report)).runs[0]
const resultsOf = (report: Report): readonly SarifResult[] => runOf(report).results
const identities = (report: Report) =>
  resultsOf(report).map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)

t.test('valid by the schema of SARIF 2.1.0, and has what code scanning requires', async (t) => {
  for (const [name, report] of Object.entries(samples)) {
    const text = renderSarif(report)
    t.ok(validate(JSON.parse(text)), name, { errors: validate.errors })
    t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, `${name}: harmless`)
    const { tool, results } = runOf(report)
    const { rules } = tool.driver
    t.equal(rules.length, report.rules.length + 1, `${name}: all rules, whatever fails`)
    for (const { id, shortDescription, fullDescription, help } of rules)
      t.ok(id && shortDescription.text && fullDescription.text && help.text && help.markdown, id)
    t.notMatch(
      JSON.stringify([
        results.map(({ message }: SarifResult) => message),
        rules.map(({ help }: { help: { text: string } }) => help.text),
      ]),
      '](',
      'no link',
    )
    for (const { ruleId, ruleIndex, message, locations, partialFingerprints } of results) {
      t.equal(rules[ruleIndex]?.id, ruleId)
      t.match(message.text, /\S/)
      const { artifactLocation, region } = locations[0].physicalLocation
      t.match(artifactLocation.uri, /^[\w.-]+$/, 'relative to the repository')
      t.strictSame(Object.keys(region), ['startLine', 'startColumn', 'endLine', 'endColumn'])
      t.match(partialFingerprints.primaryLocationLineHash, /^[0-9a-f]{16}:1$/)
    }
    t.equal(new Set(identities(report)).size, results.length, `${name}: no two alerts are one`)
  }
  t.notOk(validate({ ...JSON.parse(renderSarif(redReport)), version: '2.0.0' }), 'the schema finds an error')
})

t.test('errors are what gates; what is waived or advice is a note', async (t) => {
  t.strictSame(
    resultsOf(redReport).map(({ ruleId, level }) => [ruleId, level]),
    [
      ['run', 'error'],
      ['run', 'error'],
      ['2.1-token_type', 'error'],
      ['2.1-userId', 'error'],
      ['4.1-form-encoding', 'error'],
      ['7-token-error-media-type', 'error'],
      ['4.1-content-type-spelling', 'warning'],
      ['8-alphanumeric-user-names-at-dot-underscore', 'note'],
    ],
  )
  const [open, stale, tokenType, , , , , waived] = resultsOf(redReport)
  t.match(open?.message.text, /^3 cases could not be judged\.\n[\s\S]*\n2 cases: No one answers at /)
  t.match(stale?.message.text, /remove the entry$/)
  t.equal(
    tokenType?.message.text,
    'The member token_type is not exactly "bearer".\nExpected: bearer\nActual: Bearer\nIn default/2.1/token-response, with-user-id/2.1/token-response.',
  )
  t.match(waived, {
    message: { text: /^Waived until 2027-01-31: the server of 2014 lets them through\nThe registration was/ },
    suppressions: [{ kind: 'external', status: 'accepted' }],
  })
  t.strictSame(resultsOf(greenReport), [])
  t.match(resultsOf(emptyReport), [{ ruleId: 'run', level: 'error' }])
  const { baseline: _, ...unwaived } = redReport
  const unlisted: Report = { ...unwaived, rules: [], results: redReport.results.slice(0, 1) }
  t.match(resultsOf(unlisted), [{ ruleId: 'run', level: 'error' }], 'of a rule that is not listed')
})

t.test('a rule has its sentence, why it matters and how to fix it', async (t) => {
  const rule = runOf(redReport).tool.driver.rules.find(({ id }: { id: string }) => id === '2.1-token_type')
  t.match(rule, {
    fullDescription: { text: 'The member `token_type` is exactly `bearer`.' },
    help: {
      text: /^Clients build the `Authorization` header [\s\S]*How to fix it: [\s\S]*token-assay explain 2\.1-/,
    },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['section 2.1', 'must'], 'problem.severity': 'error' },
  })
})

t.test('the same alert in another run, at another address and with other inputs', async (t) => {
  const later = {
    ...everywhere(redReport, (text) =>
      text
        .replaceAll('127.0.0.1:5000', '[::1]:6000')
        .replaceAll('Bearer', 'BeaRer')
        .replaceAll('connection', 'x'),
    ),
    ...{ seed: 7, startedAt: '2026-12-24T10:00:00.000Z', durationMs: 1 },
  }
  t.not(renderSarif(later), renderSarif(redReport))
  t.strictSame(identities(later), identities(redReport))
  const at = (report: Report) =>
    resultsOf(report).find(({ ruleId }) => ruleId === '2.1-userId')?.partialFingerprints
  const all = redReport.results.map((one) => ({ ...one, waived: { reason: 'r', until: '2027-01-31' } }))
  t.not(
    JSON.stringify(at({ ...redReport, results: all })),
    JSON.stringify(at(redReport)),
    'what is waived is another alert, so the error closes',
  )
})

t.test('the text of a service is one line, and no link', async (t) => {
  const evil = everywhere(redReport, (text) =>
    text === hostile ? 'see\n[this](https://evil.example)' : text,
  )
  const [, , , , encoding] = resultsOf({ ...evil, startedAt: redReport.startedAt })
  t.match(
    encoding?.message.text,
    /^see\\n\[this\]\\u0028https:[^\n]*\nExpected: no surprises\nActual: see\\n/,
  )
})

t.test('a time that no date can hold is the last one that a date of four digits can', async (t) => {
  const [{ endTimeUtc }] = runOf({ ...greenReport, durationMs: 1e308 }).invocations
  t.equal(endTimeUtc, '9999-12-31T23:59:59.999Z')
})
