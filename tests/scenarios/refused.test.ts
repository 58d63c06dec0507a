import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { reporterNames } from '../../reports/formats/reporters.js'
import { readReport } from '../../reports/model/read-report.js'
import { callCommand } from '../fixtures/call-command.js'

const WHY = 'the environment variable NOT_SET is not set'
const TARGET = `baseUrl: http://127.0.0.1:9\naccounts: [{ userName: alice, password: "\${NOT_SET}" }]\n`
const YESTERDAY = 'conformant, yesterday'

/** A folder with what a run left in these files yesterday, and the call of a command in it. */
function folder(t: Test, files: readonly string[]) {
  const cwd = t.testdir({ 'target.yaml': TARGET, 'token-assay-report': {}, 'token-assay-client-report': {} })
  for (const file of files) writeFileSync(join(cwd, file), YESTERDAY)
  return {
    read: (file: string) => readFileSync(join(cwd, file), 'utf8'),
    path: (file: string) => join(cwd, file),
    call: (...args: string[]) => callCommand(args, { cwd }),
  }
}

/** Without the line ends of a console, and the escapes of Markdown. */
const words = (text: string): string => text.replaceAll('\\', '').replaceAll(/\s+/g, ' ')

t.test('a run that is refused leaves no report of yesterday: each says why it did not start', async (t) => {
  const [json, page] = ['token-assay-report/report.json', 'token-assay-report/index.html']
  const formats = reporterNames.map((name) => `report.${name}`)
  const { read, path, call } = folder(t, [json, page, ...formats])
  const reporters = reporterNames.flatMap((name) => ['--reporter', `${name}=report.${name}`])
  const { exitCode, stdout, stderr } = await call('run', '--target', 'target.yaml', ...reporters)
  t.strictSame([exitCode, stdout], [2, ''])
  t.equal(stderr, `token-assay: target.yaml:2:41: ${WHY}\n`)
  const inNoWords = ['report.badge', 'report.shields']
  for (const file of [json, page, ...formats]) {
    t.notMatch(read(file), YESTERDAY, file)
    if (inNoWords.includes(file)) t.match(read(file), 'inconclusive', file)
    else t.match(words(read(file)), WHY, file)
  }
  t.match(read('report.badge'), 'The run did not start')
  t.match(read('report.junit'), /tests="1" failures="0" errors="1"/)
  t.match(read('report.tap'), /^1\.\.1\nnot ok 1 /m)
  for (const file of [json, 'report.ndjson'])
    t.match(readReport(path(file)), { verdict: 'inconclusive', stops: [{ cause: 'refused' }] })
})

t.test('a baseline, a selection or flags that do not go together refuse it as well', async (t) => {
  for (const flags of [
    ['--baseline', 'none.yaml'],
    ['--target', 'none.yaml'],
    ['--exhaustive'],
    ['--shard', '1/2'],
    ['--skip', 'no-such-rule'],
  ]) {
    const base = flags[0] === '--exhaustive' ? [] : ['--embedded']
    const { read, call } = folder(t, ['report.xml'])
    const { exitCode, stderr } = await call('run', ...base, ...flags, '--reporter', 'junit=report.xml')
    t.equal(exitCode, 2, stderr)
    t.match(read('report.xml'), 'The run did not start', flags.join(' '))
  }
})

t.test('what a typing error leaves unknown stays, and nothing is made that was not there', async (t) => {
  const { read, path, call } = folder(t, ['token-assay-report/report.json'])
  const typo = await call('run', '--target', 'target.yaml', '--sed', '7')
  t.equal(typo.exitCode, 2)
  t.equal(read('token-assay-report/report.json'), YESTERDAY)
  await call('run', '--target', 'target.yaml', '--out', 'new', '--reporter', 'junit=new.xml')
  t.notOk(existsSync(path('new')) || existsSync(path('new.xml')))
  await call(
    'run',
    '--target',
    'target.yaml',
    '--reporter',
    'junit=target.yaml',
    '--reporter',
    'tap=target.yaml',
  )
  t.equal(read('target.yaml'), TARGET, 'two outputs of one name')
})

t.test('--last-failed that is refused keeps the reports that it reads', async (t) => {
  const whole = 'token-assay-report/report.json'
  const part = 'token-assay-report/report.partial.json'
  const { read, path, call } = folder(t, [whole, part])
  t.equal((await call('run', '--target', 'target.yaml', '--last-failed')).exitCode, 2)
  t.equal(read(whole), YESTERDAY)
  t.equal(read(part), YESTERDAY)
  rmSync(path(part))
  await call('run', '--target', 'target.yaml')
  const after = await call('run', '--embedded', '--last-failed', '--only', '2.1*')
  t.match(after.stderr, '--last-failed names the results to run')
  const { stderr } = await call('run', '--embedded', '--last-failed', '--skip', '*')
  t.match(stderr, /the last run did not start \(.*report\.json\): running everything/)
})

t.test('so it is with every command that writes reports', async (t) => {
  const calls: Readonly<Record<string, readonly string[]>> = {
    client: ['--baseline', 'none.yaml', '--', 'true'],
    'client ': ['--', './no-such-program'],
    proxy: ['--target', 'target.yaml'],
    merge: ['none.json'],
  }
  for (const [name, args] of Object.entries(calls)) {
    const { read, call } = folder(t, ['report.xml'])
    const { exitCode } = await call(name.trim(), '--reporter', 'junit=report.xml', ...args)
    t.equal(exitCode, 2, name)
    t.match(read('report.xml'), 'The run did not start', name)
  }
})

t.test('a merge that is refused leaves no report of yesterday, of a part or of the whole', async (t) => {
  const names = ['report.json', 'index.html', 'report.partial.json', 'index.partial.html']
  const files = names.map((name) => `token-assay-report/${name}`)
  const { read, call } = folder(t, files)
  t.equal((await call('merge', 'none.json')).exitCode, 2)
  for (const file of files) t.match(words(read(file)), /The run did not start: none\.json/, file)
})

t.test('a merge writes over no report that it reads, also where it is refused', async (t) => {
  const part = 'token-assay-report/report.partial.json'
  const { read, call } = folder(t, [part])
  const { exitCode, stderr } = await call('merge', part, 'none.json')
  t.strictSame([exitCode, read(part)], [2, YESTERDAY])
  t.match(stderr, /report\.partial\.json is named twice/)
})

t.test('comparisons and rehearsals of yesterday are emptied', async (t) => {
  const calls: Readonly<Record<string, readonly string[]>> = {
    diff: ['--target', 'target.yaml'],
    rehearse: ['--target', 'target.yaml'],
    compare: ['none.json', 'target.yaml'],
    report: ['none.json'],
  }
  for (const [name, args] of Object.entries(calls)) {
    const own = name === 'rehearse' ? ['rehearsal.json', 'rehearsal.html'] : []
    const files = ['report.md', ...own.map((file) => `token-assay-report/${file}`)]
    const { read, call, path } = folder(t, files)
    const { exitCode } = await call(name, ...args, '--reporter', 'markdown=report.md')
    t.equal(exitCode, 2, name)
    for (const file of files) t.equal(read(file), '', `${name} ${file}`)
    t.strictSame(readdirSync(path('token-assay-report')).toSorted(), own.toSorted())
  }
})
