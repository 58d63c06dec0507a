import { groupBy } from '../../../spec/model/items.js'
import { type CaseRun, shareOf } from '../../drivers/send/session/case-run.js'
import { Tally } from '../../judge/tally.js'
import type { Attempt, AttemptTally } from './attempt.js'
import { judgedRulesOf } from './case-result.js'
import type { Controls } from './controls.js'
import { examplesOf, type Values } from './forall-inputs.js'
import { InputSender } from './input-sender.js'
import { type FoundInput, SearchRound, type SearchState } from './search-round.js'

export interface ForallRecord {
  readonly tally: AttemptTally
  /** How many inputs were tried, without shrinking. */
  readonly runs: number
  /** The first attempt: what a passed case looks like on the wire. */
  readonly first?: Attempt
  readonly stopped: boolean
}

/** How often a counterexample is sent again that does not repeat: once does not show how often it holds. */
const MAX_SENT_AGAIN = 3

/**
 * Looks for inputs that break an expectation. Each expectation has its own search: once one is broken it is set aside and
 * the rest is searched again, so that the first fault does not hide the second.
 */
export async function searchCounterexamples(run: CaseRun, controls: Controls): Promise<ForallRecord> {
  const { replay, signal } = run.session.run
  const sender = new InputSender(run, controls)
  const rules = run.testCase.steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
  const state = startSearch(run, rules)
  const examples = examplesOf(sender.variables, sender.scope)
  const inputs = inputsOf(run, examples)
  const found = new Map<number, FoundInput>()
  let round: SearchRound
  do {
    round = new SearchRound(sender, state)
    for (const [index, one] of await round.search(inputs, examples)) found.set(index, one)
    for (const index of round.failing) state.setAside.add(index)
    if (replay !== undefined || state.isStopped) break
    // Whether it repeats is worth knowing: a violation seen once is a violation all the same.
    await sendAgain(round.failing, found, sender, state)
    // With all set aside, every further input would only be sent, and may cost a login.
  } while (round.failing.length > 0 && state.setAside.size < rules.length)
  if (replay === undefined && !state.isStopped)
    await sendAgain(
      [...found.keys()].filter((index) => !state.setAside.has(index)),
      found,
      sender,
      state,
    )
  await sender.end()
  for (const [index, { attempt, counterexample }] of found) {
    const judgement = attempt.judgements[index]
    if (judgement !== undefined) state.tally.prefer(index, judgement, { attempt, counterexample })
  }
  if (state.leftOut.size > 0) run.logins?.budget.leaveOut(run.testCase.id, state.leftOut.size)
  const { tally, first, isStopped } = state
  const stopped = isStopped || signal.aborted
  return { tally, runs: round.runs, stopped, ...(first === undefined ? {} : { first }) }
}

function startSearch(run: CaseRun, rules: readonly string[]): SearchState {
  const isJudged = judgedRulesOf(run)
  return {
    tally: new Tally(),
    setAside: new Set(rules.flatMap((rule, index) => (isJudged(rule) ? [] : [index]))),
    harmless: new Set(),
    leftOut: new Set(),
    refusedGrants: 0,
    inconclusive: 0,
    isStopped: false,
  }
}

/**
 * How many inputs to try. A deployment's share of them is of those that are drawn: what is fixed is tried as far as
 * `--runs` goes.
 */
function inputsOf(caseRun: CaseRun, { length: fixed }: readonly Values[]): number {
  const { testCase, session } = caseRun
  const { deployment, firstCases, leftOut, run } = session
  const { inputs: maxInputs, drawn } = run.amounts
  const runs = Math.min(caseRun.runs, fixed + Math.ceil(drawn * shareOf(caseRun)))
  // A deployment for some cases is one of several that try the same: the first of them tries all that is fixed.
  if (deployment.cases !== undefined && !firstCases.has(testCase.id)) return runs
  const max = Math.min(fixed, testCase.inputs ?? fixed)
  const inputs = deployment.runsShare < 1 ? Math.max(runs, Math.min(max, maxInputs)) : runs
  if (run.replay !== undefined) return inputs
  leftOut.fixedInputs(testCase.id, inputs, max)
  if (testCase.inputs === undefined || testCase.inputs > inputs) leftOut.drawn('inputs')
  return inputs
}

/** Sends counterexamples again: once, and where one does not repeat, more often where that costs no failed login. */
async function sendAgain(
  indexes: readonly number[],
  found: Map<number, FoundInput>,
  sender: InputSender,
  { tally }: SearchState,
): Promise<void> {
  for (const own of groupBy(indexes, (index) => found.get(index)?.attempt).values()) {
    const { values } = found.get(own[0] ?? -1) ?? { values: {} }
    const again: Attempt[] = []
    const timesOf = (index: number): number =>
      again.filter(({ judgements }) => judgements[index]?.outcome === 'failed').length
    const isRepeated = (): boolean => own.every((index) => timesOf(index) === again.length)
    while (again.length < (isRepeated() || !sender.isCheap ? 1 : MAX_SENT_AGAIN)) {
      if (sender.isSpent || !(await sender.makeReady())) break
      const made = await sender.send(values)
      if (made.stopped) break
      tally.add(made.judgements, () => ({ attempt: made }))
      again.push(made)
    }
    if (again.length === 0) continue
    for (const index of own) {
      const known = found.get(index)
      if (known === undefined) continue
      const held = { times: timesOf(index), of: again.length }
      found.set(index, { ...known, counterexample: { ...known.counterexample, held } })
    }
  }
}
