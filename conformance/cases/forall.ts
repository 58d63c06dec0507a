import fc from 'fast-check'
import type { Case, Counterexample, Judgement } from '../../spec/types.js'
import type { Account } from '../deployment.js'
import { baseBindings, scopeOf } from '../session/bindings.js'
import type { FailedLogins } from '../session/failed-logins.js'
import type { Session } from '../session/session.js'
import { type Attempt, attemptCase, refusals } from './attempt.js'
import { bindAll, examplesOf, keepsPromises, requestOf, type Values, variablesOf } from './forall-inputs.js'
import { Tally } from './tally.js'

export interface ForallOptions {
  readonly seed: number
  readonly runs: number
  /** Repeat one run instead: fast-check's path to it. */
  readonly path?: string
  readonly signal: AbortSignal
  /** Where each run is a failed login: the budget, and how to log in well between. */
  readonly logins?: {
    readonly budget: FailedLogins
    readonly reserve: number
    readonly goodLogin: () => Promise<boolean>
  }
}

export interface ForallOutcome {
  readonly tally: Tally
  /** How many inputs were tried, without shrinking. */
  readonly runs: number
  /** Of the first expectation that failed, in the order of the case, with the attempt that it is about. */
  readonly counterexample?: Counterexample
  readonly failing?: Attempt
  /** The first attempt: what a passed case looks like on the wire. */
  readonly first?: Attempt
  readonly stopped: boolean
}

/** After so many executions of one search, a counterexample is small enough. */
const MOST_SHRINKS = 300
/** Where the inputs are valid credentials, each refusal may count as a failed login of a real account. */
const MOST_REFUSED_GRANTS = 6
/** A case that could not be judged so often is not green any more: it need not be tried a hundred times. */
const MOST_DOUBTS = 5

/**
 * Looks for inputs that break an expectation. Each expectation has its own search: once one is broken it is set aside and
 * the rest is searched again, so that the first fault does not hide the second.
 */
export async function searchCounterexamples(
  session: Session,
  subject: Case,
  account: Account,
  options: ForallOptions,
): Promise<ForallOutcome> {
  const scope = scopeOf(session, subject.id, account)
  const variables = variablesOf(subject)
  const tally = new Tally()
  const setAside = new Set<number>()
  const expectations = subject.steps.reduce((sum, { expect = [] }) => sum + expect.length, 0)
  /** Requests that broke nothing: where each is a failed login, none is spent on the same one twice. */
  const held = new Set<string>()
  const counterexamples = new Map<
    number,
    { readonly counterexample: Counterexample; readonly failing: Attempt }
  >()
  const areGrants = subject.steps.some(({ expect }) =>
    expect?.some(({ yieldsToken }) => yieldsToken === true),
  )
  let refusedGrants = 0
  let first: Attempt | undefined
  let doubts = 0
  let runs = 0
  let stopped = false

  for (;;) {
    runs = 0
    let found:
      | { readonly attempt: Attempt; readonly failing: readonly number[]; readonly values: Values }
      | undefined
    let afterFound = 0

    const attempt = async (values: Values): Promise<boolean> => {
      if (stopped || options.signal.aborted || doubts >= MOST_DOUBTS || afterFound >= MOST_SHRINKS)
        return true
      if (areGrants && refusedGrants >= MOST_REFUSED_GRANTS) return true
      const bindings = bindAll(variables, values, scope, baseBindings(session, subject, account))
      fc.pre(keepsPromises(session, subject, variables, bindings, scope))
      const { logins } = options
      const request = logins === undefined ? '' : requestOf(session, subject, bindings)
      if (logins !== undefined) {
        if (held.has(request)) return true
        if (logins.budget.left <= logins.reserve) return true
        if (logins.budget.needsGoodLogin && !(await logins.goodLogin())) {
          doubts = MOST_DOUBTS
          return true
        }
      }
      const made = await attemptCase(session, subject, bindings, account)
      if (made.stopped) {
        stopped = true
        return true
      }
      logins?.budget.failed(refusals(made))
      if (areGrants) refusedGrants += refusals(made)
      tally.add(made)
      first ??= made
      if (found === undefined) runs++
      else afterFound++
      const failing = made.judgements.flatMap(({ outcome }, index) =>
        outcome === 'failed' && !setAside.has(index) ? [index] : [],
      )
      if (failing.length > 0) found = { attempt: made, failing, values }
      else if (isDoubtful(made)) doubts++
      if (failing.length === 0) held.add(request)
      return failing.length === 0
    }

    const details = await fc.check(
      fc.asyncProperty(
        fc.record(
          Object.fromEntries(variables.map(([name, generator]) => [name, generator.arbitrary(scope)])),
        ),
        attempt,
      ),
      {
        seed: options.seed,
        numRuns: options.path === undefined ? options.runs : 1,
        examples: examplesOf(variables, scope).map((values): [Values] => [values]),
        ...(options.path === undefined ? {} : { path: options.path, endOnFailure: true }),
      },
    )
    if (found === undefined) break
    // Assigned inside the closure above, which the compiler does not follow.
    const { attempt: smallest, failing, values } = found as NonNullable<typeof found>
    const counterexample: Counterexample = {
      values: Object.fromEntries(
        variables.map(([name, { show }]) => [name, show(values[name] ?? null, scope)]),
      ),
      seed: details.seed,
      path: details.counterexamplePath ?? '0',
      shrinks: details.numShrinks,
    }
    for (const index of failing) {
      setAside.add(index)
      counterexamples.set(index, { counterexample, failing: smallest })
      const judgement = smallest.judgements[index]
      if (judgement !== undefined) tally.prefer(index, { judgement, attempt: smallest })
    }
    if (options.path !== undefined || stopped) break
    // Once more: whether it repeats is worth knowing (a violation seen once is a violation all the same).
    const { logins } = options
    if (logins === undefined || (await mayFail(logins))) {
      const bindings = bindAll(variables, values, scope, baseBindings(session, subject, account))
      const again = await attemptCase(session, subject, bindings, account)
      logins?.budget.failed(refusals(again))
      if (!again.stopped) tally.add(again)
    }
    // Nothing is left to search for: every further input would only be sent, and may cost a login.
    if (setAside.size === expectations) break
  }
  return {
    tally,
    runs,
    stopped: stopped || options.signal.aborted,
    ...counterexamples.get(Math.min(...counterexamples.keys())),
    ...(first === undefined ? {} : { first }),
  }
}

/** Whether one more login may fail: within the budget, and not the fourth in a row. */
async function mayFail({
  budget,
  reserve,
  goodLogin,
}: NonNullable<ForallOptions['logins']>): Promise<boolean> {
  return budget.left > reserve && (!budget.needsGoodLogin || (await goodLogin()))
}

/** An attempt that could not be judged. Where another expectation of it failed, that is why the rest was not. */
function isDoubtful({ judgements }: Attempt): boolean {
  const has = (wanted: Judgement['outcome']): boolean => judgements.some(({ outcome }) => outcome === wanted)
  return has('cantTell') && !has('failed')
}
