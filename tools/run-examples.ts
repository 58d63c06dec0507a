/**
 * Installs the examples, checks their types against the build, and runs each as its package.json says. Exit code 0:
 * every test that an example's files declare has passed, and each example declares some. None is green by accident.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declaredTests, passedTests } from './example-tests.js'

const examples = fileURLToPath(new URL('../examples', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'token-assay-examples-'))

/** How each runner is asked for a record of its run in addition to its output. */
const recordedBy: Record<string, (file: string) => { args?: readonly string[]; nodeOptions?: string }> = {
  tap: (file) => ({ args: [`--output-file=${file}`] }),
  'node-test': (file) => ({
    nodeOptions:
      '--test-reporter=spec --test-reporter-destination=stdout ' +
      `--test-reporter=tap --test-reporter-destination=${file}`,
  }),
  vitest: (file) => ({ args: ['--reporter=default', '--reporter=json', `--outputFile=${file}`] }),
  jest: (file) => ({ args: ['--json', `--outputFile=${file}`] }),
  'commonjs-jest': (file) => ({ args: ['--json', `--outputFile=${file}`] }),
  'commonjs-mocha': mochaRecord,
  'commonjs-ts-node': mochaRecord,
}

function mochaRecord(file: string): { args: readonly string[] } {
  return { args: ['--reporter=json', `--reporter-option=output=${file}`] }
}

function npm(args: readonly string[], nodeOptions = ''): boolean {
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${nodeOptions}` }
  return spawnSync('npm', args, { cwd: examples, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

/** What is wrong with this example; empty when nothing is. */
function problemsOf(name: string, recorded: (typeof recordedBy)[string]): readonly string[] {
  console.log(`\n-- examples/${name}`)
  const folder = join(examples, name.replace('commonjs-', 'commonjs/'))
  const sources = readdirSync(folder).filter((file) => /\.test\.[jt]s$/.test(file))
  const declared = sources.flatMap((file) => declaredTests(readFileSync(join(folder, file), 'utf8')))
  if (declared.length === 0) return [`${name} declares no test`]
  if (new Set(declared).size < declared.length) return [`${name} declares two tests of one title`]

  const record = join(work, name)
  const { args = [], nodeOptions } = recorded(record)
  if (!npm(['run', '--silent', name, '--', ...args], nodeOptions)) {
    // mocha has one reporter at a time, and shows nothing beside its record.
    if (recorded === mochaRecord && existsSync(record)) console.error(readFileSync(record, 'utf8'))
    return [`${name} failed`]
  }
  const passed = passedTests(readFileSync(record, 'utf8'))
  const missing = declared.filter((title) => !passed.has(title))
  if (missing.length === 0) console.log(`${name}: ${declared.length} tests declared, all passed`)
  return missing.map((title) => `${name} did not pass: ${title}`)
}

try {
  const ready = npm(['ci', '--no-audit', '--no-fund']) && npm(['run', '--silent', 'types'])
  const problems = ready
    ? Object.entries(recordedBy).flatMap(([name, recorded]) => problemsOf(name, recorded))
    : ['the examples are not ready to run']
  for (const problem of problems) console.error(`✗ ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  rmSync(work, { recursive: true, force: true })
}
