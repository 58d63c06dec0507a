import t from 'tap'
import { renderMatrix } from '../../cli/prove/render.js'
import type { Outcome } from '../../spec/model/report.js'
import type { Requirement } from '../../spec/model/specification.js'
import type { Assessment } from '../jobs/job.js'
import type { Mutant } from '../mutants/mutant.js'
import type { Variant } from '../variants/variant.js'
import { composeMatrix, type Proof } from './kill-matrix.js'
import { renderPage } from './page.js'

const rule = (id: string): Requirement => ({
  id,
  section: '1',
  level: 'must',
  statement: `${id} holds.`,
  cases: ['c/x'],
})
const specification = { hash: 'sha256:0', requirements: [rule('A'), rule('B'), rule('C')] }

const mutant = (id: string, violates: readonly string[], expect: Mutant['expect'] = 'failed'): Mutant => ({
  id,
  description: `Does ${id} | wrong.`,
  violates,
  collateral: ['C'],
  needs: 'default',
  expect,
  behaviour: () => ({}),
})
const variant: Variant = { id: 'other', description: 'Differs.', needs: 'default', behaviour: () => ({}) }

function run(kind: Assessment['kind'], id: string, seed: number, red: readonly string[]): Assessment {
  const outcome = (id: string): Outcome => (red.includes(id) ? 'failed' : 'passed')
  const rules = ['A', 'B', 'C'].map((id) => [id, { outcome: outcome(id) }])
  const verdict = red.length > 0 ? 'nonconformant' : 'conformant'
  return {
    kind,
    id,
    seed,
    verdict,
    rules: Object.fromEntries(rules),
    failures: [],
    counterexamples: {},
    durationMs: seed,
  }
}

const proof: Proof = {
  specification,
  selected: { mutants: [mutant('one', ['A']), mutant('two', ['A', 'B'])], variants: [variant] },
  seeds: [1, 2],
  assessments: [
    run('mutant', 'one', 1, ['A', 'C']),
    run('mutant', 'one', 2, ['A']),
    run('mutant', 'two', 1, ['A']),
    run('mutant', 'two', 2, ['A', 'B']),
    run('variant', 'other', 1, []),
    run('variant', 'other', 2, []),
  ],
  isWhole: true,
}
const plain = { color: false, quiet: false, durationMs: 1200 }

t.test(
  'a mutant is killed by what is red with every seed; a problem names the seeds that show it',
  async (t) => {
    const matrix = composeMatrix(proof)
    t.strictSame(
      matrix.rules.map(({ id, killed, problems }) => [id, killed, problems.length]),
      [
        ['A', ['one', 'two'], 0],
        ['B', [], 0],
        ['C', [], 1],
      ],
    )
    t.strictSame(matrix.mutants[0]?.problems, [])
    t.match(matrix.mutants[1]?.problems, [/^B .* is claimed, and does not go red \[seed 1\]$/])
    t.equal(matrix.problems, 2)
    t.notOk('behaviour' in (matrix.mutants[0] ?? {}), 'it is data')
  },
)

t.test('a rule without a mutant is no problem where only some were run', async (t) => {
  t.equal(composeMatrix({ ...proof, isWhole: false }).problems, 1)
})

t.test('the terminal shows problems first, then every mutant, variant and rule', async (t) => {
  const text = renderMatrix(composeMatrix(proof), plain)
  t.match(text, /^✗ mutant two: Does two \| wrong\.\n {4}B .*\n✗ rule C: C holds\.\n {4}no mutant breaks it/)
  t.match(text, /\n {2}one +killed by A \(\+ C\)\n {2}two +killed by A \(\+ B\)\n/)
  t.match(text, /\n {2}other +conformant\n/)
  t.match(text, /\n {2}A +2 mutants\n {2}B +0 mutants\n/)
  t.match(text, /\n✗ NOT PROVEN: 2 problems; 2 mutants, 1 variant, 1 rule seen red, 2 seeds, 1\.2 s\n$/)
  const quiet = renderMatrix(composeMatrix(proof), { ...plain, quiet: true })
  t.notMatch(quiet, /killed by/)
  t.match(quiet, /^✗ mutant two/)
})

t.test('what survives, and what is unavailable, is shown as such', async (t) => {
  const selected = { mutants: [mutant('green', ['A']), mutant('down', [], 'cantTell')], variants: [variant] }
  const assessments = [
    run('mutant', 'green', 1, []),
    { ...run('mutant', 'down', 1, []), verdict: 'inconclusive' as const },
    run('variant', 'other', 1, ['B']),
  ]
  const matrix = composeMatrix({ ...proof, selected, assessments, seeds: [1] })
  const text = renderMatrix(matrix, plain)
  t.match(text, /\n {2}green +SURVIVES\n {2}down +inconclusive\n/)
  t.match(text, /\n {2}other +NOT conformant\n/)
  t.match(text, /, seed 1, /)
  t.match(renderPage(matrix), '|down|Does down \\| wrong.|inconclusive: exit code 3|')
})

t.test('the page is the same whatever the seeds, the times and the collateral', async (t) => {
  const lucky = {
    ...proof,
    seeds: [7],
    assessments: [
      run('mutant', 'one', 7, ['A']),
      run('mutant', 'two', 7, ['A', 'C']),
      run('variant', 'other', 7, []),
    ],
  }
  const page = renderPage(composeMatrix(proof))
  t.equal(renderPage(composeMatrix(lucky)), page)
  t.match(page, '|`A`|2|')
  t.match(page, '|two|Does two \\| wrong.|`A`|')
})
