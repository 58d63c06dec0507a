import fc from 'fast-check'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { formatReplay } from '../../../spec/model/selection.js'
import {
  answering,
  type Choice,
  differences,
  FREEDOM_NAMES,
  FREEDOMS,
  type FreedomName,
} from '../../drivers/host/legal-answers.js'
import { play } from '../../drivers/host/play.js'
import type { Client, Scenario } from '../../drivers/host/scenario.js'
import { answerId } from '../../drivers/host/scenarios.js'
import { showMet } from '../../evidence/show-met.js'
import { isSignedIn } from '../../judge/client/judge.js'
import type { ClientOptions } from './options.js'

/** Answers that differ in many ways at once: a client may break where two of them meet. */
export const SEARCH: Scenario = {
  id: 'client:answer/any-legal-answer',
  title: 'signs in whatever a legal answer looks like',
  expects: 'signed-in',
  rules: [...new Set(FREEDOM_NAMES.map((name) => FREEDOMS[name].rule))],
  service: () => ({}),
}

interface SearchOptions extends ClientOptions {
  readonly seed: number
  readonly signal: AbortSignal
  /** The cases of single differences that break the client already: those are not tried again. */
  readonly failed: ReadonlySet<string>
}

/** Generates answers, and makes one that breaks the client as plain as it can be. */
export async function searchAnswers(client: Client, options: SearchOptions): Promise<Result> {
  const { seed, runs = 20, signal, failed, reproduce, replay } = options
  const begin = performance.now()
  const scenarioOf = (choice: Choice): Scenario => ({ ...SEARCH, service: () => answering(choice) })
  const isClosed = closedWays(failed)
  let judged = 0
  let late: string | undefined
  // Want of time breaks no rule, and shows none to hold.
  const breaks = async (choice: Choice): Promise<boolean> => {
    if (signal.aborted) return false
    const played = await play(client, scenarioOf(choice), signal)
    if (signal.aborted) return false
    if (played.end.outOfTime) late ??= played.end.problem
    else judged++
    return !isSignedIn(played) && !played.end.outOfTime
  }
  const details = await fc.check(
    // Made plain here and not by the generator: a path leads to the same answer whatever else fails.
    fc.asyncProperty(choices(), async (choice) => !(await breaks(plainWhere(isClosed, choice)))),
    { numRuns: runs, ...(replay?.found === undefined ? { seed } : { ...replay.found, endOnFailure: true }) },
  )
  const counterexample = details.counterexample?.[0]
  const choice = counterexample === undefined ? undefined : plainWhere(isClosed, counterexample)
  const found = choice === undefined ? [] : differences(choice)
  const when = found.map((one) => one.when).join(', and ')
  const whole = head(performance.now() - begin, details.numRuns)
  const untold = whyUntold()
  if (untold !== undefined) return cannotTell(whole, untold)
  const path = details.counterexamplePath ?? ''
  const judgements = SEARCH.rules.map((rule): Judgement => {
    if (choice === undefined || !found.some((one) => one.rule === rule)) return { rule, outcome: 'passed' }
    return {
      rule,
      outcome: 'failed',
      message: `the client breaks when ${when}`,
      expected: 'signed in',
      actual: 'not signed in',
      counterexample: {
        values: { answer: found.map((one) => one.when) },
        seed,
        path,
        shrinks: details.numShrinks,
      },
      ...(reproduce === undefined ? {} : { reproduce: reproduce(formatReplay(whole.id, { seed, path })) }),
    }
  })
  return {
    ...whole,
    outcome: found.length === 0 ? 'passed' : 'failed',
    judgements,
    exchanges: choice === undefined ? [] : showMet(await play(client, scenarioOf(choice), signal)),
  }

  function whyUntold(): string | undefined {
    if (signal.aborted) return 'the run was stopped'
    if (choice !== undefined)
      return found.length === 0 ? 'a plain answer did not sign it in here, though it had before' : undefined
    return judged > 0 && late === undefined ? undefined : (late ?? 'no answer was tried')
  }
}

function head(durationMs: number, runs: number) {
  return {
    id: `client/${SEARCH.id}`,
    case: SEARCH.id,
    deployment: 'client',
    title: SEARCH.title,
    durationMs: Math.round(durationMs),
    runs,
  }
}

function cannotTell(whole: ReturnType<typeof head>, reason: string): Result {
  const judgements = SEARCH.rules.map((rule): Judgement => ({ rule, outcome: 'cantTell', reason }))
  return { ...whole, outcome: 'cantTell', reason, judgements, exchanges: [] }
}

/** Every freedom at once; plain is the simplest. */
function choices(): fc.Arbitrary<Choice> {
  const places = FREEDOM_NAMES.map((name) => [name, fc.constantFrom(...FREEDOMS[name].ways.keys())] as const)
  return fc.record(Object.fromEntries(places)) as fc.Arbitrary<Choice>
}

/** Whether a way breaks the client by itself. */
function closedWays(failed: ReadonlySet<string>): (name: FreedomName, place: number) => boolean {
  return (name, place) => place > 0 && failed.has(answerId(FREEDOMS[name].ways[place]?.when ?? ''))
}

function plainWhere(isClosed: ReturnType<typeof closedWays>, choice: Choice): Choice {
  const places = FREEDOM_NAMES.map((name) => [name, isClosed(name, choice[name]) ? 0 : choice[name]])
  return Object.fromEntries(places)
}
