import { createHash } from 'node:crypto'
import type { Case } from '../spec/model/case.js'
import { worst } from '../spec/model/summary.js'
import type { Assessment } from './job.js'
import type { Mutant } from './mutants/mutant.js'

/** Of the default runs, for cases that judge no violated rule: with one seed they draw the same for every mutant. */
const OTHER_CASES = 0.03
/** Of the default runs, at first: systematic inputs come before drawn ones, and show most mutants. */
const FIRST_LOOK = 0.1
/** In how many seeds each other case gets its turn once. */
const TURNS = 8

/** A part of the suite that one mutant is to meet. */
export interface Stage {
  /** Case ids; default: every case, and the observations. */
  readonly only?: readonly string[]
  readonly shareOf: (testCase: Case) => number
}

/**
 * A mutant is caught once the rules that it violates are red: first the cases that judge them try a few inputs, then those
 * that have found nothing try all, then the whole suite runs, as some mutants are wrong only after hundreds of requests.
 * The other cases, in which nothing may go red, have their turn by seed.
 * @param greenOf which of the violated rules are not red yet
 */
export function* stagesOf(
  { id, violates, expect, smallest = {} }: Pick<Mutant, 'id' | 'violates' | 'expect' | 'smallest'>,
  cases: readonly Case[],
  seed: number,
  greenOf: () => readonly string[],
): Generator<Stage> {
  const judging = (rules: readonly string[]): readonly Case[] =>
    cases.filter((testCase) => judges(testCase, rules) || testCase.id in smallest)
  const ids = (chosen: readonly Case[]): readonly string[] => chosen.map((testCase) => testCase.id)
  const own = judging(violates)
  const whole: Stage = { shareOf: (testCase) => (own.includes(testCase) ? 1 : OTHER_CASES) }
  // An unavailable mutant violates no rule, and may fail only after hundreds of requests.
  if (expect === 'cantTell') return yield { shareOf: () => 1 }
  if (own.length === 0) return yield whole
  yield { only: ids(own), shareOf: (testCase) => (testCase.id in smallest ? 1 : FIRST_LOOK) }
  if (greenOf().length > 0) yield { only: ids(judging(greenOf())), shareOf: () => 1 }
  if (greenOf().length > 0) return yield whole
  const others = cases.filter((testCase) => !own.includes(testCase) && turnOf(id, testCase) === turn(seed))
  if (others.length > 0) yield { only: ids(others), shareOf: () => OTHER_CASES }
}

function turn(seed: number): number {
  return ((seed % TURNS) + TURNS) % TURNS
}

function turnOf(mutant: string, { id }: Case): number {
  return createHash('sha256').update(`${mutant}\0${id}`).digest().readUInt32BE(0) % TURNS
}

function judges({ steps }: Case, rules: readonly string[]): boolean {
  return steps.some(({ expect = [] }) => expect.some(({ rule }) => rules.includes(rule)))
}

/** What several runs against one server showed together: of each rule the worst, and of each case what failed first. */
export function together(first: Assessment, next: Assessment): Assessment {
  const rules = Object.entries(next.rules).map(([rule, found]) => {
    const before = first.rules[rule]
    const isWorse = before === undefined || worst([before.outcome, found.outcome]) !== before.outcome
    return [rule, isWorse ? found : before] as const
  })
  return {
    ...next,
    verdict: first.verdict === 'nonconformant' ? first.verdict : next.verdict,
    rules: { ...first.rules, ...Object.fromEntries(rules) },
    failures: [...first.failures, ...next.failures],
    counterexamples: { ...next.counterexamples, ...first.counterexamples },
    durationMs: first.durationMs + next.durationMs,
  }
}
