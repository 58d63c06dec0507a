import { createHash } from 'node:crypto'
import type { Case } from '../spec/model/case.js'
import { worst } from '../spec/model/summary.js'
import type { Assessment } from './job.js'
import { redRules } from './matrix/claims.js'
import type { Mutant } from './mutants/mutant.js'

/** Of the default runs, for cases that judge no violated rule: with one seed they draw the same for every mutant. */
export const OTHER_CASES = 0.03
/** Of the default runs, at first: systematic inputs come before drawn ones, and show most mutants. */
const FIRST_LOOK = 0.1
/** In how many seeds each other case gets its turn once. */
const TURNS = 16

/** A part of the suite that one mutant is to meet. */
export interface Stage {
  /** Case ids; default: every case, and the observations. */
  readonly only?: readonly string[]
  readonly shareOf: (testCase: Case) => number
}

/**
 * A mutant is caught once the rules that it violates are red: first the cases that judge them try a few inputs, and of the
 * others, in which nothing may go red, those whose turn it is by seed; then one case after the other tries all that it draws,
 * until none of the rules is green. Some mutants are wrong only through a provider, others only after hundreds of requests:
 * for these the whole suite runs.
 * @param shownOf what all stages so far have shown together
 */
export function* stagesOf(
  { id, violates, expect, smallest = {} }: Pick<Mutant, 'id' | 'violates' | 'expect' | 'smallest'>,
  cases: readonly Case[],
  seed: number,
  shownOf: () => Assessment | undefined,
): Generator<Stage> {
  const greenOf = (): readonly string[] => {
    const shown = shownOf()
    const red = shown === undefined ? [] : redRules(shown)
    return violates.filter((rule) => !red.includes(rule))
  }
  const judging = (rules: readonly string[]): readonly Case[] =>
    cases.filter((testCase) => judges(testCase, rules) || testCase.id in smallest)
  const ids = (chosen: readonly Case[]): readonly string[] => chosen.map((testCase) => testCase.id)
  const own = judging(violates)
  const whole: Stage = { shareOf: (testCase) => (own.includes(testCase) ? 1 : OTHER_CASES) }
  if (expect === 'cantTell') return yield* untilInconclusive(shownOf)
  if (own.length === 0) return yield whole
  const others = cases.filter((testCase) => !own.includes(testCase) && hasTurn(id, testCase, seed))
  const atFirst = (testCase: Case): number =>
    testCase.id in smallest ? 1 : own.includes(testCase) ? FIRST_LOOK : OTHER_CASES
  yield { only: ids([...own, ...others]), shareOf: atFirst }
  const stillJudging = (chosen: readonly Case[]): readonly Case[] =>
    chosen.filter((testCase) => judges(testCase, greenOf()))
  // What is judged of every answer, whatever drew it, may be wrong of those that a provider's user is given.
  const hearing = stillJudging(own.filter(({ invariant }) => invariant !== undefined))
  if (hearing.length > 0)
    yield { only: ids([...hearing, ...cases.filter(signsIn)]), shareOf: () => FIRST_LOOK }
  for (const testCase of own.filter(hasMoreInputs))
    if (stillJudging([testCase]).length > 0) yield { only: [testCase.id], shareOf: () => 1 }
  if (greenOf().length > 0) yield whole
}

/** An unavailable mutant violates no rule, and may fail only after hundreds of requests. */
function* untilInconclusive(shownOf: () => Assessment | undefined): Generator<Stage> {
  yield { shareOf: () => FIRST_LOOK }
  if (shownOf()?.verdict !== 'inconclusive') yield { shareOf: () => 1 }
}

/** Whether it is the turn of this case with this mutant or variant: over any so many seeds in a row each has it once. */
export function hasTurn(server: string, { id }: Case, seed: number): boolean {
  const place = createHash('sha256').update(`${server}\0${id}`).digest().readUInt32BE(0) % TURNS
  return place === ((seed % TURNS) + TURNS) % TURNS
}

/** Whether the case sends more at the full number of runs than at a part of it. */
function hasMoreInputs({ forall, repeat, rounds }: Case): boolean {
  return forall !== undefined || repeat !== undefined || rounds !== undefined
}

function signsIn({ steps }: Case): boolean {
  return steps.some(({ signIn }) => signIn !== undefined)
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
