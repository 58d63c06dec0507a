/** Each adapter with its framework: the example, against a right and a wrong service, and a command that does not do its work. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { greenReport, redReport } from '../../reports/fixtures/sample-report.js'
import { renderNdjson } from '../../reports/formats/ndjson/ndjson.js'
import type { Outcome, Report } from '../../spec/model/report.js'
import { COMMAND } from '../fixtures/command.js'
import { ADAPTERS, type Adapter, type Status } from './adapters.js'

const FOLDER = fileURLToPath(new URL('../../adapters', import.meta.url))
const NODE = [process.execPath, ...COMMAND].join(' ')
/** A mutant that breaks one rule that gates. */
const MUTANT = 'trailing-comma'

const SHOWN: Readonly<Record<Outcome, Status>> = {
  ...{ passed: 'passed', failed: 'failed', cantTell: 'failed', inapplicable: 'skipped', untested: 'skipped' },
}

interface Ran {
  readonly exitCode: number | null
  readonly tests: ReadonlyMap<string, Status>
  readonly printed: string
  readonly folder: string
}

function setUp(t: Test, { name }: Adapter, env: NodeJS.ProcessEnv) {
  const cwd = t.testdir({})
  cpSync(join(FOLDER, name), cwd, { recursive: true })
  return { cwd, env: { ...process.env, TOKEN_ASSAY: NODE, ...env } }
}

function runExample(t: Test, adapter: Adapter, env: NodeJS.ProcessEnv): Ran {
  const { commands, file, read } = adapter
  const options = setUp(t, adapter, env)
  const folder = options.cwd
  let ended: ReturnType<typeof spawnSync> | undefined
  for (const [command = '', ...args] of commands) ended = spawnSync(command, args, options)
  const { status = null, stdout = '', stderr = '' } = ended ?? {}
  const written = file === undefined ? String(stdout) : join(folder, file)
  const text = file === undefined ? written : existsSync(written) ? readFileSync(written, 'utf8') : ''
  return {
    exitCode: status,
    tests: text === '' ? new Map() : read(text),
    printed: `${stdout}${stderr}`,
    folder,
  }
}

/** Every result of `report.json`, as a test. */
function expected(folder: string): ReadonlyMap<string, Status> {
  const report: Report = JSON.parse(
    readFileSync(join(folder, 'token-assay-report/report.partial.json'), 'utf8'),
  )
  return new Map(report.results.map(({ id, outcome }) => [id, SHOWN[outcome]]))
}

const sorted = (tests: ReadonlyMap<string, Status>) => [...tests].toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * A command whose `run` prints a text and ends with a code. That asks no server: what it serves is an address alone, until its
 * input ends, as the real one does.
 */
const FAKE = `#!/bin/sh
if [ "$1" = serve ]; then echo http://127.0.0.1:9; exec cat; fi
cat "$STREAM"
exit "$CODE"
`
const whole = renderNdjson(greenReport)
const FAULTS: Readonly<Record<string, { readonly stream: string; readonly code: number }>> = {
  'a command that crashes': { stream: '', code: 70 },
  'misuse, with a report of an earlier run': { stream: whole, code: 2 },
  'a stream that was cut between two lines': { stream: whole.split('\n').slice(0, -2).join('\n'), code: 0 },
  'a stream that was cut within a line': { stream: whole.slice(0, -10), code: 0 },
  'nothing at all': { stream: '', code: 0 },
  'a last line without tests': { stream: '{"type":"footer"}\n', code: 0 },
  'no test': { stream: '{"type":"footer","tests":[]}\n', code: 0 },
  'an exit code that no test explains': { stream: whole, code: 1 },
}

for (const adapter of ADAPTERS) {
  const skip = adapter.isThere() ? false : 'it is not installed'
  t.test(`${adapter.name}: the tests are the results`, { skip }, async (t) => {
    const right = runExample(t, adapter, {})
    t.equal(right.exitCode, 0, right.printed)
    t.strictSame(sorted(right.tests), sorted(expected(right.folder)))
    t.ok([...right.tests.values()].filter((status) => status === 'passed').length > 30)
    const wrong = runExample(t, adapter, { EXAMPLE_MUTANT: MUTANT })
    t.not(wrong.exitCode, 0)
    t.strictSame(sorted(wrong.tests), sorted(expected(wrong.folder)))
    t.equal(wrong.tests.get('default/2.1/token-response'), 'failed')
    t.match(wrong.printed, /token-assay run \S+ --user-name alice --replay/, 'how to repeat it')
  })

  t.test(`${adapter.name}: what is no whole report is red`, { skip }, async (t) => {
    for (const [name, { stream, code }] of Object.entries(FAULTS)) {
      const bin = t.testdir({})
      const [fake, file] = [
        join(bin, '..', `${adapter.name}-fake`),
        join(bin, '..', `${adapter.name}-stream`),
      ]
      writeFileSync(fake, FAKE, { mode: 0o755 })
      writeFileSync(file, stream)
      const env = { TOKEN_ASSAY: fake, STREAM: file, CODE: String(code) }
      const { exitCode, printed } = runExample(t, adapter, env)
      t.not(exitCode, 0, `${name}: ${printed}`)
    }
    // What could not be judged, was not reached or is stale has failed; what is waived has not.
    const [fake, file] = [join(t.testdirName, '..', `${adapter.name}-fake`), join(t.testdirName, '..', 'red')]
    writeFileSync(file, renderNdjson(redReport))
    const { tests, exitCode } = runExample(t, adapter, { TOKEN_ASSAY: fake, STREAM: file, CODE: '3' })
    t.not(exitCode, 0)
    t.equal(tests.get('with-user-id/4.1/empty-form'), 'failed')
    t.equal(tests.get('default/4.1/wrong-password'), 'failed')
    t.equal(tests.get('run/1'), 'failed')
    t.equal(tests.get('default/8/at-sign'), 'skipped')
  })
}

/** A command whose `run` says who started it, and with which base URL, and then runs on. */
const ENDLESS = `#!/bin/sh
if [ "$1" = serve ]; then exec ${NODE} "$@"; fi
echo "$PPID $$ $2" > "$STARTED"
exec sleep 60
`

/** Starts the example: its process and that of the run, and the port of its server. */
async function startExample(t: Test, adapter: Adapter) {
  const files = t.testdir({})
  const [fake, started] = ['endless', 'started'].map((name) => join(files, '..', `${adapter.name}-${name}`))
  if (fake === undefined || started === undefined) throw new TypeError('there are two names')
  writeFileSync(fake, ENDLESS, { mode: 0o755 })
  rmSync(started, { force: true })
  // Who reads it waits for the line.
  spawnSync('mkfifo', [started])
  const options = setUp(t, adapter, { TOKEN_ASSAY: fake, STARTED: started })
  for (const [command = '', ...args] of adapter.commands.slice(0, -1)) spawnSync(command, args, options)
  const [command = '', ...args] = adapter.commands.at(-1) ?? []
  spawn(command, args, { ...options, stdio: 'ignore' }).unref()
  const [framework, run, url = ''] = (await readFile(started, 'utf8')).trim().split(' ')
  t.teardown(() => process.kill(Number(run), 'SIGKILL'))
  return { framework: Number(framework), port: Number(new URL(url).port) }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

// That of NUnit ends it only where .NET can say that it ends.
for (const adapter of ADAPTERS.filter(({ name }) => name !== 'nunit')) {
  const skip = adapter.isThere() ? false : 'it is not installed'
  t.test(`${adapter.name}: the reference server ends with a process that is killed`, { skip }, async (t) => {
    const { framework, port } = await startExample(t, adapter)
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    process.kill(framework, 'SIGKILL')
    // The server ends its connections once it takes no more.
    await new Promise((resolve) =>
      socket
        .resume()
        .on('error', () => {})
        .once('close', resolve),
    )
    t.notOk(await isListening(port))
  })
}

function testOf(name: string, title: string, run: (t: Test, adapter: Adapter) => void, needs = true): void {
  const adapter = ADAPTERS.find((one) => one.name === name)
  if (adapter === undefined) throw new TypeError(`no adapter for ${name}`)
  const skip = needs && adapter.isThere() ? false : 'it is not installed'
  t.test(`${name}: ${title}`, { skip }, async (t) => run(t, adapter))
}

const hasWorkers = spawnSync('/usr/bin/python3', ['-c', 'import pytest, xdist']).status === 0
testOf(
  'pytest',
  'in a worker of pytest-xdist the failure of the one test shows each case that failed',
  (t, pytest) => {
    const inWorkers = { ...pytest, commands: [[...(pytest.commands.at(-1) ?? []), '-n', '2']] }
    const right = runExample(t, inWorkers, {})
    t.equal(right.exitCode, 0, right.printed)
    t.match(right.printed, /1 passed/)
    const wrong = runExample(t, inWorkers, { EXAMPLE_MUTANT: MUTANT })
    t.equal(wrong.exitCode, 1, wrong.printed)
    const failed = [...expected(wrong.folder)].flatMap(([id, status]) => (status === 'failed' ? [id] : []))
    t.not(failed.length, 0)
    for (const id of failed) t.ok(wrong.printed.includes(`[${id}]`), id)
    t.match(wrong.printed, /token-assay run \S+ --user-name alice --replay/, 'how to repeat it')
  },
  hasWorkers,
)

testOf('pytest', 'without its capture of output, too', (t, pytest) => {
  const bare = { ...pytest, commands: [[...(pytest.commands.at(-1) ?? []), '-p', 'no:capture']] }
  const right = runExample(t, bare, {})
  t.equal(right.exitCode, 0, right.printed)
  t.strictSame(sorted(right.tests), sorted(expected(right.folder)))
})

testOf('rspec', 'the line of the call alone is the whole suite, behind another example, too', (t, rspec) => {
  const spec = readFileSync(join(FOLDER, 'rspec/example_spec.rb'), 'utf8')
  const call = '  TokenAssay.examples('
  const line = spec.split('\n').findIndex((text) => text.startsWith(call)) + 2
  const insert = `s = File.read('example_spec.rb'); File.write('example_spec.rb', s.sub('${call}', "  it('answers') {}\\n${call}"))`
  const atLine = {
    ...rspec,
    commands: [
      ['ruby', '-e', insert],
      ['rspec', '--format', 'json', `example_spec.rb:${line}`],
    ],
  }
  const wrong = runExample(t, atLine, { EXAMPLE_MUTANT: MUTANT })
  t.equal(wrong.exitCode, 1, wrong.printed)
  t.strictSame(sorted(wrong.tests), sorted(expected(wrong.folder)))
})
