import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import type { Report } from '../../spec/model/report.js'
import { everywhere, PAYLOADS } from '../fixtures/hostile-report.js'
import { greenReport, inconclusiveReport, redReport } from '../fixtures/sample-report.js'
import { allureFiles } from './allure.js'
import { folderReporters } from './reporters.js'

const schema = await readFile(new URL('../fixtures/allure.schema.json', import.meta.url), 'utf8')
const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(schema))

const testsOf = (report: Report) => allureFiles(report).map(({ text }) => JSON.parse(text))
const statuses = (report: Report): readonly string[] => testsOf(report).map(({ status }) => status)

t.test('a valid file for each test, whatever a service sends', async (t) => {
  const hostile = Object.values(PAYLOADS).map((payload) => everywhere(redReport, (text) => text + payload))
  const reports = [redReport, greenReport, inconclusiveReport, ...hostile]
  for (const report of reports.map((one) => ({ ...one, startedAt: redReport.startedAt }))) {
    const files = allureFiles(report)
    for (const { name, text } of files) {
      t.ok(validate(JSON.parse(text)), name, { errors: validate.errors })
      t.match(name, folderReporters.allure.owns)
      t.notMatch(text, /[^\P{C}\n]|##\[|##vso\[/u, 'harmless when printed')
    }
    for (const key of ['uuid', 'historyId'])
      t.equal(new Set(files.map(({ text }) => JSON.parse(text)[key])).size, files.length, key)
    t.equal(new Set(files.map(({ name }) => name)).size, files.length)
  }
})

t.test('what gates is red: failed where a rule is broken, broken where nothing can be said', async (t) => {
  t.strictSame(statuses(redReport), [
    ...['failed', 'failed', 'failed', 'failed'],
    // A recommendation, and what is waived.
    ...['skipped', 'skipped'],
    // Not answered twice, not applicable, not reached.
    ...['broken', 'broken', 'skipped', 'broken'],
    // A stale entry of the baseline, and that the run was stopped.
    ...['failed', 'broken'],
  ])
  t.strictSame(statuses(greenReport), ['passed', 'skipped'])
  t.strictSame(new Set(statuses(inconclusiveReport)), new Set(['broken']))
  t.strictSame(statuses({ ...greenReport, results: [], rules: [] }), ['broken'], 'nothing was executed')
  t.match(testsOf({ ...greenReport, selection: { effort: 'quick' } }).at(-1), {
    name: 'run: all inputs are tried',
    status: 'skipped',
    statusDetails: { message: /--effort quick/ },
  })
  t.match(testsOf(redReport)[0], {
    name: '2.1/token-response a token response carries the documented members',
    ...{ fullName: 'default/2.1/token-response', start: 1_795_168_800_000, stop: 1_795_168_800_015 },
    statusDetails: { message: /^2\.1-token_type: The member token_type/, trace: /\n {2}repeat +curl / },
    labels: [
      { name: 'framework', value: 'Token Assay' },
      { name: 'parentSuite', value: 'Contoso accounts' },
      { name: 'suite', value: 'default' },
      { name: 'subSuite', value: 'section 2.1' },
      { name: 'tag', value: '2.1-token_type' },
    ],
  })
})

t.test('the history of a test goes on in the next run, and each service has its own', async (t) => {
  const ids = (report: Report, key: 'uuid' | 'historyId' | 'testCaseId') =>
    testsOf(report).map((test) => test[key])
  const later: Report = { ...greenReport, seed: 7, startedAt: '2026-12-24T10:00:00.000Z', durationMs: 1 }
  const other: Report = { ...greenReport, target: { ...greenReport.target, name: 'Fabrikam' } }
  t.strictSame(ids(later, 'historyId'), ids(greenReport, 'historyId'))
  t.strictSame(ids(other, 'testCaseId'), ids(greenReport, 'testCaseId'))
  for (const [key, report] of [
    ['uuid', later],
    ['uuid', other],
    ['historyId', other],
  ] as const)
    t.equal(new Set([...ids(report, key), ...ids(greenReport, key)]).size, 4, `another ${key}`)
})
