/** The action as GitHub's runner would run it: inputs put into variables, scripts into bash, outputs read from a file. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { startReferenceServer } from '../../reference/server.js'
import { readReport, runCommand } from '../fixtures/command.js'
import { action, BUNDLE, bash, NODE_OPTIONS, stepEnv } from '../fixtures/run-action.js'

interface Done {
  readonly exitCode: number
  readonly printed: string
  /** By name, as the runner reads them. */
  readonly outputs: Readonly<Record<string, string>>
  readonly folder: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What is harmless as an argument, and would not be in a script, or as a line of the file of outputs. */
const HOSTILE: readonly string[] = [
  '$(touch pwned)',
  '`touch pwned`',
  '"; touch pwned; "',
  "'; touch pwned; '",
  'x\nverdict=conformant\n::set-output name=verdict::conformant\n',
  '::error::x\r\n::add-mask::a',
  '--reporter=json=pwned',
  '* ~ $HOME $IFS \\',
]

const server = await startReferenceServer({
  accounts: [{ userName: 'alice', password: 'Alice-and-1-password' }],
  hashing: 'fast',
})
t.teardown(() => server.close())
const SERVICE = { 'base-url': server.url, 'user-name': 'alice', password: 'Alice-and-1-password' }

t.test('without a service the step is refused', async (t) => {
  const { exitCode, outputs, printed } = await runStep(t, { 'base-url': '', 'user-name': '', password: '' })
  t.equal(exitCode, 2)
  t.strictSame(outputs, { 'exit-code': '2' })
  t.match(printed, /^::error title=Token Assay::there is nothing to test: give base-url, or target/m)
})

t.test('no input is part of a script, no other action is used, each output is written', async (t) => {
  const { using, steps } = action.runs
  t.equal(using, 'composite')
  for (const step of steps) {
    t.notMatch(step.run, /\$\{\{/, step.id)
    t.equal(step.shell, 'bash')
    t.notOk('uses' in step)
  }
  const read = new Set(steps.flatMap(({ env = {}, ...step }) => [...Object.values(env), step.if ?? '']))
  for (const name of Object.keys(action.inputs).filter((name) => name !== 'comment'))
    t.ok(read.has(`\${{ inputs.${name} }}`), `${name} is read`)
  t.ok(read.has("${{ !cancelled() && inputs.comment == 'true' }}"))
  for (const [name, { value }] of Object.entries(action.outputs))
    t.equal(value, `\${{ steps.run.outputs.${name} }}`)
})

t.test('a run says its verdict and its counts', async (t) => {
  const { exitCode, outputs, folder, printed } = await runStep(t, {
    only: '4.1/*\n2.1/*\n',
    junit: 'junit.xml',
  })
  t.equal(exitCode, 0, printed)
  const { verdict, counts, selection } = readReport(folder)
  t.strictSame(outputs, {
    'exit-code': '0',
    verdict,
    passed: `${counts.passed}`,
    failed: `${counts.failed}`,
    'cant-tell': `${counts.cantTell}`,
    inapplicable: `${counts.inapplicable}`,
    untested: `${counts.untested}`,
    waived: `${counts.waived}`,
    report: 'token-assay-report/report.partial.json',
  })
  t.strictSame(Object.keys(outputs).toSorted(), Object.keys(action.outputs).toSorted())
  t.strictSame(selection?.only, ['4.1/*', '2.1/*'])
  t.ok(readdirSync(folder).includes('junit.xml'))
  t.match(readFileSync(join(folder, 'summary'), 'utf8'), 'CONFORMANT')
})

t.test('hostile inputs are arguments, and nothing else', async (t) => {
  const switches = ['strict', 'includes-user-id']
  const names = Object.keys(action.inputs).filter((name) => !switches.includes(name))
  const each = (text: string) => [
    Object.fromEntries(names.map((name) => [name, text])),
    ...switches.map((name) => ({ [name]: text })),
  ]
  for (const text of HOSTILE)
    for (const inputs of each(text)) {
      const { exitCode, outputs, folder, printed } = await runStep(t, inputs)
      const where = `${Object.keys(inputs)[0]}: ${JSON.stringify(text)}`
      t.equal(exitCode, 2, `${where}: ${printed}`)
      t.strictSame(outputs, { 'exit-code': '2' }, where)
      t.notOk(readdirSync(folder).includes('pwned'), where)
      t.notMatch(printed, /^::(?!error title=Token Assay::)/m, where)
    }
})

t.test('a folder with a hostile name is a folder, and its name poses as no output', async (t) => {
  for (const out of HOSTILE.filter((text) => !text.startsWith('::'))) {
    const { outputs, folder, printed, exitCode } = await runStep(t, { only: '5-R1', out })
    t.equal(exitCode, 0, printed)
    t.equal(outputs.report, `${out}/report.partial.json`)
    t.equal(outputs.verdict, 'conformant')
    t.equal(Object.keys(outputs).length, Object.keys(action.outputs).length, out)
    t.notOk(readdirSync(folder).includes('pwned'), out)
  }
})

t.test('a refused call leaves an earlier report unread', async (t) => {
  const { exitCode, outputs } = await runStep(
    t,
    { target: 'none.yaml' },
    { verdict: 'conformant', counts: {} },
  )
  t.equal(exitCode, 2)
  t.strictSame(outputs, { 'exit-code': '2' })
})

t.test('every input is the flag of its name, or the reason is given', async (t) => {
  const { stdout } = await runCommand(['run', '--help'], { cwd: ROOT })
  const flags = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name = '']) => name)
  const inputs = Object.keys(action.inputs)
  // The argument of `run`, the secret, the reporter that pipelines know, and what the comment needs.
  const others = inputs.filter((name) => !flags.includes(name))
  t.strictSame(others, ['base-url', 'password', 'junit', 'comment', 'compare-with'])
  // For a person at work, or for the package itself: no gate needs them.
  const none = flags.filter((name) => !inputs.includes(name))
  t.strictSame(
    none.join(' '),
    'embedded password-stdin insecure last-failed watch open exhaustive replay update-baseline bail trace quiet verbose no-color help',
  )
})

t.test('inputs become flags, a line each where several may be given', async (t) => {
  const inputs = {
    'includes-user-id': 'false',
    'token-lifetime': '1209600',
    only: '2.1/token-response',
    profile: 'security\nkatana',
    gate: 'rfc6749',
    seed: '7',
    runs: '1',
    concurrency: '2',
    'max-duration': '600',
    shard: '1/1',
    reporter: 'ctrf=report.ctrf.json\ntap=report.tap',
    'keep-exchanges': 'none',
    strict: 'true',
  }
  const { exitCode, folder, printed } = await runStep(t, inputs)
  t.not(exitCode, 2, printed)
  const report = readReport(folder)
  t.match(report, { seed: 7, selection: { only: ['2.1/token-response'] } }, printed)
  t.strictSame(
    report.results.flatMap(({ exchanges }) => exchanges),
    [],
  )
  for (const file of ['report.ctrf.json', 'report.tap']) t.ok(readdirSync(folder).includes(file))
})

t.test('on a release nothing is built; on any other commit once, without scripts of others', async (t) => {
  const folder = t.testdir({ bin: {}, action: {} })
  const npm = `#!/bin/sh
echo "npm $*" >> "$CALLS"
if [ "$1" = run ]; then mkdir build; echo > build/token-assay.cjs; fi
`
  await writeFile(join(folder, 'bin/npm'), npm, { mode: 0o755 })
  const calls = join(folder, 'calls')
  const env = {
    GITHUB_ACTION_PATH: join(folder, 'action'),
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    CALLS: calls,
  }
  const script = action.runs.steps.find(({ id }) => id === 'build')?.run ?? ''
  for (const _ of [1, 2]) t.match(await bash(script, folder, env), { exitCode: 0 })
  t.equal(
    readFileSync(calls, 'utf8'),
    'npm ci --ignore-scripts --include=dev --no-audit --no-fund\nnpm run --silent build:bundle\n',
  )
})

/** The last step with these inputs, and the service unless they name another. @param before a report that lies there already */
async function runStep(t: Test, own: Readonly<Record<string, string>>, before?: unknown): Promise<Done> {
  const inputs: Readonly<Record<string, string>> = { ...SERVICE, ...own }
  const folder = t.testdir({
    work: before === undefined ? {} : { 'token-assay-report': { 'report.json': JSON.stringify(before) } },
    action: { build: BUNDLE },
  })
  const step = action.runs.steps.find(({ id }) => id === 'run')
  const values = Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value] as const)
  const work = join(folder, 'work')
  const file = join(folder, 'outputs')
  await mkdir(work, { recursive: true })
  await writeFile(file, '')
  const ended = await bash(step?.run ?? '', work, {
    ...stepEnv('run', Object.fromEntries(values)),
    GITHUB_ACTION_PATH: join(folder, 'action'),
    GITHUB_OUTPUT: file,
    GITHUB_STEP_SUMMARY: join(work, 'summary'),
    NODE_OPTIONS,
  })
  return { ...ended, outputs: outputsOf(readFileSync(file, 'utf8')), folder: work }
}

/** The file of outputs as the runner reads it: `name=value` lines, and values between marks. */
function outputsOf(text: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  while (lines.length > 0) {
    const line = lines.shift() ?? ''
    const [, name = '', mark] = /^([^=<]+)<<(.+)$/.exec(line) ?? []
    if (mark === undefined) {
      const [key = '', ...value] = line.split('=')
      if (key !== '') outputs[key] = value.join('=')
      continue
    }
    outputs[name] = lines.splice(0, lines.indexOf(mark)).join('\n')
    lines.shift()
  }
  return outputs
}
