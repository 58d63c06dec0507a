import fc from 'fast-check'
import { groupBy } from '../../../spec/model/items.js'
import type { Counterexample, Judgement } from '../../../spec/model/report.js'
import { isSpent } from '../../drivers/send/session/budgets.js'
import { type CaseRun, newAccountOf, scopeOf, seedOf } from '../../drivers/send/session/case-run.js'
import type { WireRequest } from '../../exchange/exchange.js'
import { Tally } from '../../judge/tally.js'
import { judgedRules } from '../../plan/select.js'
import { type Attempt, type AttemptTally, countRefusals } from './attempt.js'
import { areInScope, bindValues, examplesOf, fillLast, type Values, variablesOf } from './forall-inputs.js'
import { SearchPath, type SearchPlace } from './search-path.js'
import { steadyAttempt } from './steady-attempt.js'

export interface ForallRecord {
  readonly tally: AttemptTally
  /** How many inputs were tried, without shrinking. */
  readonly runs: number
  /** The first attempt: what a passed case looks like on the wire. */
  readonly first?: Attempt
  readonly stopped: boolean
}

/** After so many executions of one search, a counterexample is small enough. */
const MAX_SHRINKS = 300
/** Where the inputs are valid credentials, each refusal may count as a failed login of a real account. */
const MAX_REFUSED_GRANTS = 6
/** A counterexample that does not repeat is sent so often in all: once more shows nothing of how often it holds. */
const MAX_SENT_AGAIN = 3
/** A case that could not be judged so often is not green any more: it need not be tried a hundred times. */
const MAX_INCONCLUSIVE = 5

/**
 * Looks for inputs that break an expectation. Each expectation has its own search: once one is broken it is set aside and
 * the rest is searched again, so that the first fault does not hide the second.
 * @param afterGoodLogin logs in, and gives the run with the account that may now bear failed logins; undefined where none
 */
export async function searchCounterexamples(
  run: CaseRun,
  afterGoodLogin: () => Promise<CaseRun | undefined>,
): Promise<ForallRecord> {
  const { testCase, logins } = run
  const { replay, signal, shrinks } = run.session.run
  const scope = scopeOf(run)
  const variables = variablesOf(testCase)
  const tally: AttemptTally = new Tally()
  const { selection } = run.session.run
  const isJudged = judgedRules(selection, {
    id: `${run.session.deployment.name}/${testCase.id}`,
    case: testCase.id,
  })
  const rules = testCase.steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
  const setAside = new Set(rules.flatMap((rule, index) => (isJudged(rule) ? [] : [index])))
  /** Requests that broke nothing: where each is a failed login, none is spent on the same one twice. */
  const harmless = new Set<string>()
  const areGrants = testCase.steps.some(({ expect }) =>
    expect?.some(({ yieldsToken }) => yieldsToken === true),
  )
  let refusedGrants = 0
  /** Not sent, because no further login may fail. */
  const leftOut = new Set<string>()
  let now = run
  const makeReady = async (): Promise<boolean> => {
    if (!logins?.budget.needsGoodLogin(newAccountOf(now))) return true
    const next = await afterGoodLogin()
    now = next ?? now
    return next !== undefined
  }
  const send = async (values: Values, brief = false, bound?: CaseRun): Promise<Attempt> => {
    let first = now === run ? bound : undefined
    const bind = (): CaseRun => {
      const next = first ?? bindValues(now, variables, values, scopeOf(now))
      // Whatever is sent again registers another account.
      first = undefined
      return next
    }
    const made = await steadyAttempt(now, bind, brief)
    if (!made.stopped) logins?.budget.failed(countRefusals(made), newAccountOf(now))
    return made
  }
  const isCheap = logins === undefined && !areGrants
  const counterexamples = new Map<number, Found>()
  /** Sends counterexamples again: once, and where one does not repeat, more often where that costs no failed login. */
  const sendAgain = async (indexes: readonly number[]): Promise<void> => {
    for (const own of groupBy(indexes, (index) => counterexamples.get(index)?.attempt).values()) {
      const again: Attempt[] = []
      const timesOf = (index: number): number =>
        again.filter(({ judgements }) => judgements[index]?.outcome === 'failed').length
      const isRepeated = (): boolean => own.every((index) => timesOf(index) === again.length)
      const { values } = counterexamples.get(own[0] ?? -1) ?? { values: {} }
      while (again.length < (isRepeated() || !isCheap ? 1 : MAX_SENT_AGAIN)) {
        if (logins !== undefined && (isSpent(logins) || !(await makeReady()))) break
        const made = await send(values)
        if (made.stopped) break
        tally.add(made.judgements, () => ({ attempt: made }))
        again.push(made)
      }
      for (const index of own) {
        const found = counterexamples.get(index)
        if (found === undefined || again.length === 0) continue
        const held = { times: timesOf(index), of: again.length }
        counterexamples.set(index, { ...found, counterexample: { ...found.counterexample, held } })
      }
    }
  }
  const examples = examplesOf(variables, scope)
  const { deployment, firstCases } = run.session
  // A deployment for some cases is one of several that try the same: the first of them tries all that is fixed.
  const triesFixed = deployment.cases === undefined || firstCases.has(testCase.id)
  const inputs = triesFixed ? inputsOf(run, examples.length) : run.runs
  if (replay === undefined && triesFixed)
    run.session.leftOut.fixedInputs(testCase.id, inputs, examples.length)
  let first: Attempt | undefined
  let inconclusive = 0
  let runs = 0
  let stopped = false

  for (;;) {
    runs = 0
    let found: { readonly failing: readonly number[]; readonly values: Values } | undefined
    let afterFound = 0
    const path = new SearchPath()
    /** Of each expectation the last attempt that broke it: shrinking may pass from one expectation to another. */
    const smallest = new Map<
      number,
      { readonly attempt: Attempt; readonly values: Values; readonly at: SearchPlace }
    >()

    const tryValues = async (values: Values, at: SearchPlace): Promise<boolean> => {
      if (stopped || signal.aborted || inconclusive >= MAX_INCONCLUSIVE || afterFound >= MAX_SHRINKS)
        return true
      if (areGrants && refusedGrants >= MAX_REFUSED_GRANTS) return true
      const bound = fillLast(bindValues(run, variables, values, scope))
      fc.pre(areInScope(bound, variables, scope))
      const spelled = logins === undefined ? '' : spell(bound.filled?.sends?.prepared.wire)
      if (logins !== undefined) {
        if (harmless.has(spelled)) return true
        if (isSpent(logins)) {
          if (found === undefined) leftOut.add(spelled)
          return true
        }
        if (!(await makeReady())) {
          inconclusive = MAX_INCONCLUSIVE
          return true
        }
      }
      const made = await send(values, found !== undefined, bound)
      if (made.stopped) {
        stopped = true
        return true
      }
      if (areGrants) refusedGrants += countRefusals(made)
      tally.add(made.judgements, () => ({ attempt: made }))
      first ??= made
      if (found === undefined) runs++
      else afterFound++
      const failing = made.judgements.flatMap(({ outcome }, index) =>
        outcome === 'failed' && !setAside.has(index) ? [index] : [],
      )
      for (const index of failing) smallest.set(index, { attempt: made, values, at })
      if (failing.length > 0) found = { failing, values }
      else if (isInconclusive(made)) inconclusive++
      if (failing.length === 0) harmless.add(spelled)
      return failing.length === 0
    }

    const details = await fc.check(
      fc.asyncProperty(
        fc.record(
          Object.fromEntries(variables.map(([name, generator]) => [name, generator.arbitrary(scope)])),
        ),
        async (values) => {
          const passed = await tryValues(values, path.next())
          if (!passed) path.failed()
          return passed
        },
      ),
      {
        seed: seedOf(run),
        numRuns: replay === undefined ? inputs : 1,
        examples: examples.map((values): [Values] => [values]),
        endOnFailure: replay !== undefined || !shrinks(testCase),
        ...(replay === undefined ? {} : { path: replay.path }),
      },
    )
    if (found === undefined) break
    // Assigned inside the closure above, which the compiler does not follow.
    const { failing } = found as NonNullable<typeof found>
    for (const [index, { attempt, values, at }] of smallest) {
      // A replay begins amid a path.
      const { path, shrinks } =
        replay === undefined ? at : { path: details.counterexamplePath ?? '0', shrinks: details.numShrinks }
      const shown = variables.map(([name, { show }]) => [name, show(values[name] ?? null, scope)])
      const counterexample = { values: Object.fromEntries(shown), seed: details.seed, path, shrinks }
      counterexamples.set(index, { attempt, values, counterexample })
    }
    for (const index of failing) setAside.add(index)
    if (replay !== undefined || stopped) break
    // Whether it repeats is worth knowing: a violation seen once is a violation all the same.
    await sendAgain(failing)
    // Nothing is left to search for: every further input would only be sent, and may cost a login.
    if (setAside.size === rules.length) break
  }
  if (replay === undefined && !stopped)
    await sendAgain([...counterexamples.keys()].filter((index) => !setAside.has(index)))
  for (const [index, { attempt, counterexample }] of counterexamples) {
    const judgement = attempt.judgements[index]
    if (judgement !== undefined) tally.prefer(index, judgement, { attempt, counterexample })
  }
  if (leftOut.size > 0) logins?.budget.leaveOut(testCase.id, leftOut.size)
  return {
    tally,
    runs,
    stopped: stopped || signal.aborted,
    ...(first === undefined ? {} : { first }),
  }
}

/** A deployment's share of the inputs is of those that are drawn: what is fixed is tried as far as `--runs` goes. */
function inputsOf({ runs, session: { run, deployment } }: CaseRun, fixed: number): number {
  return deployment.runsShare < 1 ? Math.max(runs, Math.min(fixed, run.runs)) : runs
}

/** An attempt that breaks an expectation, and the values that it was made of. */
interface Found {
  readonly attempt: Attempt
  readonly values: Values
  readonly counterexample: Counterexample
}

function spell(request: WireRequest | undefined): string {
  return request === undefined ? '' : `${request.path} ${Buffer.from(request.body ?? []).toString('latin1')}`
}

/** An attempt that could not be judged. Where another expectation of it failed, that is why the rest was not. */
function isInconclusive({ judgements, isUnstable }: Attempt): boolean {
  if (isUnstable) return false
  const has = (wanted: Judgement['outcome']): boolean => judgements.some(({ outcome }) => outcome === wanted)
  return has('cantTell') && !has('failed')
}
