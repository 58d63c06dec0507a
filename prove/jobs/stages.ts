import { createHash } from 'node:crypto'
import type { Case } from '../../spec/model/case.js'
import type { Mutant } from '../mutants/mutant.js'
import type { Variant } from '../variants/variant.js'
import type { Job } from './job.js'

/** Of the default runs, for cases that judge no violated rule: with one seed they draw the same for every mutant. */
const OTHER_CASES = 0.03
/** Of the default runs, at first: systematic inputs come before drawn ones, and show most mutants. */
const FIRST_LOOK = 0.1
/** Of the default runs of a variant: for a case that has its turn, and for the others. Any rule may be misjudged. */
const VARIANT = [0.1, 0.01] as const
/** The same where each answer costs much, or where the server takes few requests a second. */
const SLOW_VARIANT = [0.05, 0.01] as const
/** In how many seeds each other case gets its turn once. */
const TURNS = 16

/** A part of the suite that a server meets. */
export interface Stage {
  /** Patterns over cases and rules; default: every case, and the observations. */
  readonly only?: readonly string[]
  /** The share of the default runs. */
  readonly shareOf: (testCase: Case) => number
}

/**
 * What a mutant meets, stage by stage until the rules that it violates are red. First the cases that judge them try a few
 * inputs, and of the others, in which nothing may go red, those whose turn it is by seed. Then the whole suite runs: some
 * mutants are wrong only through a provider, others only after hundreds of requests.
 */
export function stagesOfMutant(
  { id, violates, expect, smallest = {} }: Pick<Mutant, 'id' | 'violates' | 'expect' | 'smallest'>,
  cases: readonly Case[],
  { seed, full, only, profile, effort }: Pick<Job, 'seed' | 'full' | 'only' | 'profile' | 'effort'>,
): readonly [Stage, ...Stage[]] {
  if (profile !== undefined) return [profileStage(profile, violates)]
  if (full || only !== undefined || effort !== undefined) return [{ ...(only && { only }), shareOf: () => 1 }]
  const isOwn = (testCase: Case): boolean =>
    expect === 'cantTell' || testCase.id in smallest || judges(testCase, violates)
  const atFirst = cases.filter((testCase) => isOwn(testCase) || hasTurn(id, testCase, seed))
  return [
    {
      only: atFirst.map((testCase) => testCase.id),
      shareOf: (testCase) => (testCase.id in smallest ? 1 : isOwn(testCase) ? FIRST_LOOK : OTHER_CASES),
    },
    { shareOf: (testCase) => (isOwn(testCase) ? 1 : OTHER_CASES) },
  ]
}

/** What a variant meets: every case, unless the job or the variant names some. */
export function stageOfVariant(
  { id, cases, declares = {} }: Variant,
  { seed, full, only, profile, effort }: Job,
): Stage {
  if (profile !== undefined) return profileStage(profile)
  const isSlow = cases !== undefined || declares.maxRequestsPerSecond !== undefined
  const [share, shareOfOthers] = isSlow ? SLOW_VARIANT : VARIANT
  const chosen = only ?? (full ? undefined : cases)
  return {
    ...(chosen && { only: chosen }),
    shareOf: (testCase) => {
      if ((full || effort !== undefined) && !isSlow) return 1
      return full || only !== undefined || hasTurn(id, testCase, seed) ? share : shareOfOthers
    },
  }
}

/** All cases of the profile; those that judge no violated rule with a part of their inputs. */
function profileStage(profile: string, violates: readonly string[] = []): Stage {
  const [share] = VARIANT
  return { only: [`${profile}:*`], shareOf: (testCase) => (judges(testCase, violates) ? 1 : share) }
}

/** Whether it is the turn of this case with this mutant or variant: in sixteen seeds in a row each has it once. */
function hasTurn(server: string, { id }: Case, seed: number): boolean {
  const place = createHash('sha256').update(`${server}\0${id}`).digest().readUInt32BE(0) % TURNS
  return place === ((seed % TURNS) + TURNS) % TURNS
}

function judges({ steps }: Case, rules: readonly string[]): boolean {
  return steps.some(({ expect = [] }) => expect.some(({ rule }) => rules.includes(rule)))
}
