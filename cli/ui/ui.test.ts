import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { greenReport, inconclusiveReport, redReport } from '../../reports/fixtures/sample-report.js'
import { renderJson } from '../../reports/formats/json.js'
import { readReport } from '../../reports/model/read-report.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { isClosed } from '../../tests/fixtures/closed-port.js'
import { EITHER_SIGNAL, sendTwoSignals, startCommand } from '../../tests/fixtures/command.js'
import { enterUi } from '../../tests/fixtures/ui-page.js'
import { freePorts } from '../../tools/interop/listen.js'
import { clearReport, keepReport } from './keep-report.js'
import { createReportFiles } from './report-files.js'
import { saveTarget } from './save-target.js'
import { watchFolder } from './watch-folder.js'

t.test('the command prints its address, and Ctrl-C ends it', async (t) => {
  const ui = startCommand(['ui', '--no-open'], { cwd: t.testdir() })
  const address = (await ui.saying('stdout', '\n')).trim()
  t.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/#key=[\w-]{43}$/)
  t.equal((await fetch(new URL('/', address))).status, 403)
  t.equal((await fetch(address)).status, 200)
  ui.child.kill('SIGINT')
  const { exitCode, stderr } = await ui.ended
  t.equal(exitCode, 0)
  t.equal(stderr, 'token-assay: the page is for you alone; Ctrl-C ends it\n')
})

/**
 * A page amid a run of a service that answers two requests and no other.
 * @param begin the first lines of its program
 */
async function startRun(t: Test, begin = '') {
  const [port = 0] = await freePorts(1)
  const service = `${begin}
let asked = 0
require('node:http').createServer((_, answer) => asked++ < 2 && answer.writeHead(200, { 'Content-Type': 'application/json;charset=UTF-8' }).end('{"access_token":"a","token_type":"bearer","expires_in":1209599,"userName":"ann"}')).listen(${port}, '127.0.0.1')`
  const target = {
    baseUrl: `http://127.0.0.1:${port}`,
    accounts: [{ userName: 'ann', password: 'Secret-1' }],
    start: { command: [process.execPath, '-e', service] },
  }
  const cwd = t.testdir({
    'token-assay.yaml': JSON.stringify(target),
    'token-assay-report': { 'report.json': renderJson(greenReport), 'index.html': 'CONFORMANT' },
  })
  const ui = startCommand(['ui', '--no-open'], { cwd })
  const page = await enterUi((await ui.saying('stdout', '\n')).trim())
  await page.post('run/start', {})
  const feed = await page.feedUntil(/Requests sent<\/dt><dd>2/)
  const seen = feed.match(/(?<=^id: ).+/gm)?.at(-1) ?? ''
  const isCleared = (): void => {
    for (const name of ['report.json', 'index.html'])
      t.equal(readFileSync(join(cwd, 'token-assay-report', name), 'utf8'), '', `${name} of the run before`)
  }
  return { cwd, ui, page, seen, isCleared, isStopped: () => isClosed(t, port) }
}

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  t.test(`${signal} amid a run: a partial report, the started service stopped`, async (t) => {
    const { cwd, ui, isCleared, isStopped } = await startRun(t)
    isCleared()
    ui.child.kill(signal)
    const ended = await ui.ended
    t.equal(ended.exitCode, exitCode)
    t.match(ended.stderr, /stopped during a run: see token-assay-report\/report\.partial\.json\n$/)
    const report = readReport(join(cwd, 'token-assay-report/report.partial.json'))
    t.ok(report.counts.untested > 0, 'what was not tested by then')
    t.ok(
      report.results.some(({ exchanges }) => exchanges.length > 0),
      'what was found by then',
    )
    t.match(readFileSync(join(cwd, 'token-assay-report/index.partial.html'), 'utf8'), /Partial run/)
    isCleared()
    await isStopped()
  })

t.test('Stop amid a run leaves what was found by then as the report of a part', async (t) => {
  const { cwd, ui, page, seen, isCleared, isStopped } = await startRun(t)
  await page.post('run/stop', {})
  await page.feedUntil(/class=\\"verdict nonconformant/, seen)
  const report = readReport(join(cwd, 'token-assay-report/report.partial.json'))
  t.match(report, { verdict: 'nonconformant', stops: [{ cause: 'signal' }] })
  t.ok(report.counts.untested > 0)
  t.match(readFileSync(join(cwd, 'token-assay-report/index.partial.html'), 'utf8'), /Partial run/)
  isCleared()
  await isStopped()
  ui.child.kill('SIGINT')
  const { exitCode, stderr } = await ui.ended
  t.strictSame([exitCode, stderr.includes('stopped during a run')], [0, false])
})

t.test('two signals amid a run: the end at once, of the started service too', async (t) => {
  const { cwd, ui, isCleared, isStopped } = await startRun(t, "process.on('SIGTERM', () => undefined)")
  sendTwoSignals(ui.child)
  t.match(String((await ui.ended).exitCode), EITHER_SIGNAL)
  t.strictSame(
    readdirSync(join(cwd, 'token-assay-report')),
    ['history', 'index.html', 'report.json'],
    'nothing is half written',
  )
  isCleared()
  await isStopped()
})

t.test(
  'no other user sees the key among the processes: the browser gets a file',
  { skip: process.platform !== 'linux' && 'other systems have other commands' },
  async (t) => {
    const opener =
      '#!/bin/sh\nexec >opened; echo "$1"; stat -c %a "${1#file://}"; cat "${1#file://}"; kill -INT $PPID\n'
    const cwd = t.testdir({ bin: { 'xdg-open': opener } })
    chmodSync(join(cwd, 'bin/xdg-open'), 0o755)
    const ui = startCommand(['ui'], { cwd, env: { PATH: `${join(cwd, 'bin')}:${process.env.PATH}` } })
    const { stdout } = await ui.ended
    const [argument = '', mode, text = ''] = readFileSync(join(cwd, 'opened'), 'utf8').split('\n')
    t.match(argument, /^file:\/\/.*\/token-assay-report\/open-ui\.html$/)
    t.equal(mode, '600')
    t.ok(text.includes(`url=${stdout.trim()}"`), 'it leads to the address')
    t.notOk(existsSync(join(cwd, 'token-assay-report/open-ui.html')), 'and goes with the command')
  },
)

t.test('what is no file of its own stays, and is no error', async (t) => {
  const cwd = t.testdir({ 'token-assay-report': { 'open-ui.html': { kept: '' } } })
  const ui = startCommand(['ui'], { cwd })
  await ui.saying('stdout', '\n')
  ui.child.kill('SIGINT')
  t.match(await ui.ended, { exitCode: 0, stderr: /^token-assay: the page is for you alone.*\n$/ })
  t.ok(existsSync(join(cwd, 'token-assay-report/open-ui.html/kept')))
})

t.test('misuse is one message', async (t) => {
  const other = createServer()
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  const taken = other.address()
  if (taken === null || typeof taken === 'string') throw new TypeError('it has a port')
  const cwd = t.testdir({ 'token-assay.yaml': '- no map\n' })
  const refusals: readonly (readonly [args: readonly string[], cwd: string, message: RegExp])[] = [
    [
      ['--port', `${taken.port}`],
      t.testdirName,
      new RegExp(`^token-assay: port ${taken.port} is in use: --port 0 takes a free one`),
    ],
    [['--port', 'x'], t.testdirName, /^token-assay: --port takes a whole number from 0 to 65535/],
    [
      ['http://127.0.0.1'],
      t.testdirName,
      /^token-assay: ui takes flags only: the base URL is typed into the page/,
    ],
    [['--target', 'none.yaml'], t.testdirName, /^token-assay: none\.yaml/],
    [[], cwd, /^token-assay: token-assay\.yaml: expected a map/],
  ]
  const empty = join(cwd, 'empty')
  mkdirSync(empty)
  for (const [args, folder, message] of refusals) {
    const at = folder === cwd && args.length === 0 ? cwd : empty
    const { exitCode, stdout, stderr } = await callCommand(['ui', '--no-open', ...args], { cwd: at })
    t.strictSame([exitCode, stdout], [2, ''], args.join(' '))
    t.match(stderr, message)
    t.equal(stderr.trimEnd().split('\n').length, 1)
  }
})

t.test('a target is saved below the folder, and replaces nothing unasked', async (t) => {
  const home = t.testdir({ here: { sub: {}, 'there.yaml': 'old', 'dir.yaml': {} }, outside: {} })
  const folder = join(home, 'here')
  symlinkSync(join(home, 'outside'), join(folder, 'out'))
  symlinkSync(join(home, 'outside', 'new.yaml'), join(folder, 'link.yaml'))
  t.equal(saveTarget(folder, 'new.yaml', 'text', false), 'new.yaml')
  t.equal(saveTarget(folder, './sub/../sub/new.yml', 'text', false), join('sub', 'new.yml'))
  t.equal(saveTarget(folder, join(folder, 'full.yaml'), 'text', false), 'full.yaml')
  t.throws(() => saveTarget(folder, 'there.yaml', 'text', false), /^there\.yaml is there already/)
  t.equal(readFileSync(join(folder, 'there.yaml'), 'utf8'), 'old')
  saveTarget(folder, 'there.yaml', 'text', true)
  t.equal(readFileSync(join(folder, 'there.yaml'), 'utf8'), 'text')
  const refused = [
    '../x.yaml',
    '/tmp/x.yaml',
    'out/x.yaml',
    'none/x.yaml',
    'x.json',
    'x',
    '',
    'x\0.yaml',
    '.yaml/../../x.yaml',
    `${'x'.repeat(300)}.yaml`,
  ]
  for (const file of refused) t.throws(() => saveTarget(folder, file, 'text', true), /^Save it as: /, file)
  for (const file of ['link.yaml', 'dir.yaml'])
    t.throws(() => saveTarget(folder, file, 'text', true), /is no regular file/, file)
  t.strictSame(readdirSync(join(home, 'outside')), [])
})

t.test('the reports of a folder, each run once, and what cannot be read', async (t) => {
  const folder = t.testdir({
    'package.json': '{}',
    node_modules: { 'report.json': renderJson(redReport) },
    a: { 'report.json': renderJson(greenReport), 'copy.json': renderJson(greenReport) },
    'red.json': renderJson(redReport),
    'cut.json': renderJson(redReport).slice(0, -10),
    lost: { 'report.json': '' },
  })
  const files = createReportFiles(folder)
  const { entries, problems } = await files.list()
  t.strictSame(entries.map(({ verdict }) => verdict).sort(), ['conformant', 'nonconformant'])
  t.equal(problems.length, 2)
  t.match([...problems].sort(), [/cut\.json: the report is incomplete/, /lost\/report\.json: /])
  t.strictSame((await files.list()).entries, entries, 'what did not change is not read again')
  const red = entries.find(({ file }) => file === 'red.json')
  t.equal(red && files.read(red).seed, redReport.seed)
  writeFileSync(join(folder, 'red.json'), renderJson(inconclusiveReport))
  t.ok((await files.list()).entries.some(({ verdict }) => verdict === 'inconclusive'))
})

t.test('where the history cannot be written, a run is refused, and a report is written first', async (t) => {
  const folder = t.testdir({ 'token-assay-report': { history: 'a file', 'report.json': 'of before' } })
  const file = join(folder, 'token-assay-report/report.json')
  t.throws(() => clearReport(folder), /history\/\.probe cannot be written/)
  t.equal(readFileSync(file, 'utf8'), 'of before')
  t.throws(() => keepReport(folder, greenReport), /history\/\.probe cannot be written/)
  t.equal(readFileSync(file, 'utf8'), renderJson(greenReport))
})

t.test('of more reports than are read, the list says how many are left out', async (t) => {
  const folder = t.testdir({
    a: { 'report.json': renderJson(greenReport) },
    b: { 'report.json': renderJson(redReport) },
  })
  const [older, newer] = [new Date(1000), new Date(2000)]
  utimesSync(join(folder, 'a/report.json'), older, older)
  utimesSync(join(folder, 'b/report.json'), newer, newer)
  t.strictSame((await createReportFiles(folder).list()).problems, [])
  const { entries, problems, lastUnreadAt } = await createReportFiles(folder, 1).list()
  t.strictSame(
    entries.map(({ verdict }) => verdict),
    ['nonconformant'],
  )
  t.strictSame(problems, ['1 JSON file is not read: 1 were written later'])
  t.equal(lastUnreadAt, 1000)
})

t.test('a whole run is kept where `run` writes, and small for the history', async (t) => {
  const folder = t.testdir()
  const [failed] = redReport.results
  const results = greenReport.results.map((result) => ({ ...result, exchanges: failed?.exchanges ?? [] }))
  const withEvidence = { ...greenReport, results }
  keepReport(folder, withEvidence)
  const [kept = ''] = readdirSync(join(folder, 'token-assay-report/history'))
  t.match(kept, /^\d{4}-\d\d-\d\dT[\d-]+Z\.json$/)
  t.equal(readFileSync(join(folder, 'token-assay-report/report.json'), 'utf8'), renderJson(withEvidence))
  t.ok(existsSync(join(folder, 'token-assay-report/index.html')))
  const files = createReportFiles(folder)
  const { entries } = await files.list()
  t.equal(entries.length, 1, 'the two are one run')
  const small = readFileSync(join(folder, 'token-assay-report/history', kept), 'utf8')
  t.ok(small.length < renderJson(withEvidence).length)
})

t.test('a burst of changes is one, and only folders below are watched', async (t) => {
  const home = t.testdir({ here: { src: { deep: {} }, 'token-assay-report': {} }, outside: {} })
  const folder = join(home, 'here')
  symlinkSync(join(home, 'outside'), join(folder, 'out'))
  for (const name of ['', '..', 'none', 'out', join(home, 'outside')])
    t.throws(
      () => watchFolder(folder, name, () => undefined),
      /^Run on change of: expected a folder below/,
      name,
    )
  const changed = new Promise<void>((resolve) => {
    const end = watchFolder(folder, 'src', resolve)
    t.teardown(end)
  })
  writeFileSync(join(folder, 'src', 'a.ts'), '1')
  writeFileSync(join(folder, 'src', 'a.ts'), '2')
  await changed
  t.pass('it was called')
})

t.test('a board: pages that load nothing, and a badge for each run', async (t) => {
  const cwd = t.testdir({
    runs: {
      'a.json': renderJson(greenReport),
      'b.json': renderJson({ ...redReport, target: greenReport.target }),
    },
    none: {},
  })
  const { exitCode, stdout } = await callCommand(['board', 'runs', '--out', 'wiki'], { cwd })
  t.strictSame([exitCode, stdout], [0, `${join('wiki', 'index.html')}\n`])
  const page = readFileSync(join(cwd, 'wiki/index.html'), 'utf8')
  t.match(page, /nonconformant/)
  for (const [, link = ''] of page.matchAll(/href="([^"#]+)"/g))
    t.ok(existsSync(join(cwd, 'wiki', link)), link)
  t.equal(readdirSync(join(cwd, 'wiki/badges')).length, 2)
  t.match(readFileSync(join(cwd, 'wiki/badge.svg'), 'utf8'), /^<svg/)
  t.notMatch(page, /<(?:link|img|iframe|form)\b|src=/)
  const misuse = async (...args: readonly string[]) => (await callCommand(['board', ...args], { cwd })).stderr
  t.match(await misuse(), /^token-assay: board takes one folder of reports, found 0 arguments\n$/)
  t.match(
    await misuse('none'),
    /^token-assay: none: expected report\.json files of runs below it, found none\n$/,
  )
  t.notOk(existsSync(join(cwd, 'token-assay-board')), 'nothing is written where no board is')
  for (const folder of ['nowhere', 'x'.repeat(5000)])
    t.match(await misuse(folder), new RegExp(`^token-assay: ${folder}: expected a folder of reports\\n$`))
})

t.test('a newest report that cannot be read leaves no older badge', async (t) => {
  const cwd = t.testdir({ runs: { a: { 'report.json': renderJson(greenReport) }, b: { 'report.json': '' } } })
  const badge = async (): Promise<string> => {
    await callCommand(['board', 'runs', '--out', 'wiki'], { cwd })
    return readFileSync(join(cwd, 'wiki/badge.svg'), 'utf8')
  }
  t.match(await badge(), /<title>token contract: the newest report cannot be read</)
  const before = new Date(Date.parse(greenReport.startedAt) - 60_000)
  utimesSync(join(cwd, 'runs/b/report.json'), before, before)
  t.match(await badge(), /<title>token contract: conformant, /)
  writeFileSync(join(cwd, 'runs/a/report.json'), '')
  t.match(await badge(), 'cannot be read', 'none can be read')
  writeFileSync(join(cwd, 'wiki/badge.svg'), 'of before')
  rmSync(join(cwd, 'runs/b/report.json'))
  writeFileSync(join(cwd, 'runs/a/report.json'), renderJson({ ...greenReport, selection: { shard: '1/2' } }))
  t.match(await badge(), 'cannot be read', 'a shard alone')
})
