import fc from 'fast-check'
import type { Counterexample, Judgement } from '../../../spec/model/report.js'
import { type CaseRun, seedOf } from '../../drivers/send/session/case-run.js'
import type { WireRequest } from '../../exchange/exchange.js'
import { beginAhead } from '../../properties/ahead.js'
import { checkProperty } from '../../properties/check-property.js'
import { type Attempt, type AttemptTally, countRefusals } from './attempt.js'
import { areInScope, type Values } from './forall-inputs.js'
import type { InputSender } from './input-sender.js'

/** After so many executions of one search, a counterexample is small enough. */
const MAX_SHRINKS = 300
/** Where the inputs are valid credentials, each refusal may count as a failed login of a real account. */
const MAX_REFUSED_GRANTS = 6
/** After so many inputs that could not be judged, the case is not green any more: the rest need not be tried. */
const MAX_INCONCLUSIVE = 5

/** What a search knows, over all of its rounds. */
export interface SearchState {
  readonly tally: AttemptTally
  /** Expectations that are not searched for: those that are not judged, and those that are broken already. */
  readonly setAside: Set<number>
  /** Requests that broke nothing: where each is a failed login, none is spent on the same one twice. */
  readonly harmless: Set<string>
  /** Not sent, because no further login may fail. */
  readonly leftOut: Set<string>
  refusedGrants: number
  inconclusive: number
  isStopped: boolean
  first?: Attempt
}

/** An attempt that breaks an expectation, and the values that it was made of. */
export interface FoundInput {
  readonly attempt: Attempt
  readonly values: Values
  readonly counterexample: Counterexample
}

interface Broken extends Pick<FoundInput, 'attempt' | 'values'> {
  /** As `--replay` names it, and how often the search had made an input smaller by then. */
  readonly at: Pick<Counterexample, 'path' | 'shrinks'>
}

/** One search by fast-check, for any expectation that is not set aside, until what breaks one is as small as can be. */
export class SearchRound {
  readonly #sender: InputSender
  readonly #state: SearchState
  /** Where the search is: fast-check tells the path of its last counterexample only. */
  readonly #path = [-1]
  /** Of each expectation the last attempt that broke it: shrinking may pass from one expectation to another. */
  readonly #smallest = new Map<number, Broken>()
  #takeAhead: (() => Promise<SentAhead | undefined>) | undefined
  /** Failed logins that were sent ahead: none is sent twice. */
  readonly #spelledAhead = new Set<string>()
  #failing: readonly number[] = []
  #runs = 0
  #shrinks = 0

  constructor(sender: InputSender, state: SearchState) {
    this.#sender = sender
    this.#state = state
  }

  /** How many inputs were tried, without shrinking. */
  get runs(): number {
    return this.#runs
  }

  /** The expectations that the smallest input breaks. */
  get failing(): readonly number[] {
    return this.#failing
  }

  /** @returns what breaks an expectation, by its place */
  async search(inputs: number, examples: readonly Values[]): Promise<ReadonlyMap<number, FoundInput>> {
    const { run, variables, scope } = this.#sender
    const { replay, shrinks } = run.session.run
    const arbitraries = variables.map(([name, generator]) => [name, generator.arbitrary(scope)] as const)
    const any = fc.record(Object.fromEntries(arbitraries))
    const seed = seedOf(run)
    if (replay === undefined && this.#sender.ahead > 0)
      this.#takeAhead = beginAhead(
        // Drawn as `check` draws them.
        fc.sample(any, { seed, numRuns: inputs, examples: [...examples] }),
        this.#sender.ahead,
        (values) => this.#sendAhead(values),
      )
    const details = await checkProperty(
      fc.asyncProperty(any, (values) => this.#passes(values)),
      {
        seed,
        numRuns: replay === undefined ? inputs : 1,
        examples: examples.map((values): [Values] => [values]),
        endOnFailure: replay !== undefined || !shrinks(run.testCase),
        ...(replay === undefined ? {} : { path: replay.path }),
      },
    )
    // A replay begins in the middle of a path.
    const replayed =
      replay === undefined
        ? undefined
        : { path: details.counterexamplePath ?? '0', shrinks: details.numShrinks }
    return new Map(
      Array.from(this.#smallest, ([index, { attempt, values, at }]) => {
        const shown = variables.map(([name, { show }]) => [name, show(values[name] ?? null, scope)])
        const place = replayed ?? at
        const counterexample = { values: Object.fromEntries(shown), seed: details.seed, ...place }
        return [index, { attempt, values, counterexample }]
      }),
    )
  }

  /** What the values come to; sent, unless it is out of scope. */
  async #sendAhead(values: Values): Promise<SentAhead> {
    const { run, variables, scope } = this.#sender
    const bound = this.#sender.bind(values)
    const spelled = spellOf(bound)
    const isKnown = this.#state.harmless.has(spelled) || this.#spelledAhead.has(spelled)
    if (!areInScope(bound, variables, scope) || (run.logins !== undefined && isKnown)) return { bound }
    this.#spelledAhead.add(spelled)
    return { bound, made: await this.#sender.sendAhead(values, bound) }
  }

  async #passes(values: Values): Promise<boolean> {
    this.#path.push((this.#path.pop() ?? 0) + 1)
    const at = { path: this.#path.join(':'), shrinks: this.#path.length - 1 }
    if (this.#isOver()) return true
    const { run, variables, scope } = this.#sender
    const isShrinking = this.#failing.length > 0
    const ahead = isShrinking ? undefined : await this.#takeAhead?.()
    const bound = ahead?.bound ?? this.#sender.bind(values)
    fc.pre(areInScope(bound, variables, scope))
    const spelled = spellOf(bound)
    if (run.logins !== undefined && ahead?.made === undefined && !(await this.#mayFail(spelled))) return true
    const made = ahead?.made ?? (await this.#sender.send(values, isShrinking, bound))
    if (made.stopped) {
      this.#state.isStopped = true
      return true
    }
    const failing = this.#record(made)
    if (failing.length === 0) {
      this.#state.harmless.add(spelled)
      return true
    }
    for (const index of failing) this.#smallest.set(index, { attempt: made, values, at })
    this.#failing = failing
    this.#path.push(-1)
    return false
  }

  #isOver(): boolean {
    const { isStopped, inconclusive, refusedGrants } = this.#state
    const { run, areGrants } = this.#sender
    return (
      isStopped ||
      run.session.run.signal.aborted ||
      inconclusive >= MAX_INCONCLUSIVE ||
      this.#shrinks >= MAX_SHRINKS ||
      (areGrants && refusedGrants >= MAX_REFUSED_GRANTS)
    )
  }

  /** Whether this request may be one more failed login. */
  async #mayFail(spelled: string): Promise<boolean> {
    const state = this.#state
    if (state.harmless.has(spelled)) return false
    if (this.#sender.isSpent) {
      if (this.#failing.length === 0) state.leftOut.add(spelled)
      return false
    }
    const isReady = await this.#sender.makeReady()
    if (!isReady) state.inconclusive = MAX_INCONCLUSIVE
    return isReady
  }

  /** @returns the expectations that the attempt breaks, of those that are searched for */
  #record(made: Attempt): readonly number[] {
    const state = this.#state
    if (this.#sender.areGrants) state.refusedGrants += countRefusals(made)
    state.tally.add(made.judgements, () => ({ attempt: made }))
    state.first ??= made
    if (this.#failing.length === 0) this.#runs++
    else this.#shrinks++
    const failing = made.judgements.flatMap(({ outcome }, index) =>
      outcome === 'failed' && !state.setAside.has(index) ? [index] : [],
    )
    if (failing.length === 0 && isInconclusive(made)) state.inconclusive++
    return failing
  }
}

interface SentAhead {
  readonly bound: CaseRun
  /** Undefined for what is out of scope, was sent already, or had no account. */
  readonly made?: Attempt | undefined
}

function spellOf({ filled }: CaseRun): string {
  const request: WireRequest | undefined = filled?.sends?.prepared.wire
  return request === undefined ? '' : `${request.path} ${Buffer.from(request.body ?? []).toString('latin1')}`
}

/** An attempt that could not be judged. Where another expectation of it failed, that is why the rest was not. */
function isInconclusive({ judgements, isUnstable }: Attempt): boolean {
  if (isUnstable) return false
  const has = (wanted: Judgement['outcome']): boolean => judgements.some(({ outcome }) => outcome === wanted)
  return has('cantTell') && !has('failed')
}
