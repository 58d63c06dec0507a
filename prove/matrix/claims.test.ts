import t from 'tap'
import type { Outcome, Verdict } from '../../spec/model/report.js'
import type { Requirement } from '../../spec/model/specification.js'
import type { Assessment } from '../jobs/job.js'
import { type Claims, mutantProblems, rulesWithoutMutant, variantProblems } from './claims.js'

function assessment(outcomes: Readonly<Record<string, Outcome>>, verdict: Verdict): Assessment {
  const rules = Object.entries(outcomes).map(([rule, outcome]) => [
    rule,
    { outcome, because: 'c/x: so it is' },
  ])
  return {
    kind: 'mutant',
    id: 'm',
    seed: 1,
    verdict,
    rules: Object.fromEntries(rules),
    failures: [],
    counterexamples: { 'c/x': 'aB' },
    durationMs: 1,
  }
}

const claims = (violates: readonly string[], expect: Claims['expect'] = 'failed'): Claims => ({
  violates,
  collateral: ['B'],
  expect,
})

interface Row {
  readonly claims: Claims
  readonly found: Readonly<Record<string, Outcome>>
  readonly verdict: Verdict
  /** A pattern for each problem, in order. */
  readonly problems: readonly RegExp[]
}

const MUTANTS: Readonly<Record<string, Row>> = {
  'the claimed rule goes red, alone': {
    claims: claims(['A']),
    found: { A: 'failed', B: 'passed', C: 'passed' },
    verdict: 'nonconformant',
    problems: [],
  },
  'a collateral rule goes red with it': {
    claims: claims(['A']),
    found: { A: 'failed', B: 'failed', C: 'inapplicable' },
    verdict: 'nonconformant',
    problems: [],
  },
  'a recommended rule goes red, and the verdict stays': {
    claims: claims(['A']),
    found: { A: 'failed', B: 'passed' },
    verdict: 'conformant',
    problems: [],
  },
  'nothing goes red': {
    claims: claims(['A']),
    found: { A: 'passed', B: 'passed' },
    verdict: 'conformant',
    problems: [/^survives: no rule goes red, and A \(passed, .*\) is claimed$/],
  },
  'one of two claimed rules stays green': {
    claims: claims(['A', 'C']),
    found: { A: 'failed', B: 'passed', C: 'cantTell' },
    verdict: 'nonconformant',
    problems: [/^C \(cantTell, c\/x: so it is\) is claimed, and does not go red$/],
  },
  'collateral alone is no kill': {
    claims: claims(['A']),
    found: { A: 'passed', B: 'failed' },
    verdict: 'nonconformant',
    problems: [/^A .* is claimed, and does not go red$/],
  },
  'another rule goes red': {
    claims: claims(['A']),
    found: { A: 'failed', B: 'passed', C: 'failed' },
    verdict: 'nonconformant',
    problems: [/^C goes red, which is neither claimed nor collateral \(c\/x: so it is\)$/],
  },
  'a claimed rule that there is not': {
    claims: claims(['A', 'Z']),
    found: { A: 'failed', B: 'passed' },
    verdict: 'nonconformant',
    problems: [/^claims Z, which is no rule that is judged$/],
  },
  'no claim at all': {
    claims: claims([]),
    found: { A: 'passed', B: 'passed' },
    verdict: 'conformant',
    problems: [/^claims no rule/],
  },
  'the counterexample is as small as it can be': {
    claims: { ...claims(['A']), smallest: { 'c/x': /^a.$/ } },
    found: { A: 'failed', B: 'passed' },
    verdict: 'nonconformant',
    problems: [],
  },
  'the counterexample could be smaller': {
    claims: { ...claims(['A']), smallest: { 'c/x': /^a$/ } },
    found: { A: 'failed', B: 'passed' },
    verdict: 'nonconformant',
    problems: [/^the counterexample of c\/x is aB, not \/\^a\$\/$/],
  },
  'a case that is to find a counterexample finds none': {
    claims: { ...claims(['A']), smallest: { 'c/y': /^a$/ } },
    found: { A: 'failed', B: 'passed' },
    verdict: 'nonconformant',
    problems: [/^c\/y finds no counterexample, and is to find \/\^a\$\/$/],
  },
  'an unavailable one ends inconclusive': {
    claims: claims([], 'cantTell'),
    found: { A: 'cantTell', B: 'cantTell' },
    verdict: 'inconclusive',
    problems: [],
  },
  'an unavailable one is green': {
    claims: claims([], 'cantTell'),
    found: { A: 'passed', B: 'passed' },
    verdict: 'conformant',
    problems: [/^ends conformant, not inconclusive/],
  },
  'an unavailable one turns a rule red': {
    claims: claims([], 'cantTell'),
    found: { A: 'failed', B: 'cantTell' },
    verdict: 'nonconformant',
    problems: [/^ends nonconformant, not inconclusive/, /^A goes red/],
  },
  'an unavailable one that claims a rule': {
    claims: claims(['A'], 'cantTell'),
    found: { A: 'cantTell', B: 'cantTell' },
    verdict: 'inconclusive',
    problems: [/claims A all the same$/],
  },
}

for (const [title, { claims, found, verdict, problems }] of Object.entries(MUTANTS)) {
  t.test(`a mutant: ${title}`, async (t) => {
    t.match(mutantProblems(claims, assessment(found, verdict)), problems)
    t.equal(mutantProblems(claims, assessment(found, verdict)).length, problems.length)
  })
}

t.test('a variant is to be green in every rule, recommended ones too', async (t) => {
  t.strictSame(variantProblems(assessment({ A: 'passed', B: 'inapplicable' }, 'conformant')), [])
  t.strictSame(variantProblems(assessment({ A: 'failed', B: 'passed' }, 'nonconformant')), [
    'A is failed (c/x: so it is)',
  ])
  t.strictSame(variantProblems(assessment({ A: 'passed', B: 'failed' }, 'conformant')), [
    'B is failed (c/x: so it is)',
  ])
  t.strictSame(variantProblems(assessment({ A: 'cantTell' }, 'inconclusive')), [
    'A is cantTell (c/x: so it is)',
  ])
  t.strictSame(variantProblems(assessment({ A: 'untested' }, 'inconclusive')), [
    'ends inconclusive, not conformant',
  ])
})

t.test('a rule that is judged needs a mutant', async (t) => {
  const rule = (id: string, level: Requirement['level'], cases?: readonly string[]): Requirement => ({
    id,
    section: '1',
    level,
    statement: id,
    ...(cases === undefined ? {} : { cases }),
  })
  const requirements = [
    rule('claimed', 'must', ['c/x']),
    rule('must', 'must', ['c/x']),
    rule('should', 'should', ['c/x']),
    rule('later', 'must'),
    rule('untestable', 'untestable'),
  ]
  t.strictSame(rulesWithoutMutant(requirements, [{ violates: ['claimed'] }]), ['must', 'should'])
})
