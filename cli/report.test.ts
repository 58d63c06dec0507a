import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { greenReport, redReport } from '../reports/fixtures/sample-report.js'
import { renderGithub } from '../reports/formats/github.js'
import { renderJson } from '../reports/formats/json.js'
import { renderJunit } from '../reports/formats/junit.js'
import { renderMarkdown } from '../reports/formats/markdown/markdown.js'
import { readReport } from '../reports/model/read-report.js'
import { callCommand } from '../tests/fixtures/call-command.js'
import { explain } from './command-line.js'

t.test('a saved report is rendered as its run would have', async (t) => {
  const cwd = t.testdir({ 'r.json': renderJson(redReport) })
  const args = ['report', 'r.json', '--reporter', 'junit=out/j.xml', '--reporter', 'json', '--no-color']
  const { exitCode, stdout, stderr } = await callCommand(args, { cwd })
  t.strictSame({ exitCode, stderr }, { exitCode: 0, stderr: '' }, 'whatever the verdict')
  t.equal(stdout, renderJson(redReport))
  t.equal(readFileSync(join(cwd, 'out/j.xml'), 'utf8'), renderJunit(redReport))
})

t.test('the console, where nothing else is asked for', async (t) => {
  const cwd = t.testdir({ 'r.json': renderJson(greenReport) })
  const { exitCode, stdout } = await callCommand(['report', 'r.json', '--quiet'], { cwd })
  t.equal(exitCode, 0)
  t.match(stdout, /^✓ CONFORMANT: .*\n$/)
})

t.test('on GitHub, annotations and a step summary', async (t) => {
  const cwd = t.testdir({ 'r.json': renderJson(redReport), 'summary.md': 'before\n' })
  const args = ['report', 'r.json', '--reporter', 'github']
  const summarized = await callCommand(args, { cwd, env: { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') } })
  t.strictSame(summarized, { exitCode: 0, stdout: renderGithub(redReport), stderr: '' })
  t.equal(readFileSync(join(cwd, 'summary.md'), 'utf8'), `before\n${renderMarkdown(redReport)}`)

  const refused = await callCommand(args, { cwd, env: { GITHUB_STEP_SUMMARY: cwd } })
  t.equal(refused.exitCode, 0, 'the report is rendered all the same')
  t.match(refused.stderr, /^token-assay: warning: the step summary was not written: EISDIR/)
})

t.test('misuse is exit 2, one message, and the report stays as it is', async (t) => {
  const text = renderJson(greenReport)
  const cwd = t.testdir({ 'r.json': text })
  const misuses: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /^token-assay: report takes one file, found 0\n$/],
    [['r.json', 'r.json'], /report takes one file, found 2/],
    [['r.json', '--reporter', 'junit=./r.json'], /r\.json is named twice/],
    [['none.json'], /none\.json: expected a report, such as the report\.json of a run, found no file/],
  ]
  await Promise.all(
    misuses.map(async ([args, says]) => {
      const { exitCode, stdout, stderr } = await callCommand(['report', ...args], { cwd })
      t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' })
      t.match(stderr, says)
    }),
  )
  t.equal(readFileSync(join(cwd, 'r.json'), 'utf8'), text)
})

t.test('a bracket in a text is no level of a report', async (t) => {
  const [first, ...others] = redReport.results
  const title = `"${'['.repeat(20_000)}\\`
  const results = first === undefined ? [] : [{ ...first, title }, ...others]
  const file = join(t.testdir({ r: renderJson({ ...redReport, results }) }), 'r')
  t.equal(readReport(file).results[0]?.title, title)
})

t.test('a machine without a free file is no bug, and never green', async (t) => {
  const error = new Error('x', { cause: Object.assign(new Error('open'), { code: 'EMFILE' }) })
  const printed = t.capture(process.stderr, 'write', () => true)
  t.strictSame([explain(error), explain(error, true), explain(new Error('y'))], [2, 3, 70])
  t.match(
    printed()[0]?.args[0],
    /^token-assay: too many files and connections are open: raise the limit that `ulimit -n` shows/,
  )
})

t.test('a machine without a free process or thread is no bug, and never green', async (t) => {
  const printed = t.capture(process.stderr, 'write', () => true)
  for (const code of ['EAGAIN', 'ERR_WORKER_INIT_FAILED'])
    t.equal(explain(Object.assign(new Error('EAGAIN'), { code }), true), 3)
  t.match(printed()[0]?.args[0], /^token-assay: no more processes or threads can be started: raise the limit/)
})

t.test('what cannot be believed is refused', async (t) => {
  const text = renderJson(redReport)
  const cwd = t.testdir({
    cut: text.slice(0, 2000),
    empty: '',
    quotes: text.replace('"schemaVersion"', "'schemaVersion'"),
    bytes: Buffer.from([0x7b, 0xff]),
    extra: text.replace('"durationMs"', '"duration": 1, "durationMs"'),
    version: text.replace('"schemaVersion": 2', '"schemaVersion": 3'),
    miscounted: text.replace('"failed": 6', '"failed": 5'),
    whitewashed: text.replace('"verdict": "nonconformant"', '"verdict": "conformant"'),
    lost: renderJson({ ...redReport, results: redReport.results.slice(3) }),
    deep: text.replace('"durationMs"', `"deep": ${'['.repeat(20_000)}${']'.repeat(20_000)}, "durationMs"`),
    date: text.replace('2026-11-20T10', '2026-11-20T99'),
    rule: text.replaceAll('2.1-userName', '2.1-user\\u001b[2JName'),
    many: `[${'1,'.repeat(5_000_000)}1]`,
    folder: {},
    outcome: renderJson({
      ...redReport,
      results: redReport.results.map((result) => ({ ...result, outcome: { toString: 1 } as never })),
    }),
  })
  const refused = (name: string, code: string, message: RegExp): void =>
    void t.throws(() => readReport(join(cwd, name)), { code, message }, name)
  refused('cut', 'malformed-file', /cut: the report is incomplete: the file was cut/)
  refused('empty', 'malformed-file', /empty: the report is incomplete/)
  refused('quotes', 'malformed-file', /quotes:2:3: expected a report as JSON$/)
  refused('bytes', 'malformed-file', /bytes: expected text in UTF-8/)
  refused(
    'extra',
    'bad-report',
    /extra: \/duration: expected a known key, found "duration"; did you mean "durationMs"/,
  )
  refused('version', 'bad-report', /version: \/schemaVersion: expected 2, found a number/)
  refused('miscounted', 'bad-report', /contradicts itself: counts\.failed is 5, the results say 6$/)
  refused('whitewashed', 'bad-report', /the verdict is conformant, the results say nonconformant$/)
  refused('lost', 'bad-report', /(?:; .*){4}; and \d+ more$/)
  refused('deep', 'malformed-file', /deep: expected at most 200 levels of nesting$/)
  refused('date', 'bad-report', /date: \/startedAt: expected a time such as 2026-11-20T10:00:00\.000Z/)
  refused('rule', 'bad-report', /rule: \/rules\/2\/id: expected a rule id such as 4\.1-R1/)
  refused('many', 'malformed-file', /many: expected at most 5000000 values, found more$/)
  refused('outcome', 'bad-report', /outcome: \/\S*outcome: expected one of .*, found a map/)
  refused('folder', 'missing-file', /folder: expected a report/)
  t.strictSame(readReport(join(t.testdir({ r: text }), 'r')), redReport)
})
