import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { loadSpecification } from '../../spec/load/specification.js'
import type { Expectation } from '../../spec/model/expectation.js'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { runCommand, startCommand } from '../../tests/fixtures/command.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PASSWORD = 'Canary-in-a-mine-7'

/** Caught by 2.1-token_type alone, which one expectation judges; and by 2.1-json-object alone. */
const CAPITAL = 'capital-bearer'
const TWICE = 'duplicate-member'
const VARIANT = 'other-member-order'

t.jobs = 2

/** The tree without one expectation of the specification, and its command. */
function treeWithout(folder: string, isDeleted: (expectation: Expectation) => boolean): string {
  for (const name of ['spec', 'reference', 'conformance', 'prove', 'reports', 'cli', 'pages', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { cases } = loadSpecification()
  const left = cases.map((testCase) => ({
    ...testCase,
    steps: testCase.steps.map((step) => ({
      ...step,
      expect: (step.expect ?? []).filter((expectation) => !isDeleted(expectation)),
    })),
  }))
  writeFileSync(
    join(folder, 'spec/generated/specification.js'),
    `export const specification = ${JSON.stringify({ ...loadSpecification(), cases: left })}`,
  )
  return join(folder, 'cli/main.ts')
}

t.test('two mutants and a variant are proven, and the matrix says by which rules', async (t) => {
  const cwd = t.testdir()
  const args = ['--mutant', CAPITAL, '--mutant', TWICE, '--variant', VARIANT, '--json', 'out/matrix.json']
  const { exitCode, stdout, stderr } = await runCommand(['prove', ...args, '--page', 'page.md'], { cwd })
  t.equal(exitCode, 0, stdout)
  t.equal(stderr, '', 'no progress but on a terminal')
  t.match(stdout, new RegExp(`\\n +${CAPITAL} +killed by 2\\.1-token_type\\n`))
  t.match(stdout, new RegExp(`\\n +${VARIANT} +conformant\\n`))
  t.match(stdout, /\n +2\.1-json-object +1 mutant\n/)
  t.match(stdout, /\n✓ PROVEN: 2 mutants, 1 variant, 2 rules seen red, seed 1, /)
  const matrix: unknown = JSON.parse(readFileSync(join(cwd, 'out/matrix.json'), 'utf8'))
  t.match(matrix, {
    schemaVersion: 1,
    seeds: [1],
    mutants: [
      { id: CAPITAL, problems: [], trials: [{ verdict: 'nonconformant', red: ['2.1-token_type'] }] },
      {},
    ],
    variants: [{ id: VARIANT, problems: [], trials: [{ verdict: 'conformant', red: [] }] }],
    problems: 0,
  })
  t.match(readFileSync(join(cwd, 'page.md'), 'utf8'), `|${CAPITAL}|`)
})

t.test('with one expectation deleted: 1, and what survives it', async (t) => {
  const cwd = t.testdir()
  const main = treeWithout(cwd, ({ rule }) => rule === '2.1-token_type')
  const args = ['prove', '--mutant', CAPITAL, '--mutant', TWICE]
  const { exitCode, stdout } = await runCommand(args, { cwd, main })
  t.equal(exitCode, 1)
  t.match(
    stdout,
    new RegExp(
      `^✗ mutant ${CAPITAL}: .*\\n +survives: no rule goes red, and 2\\.1-token_type \\(untested\\) is claimed\\n`,
    ),
    'problems come first',
  )
  t.match(stdout, new RegExp(`\\n +${CAPITAL} +SURVIVES\\n`))
  t.match(stdout, new RegExp(`\\n +${TWICE} +killed by 2\\.1-json-object\\n`))
  t.match(stdout, /\n✗ NOT PROVEN: 1 problem; /)
})

t.test('a page that is not what is shown: 1', async (t) => {
  const cwd = t.testdir({ 'page.md': '# The kill matrix of yesterday\n' })
  const args = ['prove', '--quiet', '--variant', VARIANT, '--check', 'page.md']
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd })
  t.equal(exitCode, 1)
  t.match(stdout, /^✓ PROVEN: 0 mutants, 1 variant, seed 1, .*\n$/, 'quiet')
  t.match(stderr, /^token-assay: page\.md is out of date: --page page\.md writes it again\n$/)
})

t.test('what there is not is misuse', async (t) => {
  const misuses = [
    [['prove', '--mutant', 'capital-baerer'], /no mutant `capital-baerer`: did you mean `capital-bearer`\?/],
    [['prove', '--variant', CAPITAL], /no variant `capital-bearer`: there are other-member-order, /],
    [['prove', CAPITAL], /prove takes flags only: --mutant ID/],
    [['prove', '--seeds', '0'], /--seeds takes a whole number from 1 to 1000, not `0`/],
    [['prove', '--check', 'none.md'], /none\.md: expected the page that `prove --page none\.md`/],
    [['serve', '--mutant', 'capital-baerer'], /did you mean `capital-bearer`\?/],
  ] as const
  for (const [args, says] of misuses) {
    const { exitCode, stdout, stderr } = await callCommand(args, { cwd: t.testdir() })
    t.equal(exitCode, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, says)
  }
})

t.test('serve --mutant says so, and a gate goes red on it', async (t) => {
  const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }
  const flags = ['--mutant', CAPITAL, '--port', '0', '--hashing', 'fast', '--user-name', 'alice']
  const { child, ended, saying } = startCommand(['serve', ...flags], { cwd: t.testdir(), env })
  const url = (await saying('stdout', '\n')).trimEnd()
  const gate = ['run', url, '--user-name', 'alice', '--only', '2.1/*', '--skip', '*advances', '--runs', '1']
  const { exitCode, stdout } = await runCommand([...gate, '--quiet'], { cwd: t.testdir(), env })
  t.equal(exitCode, 1)
  t.match(stdout, /2\.1-token_type/)
  child.kill('SIGTERM')
  const lines = (await ended).stderr.trim().split('\n')
  t.match(JSON.parse(lines[0] ?? ''), {
    level: 'warn',
    event: 'mutant',
    id: CAPITAL,
    violates: ['2.1-token_type'],
    declared: { includesUserId: false },
  })
})
