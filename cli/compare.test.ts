import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { greenReport, redReport } from '../reports/fixtures/sample-report.js'
import { renderJson } from '../reports/formats/json.js'
import { refusedReport } from '../reports/model/refused-report.js'
import { callCommand } from '../tests/fixtures/call-command.js'

t.test('compare: regressions may fail a gate', async (t) => {
  const cwd = t.testdir({ 'green.json': renderJson(greenReport), 'red.json': renderJson(redReport) })
  const compare = (...args: string[]) => callCommand(['compare', ...args], { cwd })
  t.equal((await compare('green.json', 'red.json')).exitCode, 0, 'unless it is to fail')
  t.equal((await compare('green.json', 'red.json', '--fail-on', 'regression')).exitCode, 1)
  t.equal((await compare('red.json', 'green.json', './red.json', '--fail-on', 'regression')).exitCode, 0)
  const written = await compare('green.json', 'red.json', '--reporter', 'html=c.html', '--reporter', 'json')
  t.equal(written.exitCode, 0)
  t.strictSame(
    JSON.parse(written.stdout).reports.map(({ verdict }: { verdict: string }) => verdict),
    ['conformant', 'nonconformant'],
  )
  t.match(readFileSync(join(cwd, 'c.html'), 'utf8'), /^<!doctype html>/)

  await t.test('of a run that did not start there is none', async (t) => {
    const files = {
      'own.json': renderJson(greenReport).replaceAll('2.1-userName', 'contoso:checkout-scope'),
      'refused.json': renderJson(refusedReport('there is no such folder', new Date(0))),
    }
    const args = ['compare', 'own.json', 'refused.json', '--fail-on', 'regression']
    const { exitCode, stdout } = await callCommand(args, { cwd: t.testdir(files) })
    t.equal(exitCode, 3)
    t.match(stdout, /A ✓ {2}B – {2}contoso:checkout-scope/)
    t.notMatch(stdout, 'Regressions')
  })

  const misuses: readonly (readonly [readonly string[], RegExp])[] = [
    [['green.json'], /compare takes two or more reports, found 1/],
    [['green.json', 'none.json'], /none\.json: expected a report/],
    [['green.json', 'red.json', '--fail-on', 'fix'], /--fail-on takes regression, not `fix`/],
    [['green.json', 'red.json', '--reporter', 'junit'], /unknown reporter `junit` for a comparison/],
    [['green.json', 'red.json', '--reporter', 'html=red.json'], /red\.json is named twice/],
  ]
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await compare(...args)
    t.strictSame({ exitCode, stdout }, { exitCode: 2, stdout: '' })
    t.match(stderr, says)
  }
})
