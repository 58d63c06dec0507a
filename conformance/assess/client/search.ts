import fc from 'fast-check'
import { clientSuite } from '../../../spec/load/client-suite.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import { inParallel } from '../../../spec/model/items.js'
import { type Judgement, type Result, RUN_STOPPED } from '../../../spec/model/report.js'
import { formatReplay } from '../../../spec/model/selection.js'
import { hostAgain, type TestedClient } from '../../drivers/host/host-client.js'
import { whyUnread } from '../../judge/client/judge-sign-in.js'
import { howItEnded, isSignedIn, type ObservedSignIn } from '../../judge/client/observed-sign-in.js'
import { checkProperty } from '../../properties/check-property.js'
import { renderObserved } from './client-evidence.js'
import { type ClientOptions, GENERATED_ANSWERS } from './options.js'
import { headOf, openResult } from './plan-scenarios.js'

interface AnswerSearchOptions extends ClientOptions {
  readonly seed: number
  readonly signal: AbortSignal
  readonly concurrency: number
  /** Only ways that are of these are tried. */
  readonly rules: readonly string[]
  /** The cases of single differences that break the client already: those are not tried again. */
  readonly failed: ReadonlySet<string>
}

/** Generates answers that differ in many ways at once, and makes one that breaks the client as plain as it can be. */
export async function searchAnswers(client: TestedClient, options: AnswerSearchOptions): Promise<Result> {
  const { signal } = options
  const begin = performance.now()
  const { details, choice, inconclusive } = await findBreaking(client, options)
  const { search } = clientSuite()
  const tried = { durationMs: Math.round(performance.now() - begin), runs: details.numRuns }
  if (inconclusive !== undefined)
    return { ...openResult({ ...search, rules: options.rules }, 'cantTell', inconclusive), ...tried }
  const ended = choice && (await hostAgain(client, scenarioOf(choice), { signal }))
  const again = typeof ended === 'string' ? undefined : ended
  if (again !== undefined && isSignedIn(again))
    return { ...openResult({ ...search, rules: options.rules }, 'cantTell', NOT_AGAIN), ...tried }
  return {
    ...headOf(search),
    ...tried,
    outcome: choice === undefined ? 'passed' : 'failed',
    judgements: judgementsOf(choice, again, details, options),
    exchanges: again === undefined ? [] : renderObserved(again),
  }
}

const NOT_AGAIN = 'a generated answer did not sign the client in, and did when it was sent again'

/** The plainest answer that was found to break the client, or why nothing can be said. */
async function findBreaking(client: TestedClient, options: AnswerSearchOptions) {
  const { seed, runs = GENERATED_ANSWERS, signal, failed, rules, replay } = options
  let judged = 0
  let unclear: string | undefined
  const meet = await meetAhead(client, options)
  // A timeout neither passes nor fails a rule.
  const breaks = async (choice: AnswerChoice): Promise<boolean> => {
    if (signal.aborted) return false
    const observed = await meet(choice)
    if (signal.aborted) return false
    if (typeof observed === 'string') {
      unclear ??= observed
      return false
    }
    const why = observed.end.outOfTime ? observed.end.problem : whyUnread(observed)
    if (why === undefined) judged++
    else unclear ??= why
    return why === undefined && !isSignedIn(observed)
  }
  const details = await checkProperty(
    // Made plain here and not by the generator: a path leads to the same answer whatever else fails.
    fc.asyncProperty(anyChoice(), async (choice) => !(await breaks(plainly(choice, failed, rules)))),
    { numRuns: runs, ...(replay?.found === undefined ? { seed } : { ...replay.found, endOnFailure: true }) },
  )
  const found = details.counterexample?.[0]
  const choice = found === undefined ? undefined : plainly(found, failed, rules)
  return { details, choice, inconclusive: whyInconclusive() }

  function whyInconclusive(): string | undefined {
    if (signal.aborted) return RUN_STOPPED
    if (choice === undefined) return judged > 0 ? unclear : (unclear ?? 'no answer was tried')
    const isPlain = chosenWays(choice).length === 0
    return isPlain ? 'a plain answer did not sign it in here, though it had before' : undefined
  }
}

/** Lets the client meet the answers that will be drawn, several at a time: the search itself goes from one to the next. */
async function meetAhead(client: TestedClient, options: AnswerSearchOptions) {
  const { seed, runs = GENERATED_ANSWERS, signal, concurrency, failed, rules, replay } = options
  const drawn = replay === undefined ? fc.sample(anyChoice(), { seed, numRuns: runs }) : []
  const ahead = new Map<string, ObservedSignIn>()
  const meet = (choice: AnswerChoice) => hostAgain(client, scenarioOf(choice), { signal })
  await inParallel(drawn, concurrency, async (one) => {
    const choice = plainly(one, failed, rules)
    const observed = signal.aborted ? '' : await meet(choice)
    if (typeof observed !== 'string') ahead.set(JSON.stringify(choice), observed)
  })
  return async (choice: AnswerChoice) => ahead.get(JSON.stringify(choice)) ?? (await meet(choice))
}

function judgementsOf(
  choice: AnswerChoice | undefined,
  again: ObservedSignIn | undefined,
  details: fc.RunDetails<[AnswerChoice]>,
  { seed, rules, reproduce }: AnswerSearchOptions,
): readonly Judgement[] {
  const { id } = clientSuite().search
  const found = choice === undefined ? [] : chosenWays(choice)
  const answer = found.map(({ when }) => when)
  const path = details.counterexamplePath ?? ''
  return rules.map((rule): Judgement => {
    if (!found.some((one) => one.rule === rule)) return { rule, outcome: 'passed' }
    return {
      rule,
      outcome: 'failed',
      message: `the client breaks when ${answer.join(', and ')}`,
      expected: 'signed in',
      actual: again === undefined ? 'not signed in' : howItEnded(again.end),
      counterexample: { values: { answer }, seed, path, shrinks: details.numShrinks },
      ...(reproduce && { reproduce: reproduce(formatReplay(id, { seed, path })) }),
    }
  })
}

/** For each freedom the way that is chosen, by its place among the ways; 0 is the plain one. */
type AnswerChoice = Readonly<Record<string, number>>

/** Each freedom with the way that is chosen, where it is not the plain one. */
function chosenWays(choice: AnswerChoice) {
  return clientSuite().freedoms.flatMap(({ name, rule, ways }) => {
    const way = ways[(choice[name] ?? 0) - 1]
    return way === undefined ? [] : [{ ...way, rule }]
  })
}

function scenarioOf(choice: AnswerChoice): ClientScenario {
  return { ...clientSuite().search, answers: chosenWays(choice).map(({ answer }) => answer) }
}

/** Every freedom at once; plain is the simplest. */
function anyChoice(): fc.Arbitrary<AnswerChoice> {
  const places = clientSuite().freedoms.map(({ name, ways }) => [
    name,
    fc.constantFrom(...Array(ways.length + 1).keys()),
  ])
  return fc.record(Object.fromEntries(places))
}

/**
 * The same choice with the plain way in place of others.
 * @param failed the cases of ways that break the client by themselves
 * @param rules what is judged: ways of others are not tried
 */
function plainly(choice: AnswerChoice, failed: ReadonlySet<string>, rules: readonly string[]): AnswerChoice {
  const places = clientSuite().freedoms.map(({ name, rule, ways }) => {
    const place = choice[name] ?? 0
    const isTried = rules.includes(rule) && !failed.has(ways[place - 1]?.id ?? '')
    return [name, isTried ? place : 0]
  })
  return Object.fromEntries(places)
}
