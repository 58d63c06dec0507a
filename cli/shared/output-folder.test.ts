import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { greenReport, redReport } from '../../reports/fixtures/sample-report.js'
import { folderReporters } from '../../reports/formats/reporters.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { clearFolder } from './output-folder.js'
import { readOutputs } from './outputs.js'
import { clearReportOutput, reportOutput } from './report-output.js'

t.test('a folder gets the files of this report in place of those of an earlier one', async (t) => {
  const cwd = t.testdir({
    'red.json': JSON.stringify(redReport),
    'green.json': JSON.stringify(greenReport),
    out: { 'mine-result.json': '{}', 'token-assay-mine.txt': 'x' },
  })
  const names = () => readdirSync(join(cwd, 'out')).sort()
  const render = (file: string) => callCommand(['report', file, '--reporter', 'allure=out'], { cwd })
  t.match(await render('red.json'), { exitCode: 0, stderr: '', stdout: /NOT CONFORMANT/ })
  t.equal(names().length, 12 + 2, 'a test for each of ten results, a stale entry and a stop')
  t.match(await render('green.json'), { exitCode: 0 })
  t.equal(names().length, 2 + 2, 'those of others stay')
  const [own = ''] = names().filter((name) => folderReporters.allure.owns.test(name))
  t.match(JSON.parse(readFileSync(join(cwd, 'out', own), 'utf8')), { stage: 'finished' })
})

t.test('a run that ends without a report leaves no tests of an earlier one', async (t) => {
  const old = 'token-assay-0123456789abcdef-result.json'
  const cwd = t.testdir({ out: { [old]: '{}' }, target: {} })
  mkdirSync(join(cwd, 'out', 'token-assay-0123456789abcdee-result.json'))
  symlinkSync(join(cwd, 'target'), join(cwd, 'out', 'token-assay-0123456789abcdea-result.json'))
  const out = reportOutput({ on: () => false, all: () => [`allure=${join(cwd, 'out')}`] }, cwd)
  clearReportOutput(out)
  t.notOk(existsSync(join(cwd, 'out', old)))
  t.equal(readdirSync(join(cwd, 'out')).length, 2, 'a folder and a link are not ours')
  clearFolder(join(cwd, 'nowhere'), folderReporters.allure.owns)
  writeFileSync(join(cwd, 'file'), '')
  t.throws(() => clearFolder(join(cwd, 'file'), folderReporters.allure.owns), { code: 'unwritable-file' })
})

t.test('a folder is no file, and must be given', async (t) => {
  const missing = 'allure writes several files: give it a folder, as in --reporter allure=FOLDER'
  for (const text of ['allure', 'allure=/dev/stdout'])
    t.throws(() => readOutputs([text]), new AssayError('usage', missing))
  const cwd = t.testdir({ 'green.json': JSON.stringify(greenReport), file: '' })
  const call = (...outputs: readonly string[]) =>
    callCommand(['report', 'green.json', ...outputs.flatMap((text) => ['--reporter', text])], { cwd })
  t.match(await call('allure=file'), { exitCode: 2, stderr: /file\/\* cannot be written/ })
  t.match(await call('allure=a', 'allure=a'), { exitCode: 2, stderr: /is named twice/ })
  t.match(await call('allure='), { exitCode: 2, stderr: /needs a/ })
  t.match(await call('alure=a'), { exitCode: 2, stderr: /did you mean `allure`/ })
})
