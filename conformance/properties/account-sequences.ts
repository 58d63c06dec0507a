import fc from 'fast-check'
import type { Counterexample, Judgement } from '../../spec/model/report.js'
import { type CaseRun, seedOf } from '../drivers/send/session/case-run.js'
import { explainOutage } from '../drivers/send/session/control.js'
import { declared } from '../drivers/send/session/send.js'
import type { CaseRecord, Evidence, SentRequest } from '../drivers/send/session/session.js'
import { easeIfBusy, explainUnstable, mayRepeat, troubleOf } from '../drivers/send/session/trouble.js'
import { unmetCondition } from '../target/unmet-condition.js'
import { accountCommands, Inconclusive, type Model, ModelViolation, type Real } from './account-commands.js'
import { beginAhead, MAX_AHEAD } from './ahead.js'
import { checkProperty } from './check-property.js'
import { everyRejection } from './every-rejection.js'

const MAX_COMMANDS = 12
const MAX_SHRINKS = 200
const MAX_SHOWN = 20

/**
 * Searches for a sequence of registrations, logins and external sign-ins, one after the other and at once, that the service
 * answers differently from a small model of its accounts. The counterexample is the shortest such sequence.
 */
export async function searchSequences(run: CaseRun): Promise<CaseRecord> {
  // Without one there is nothing to draw from.
  declared(run.session.deployment, 'registration')
  const search = new SequenceSearch(run)
  const details = await search.check()
  const { judgements, failedIn, failing, first, runs } = search
  if (details.failed && failing === undefined && !search.isStopped) throw details.errorInstance
  const judged = byExpectation(run, judgements, failing)
  const counterexample = failing && (await counterexampleOf(run, details, failing))
  const evidence = judged.flatMap((judgement, index): [number, Evidence][] => {
    const real = failedIn.get(judgement)
    if (real === undefined) return []
    const sent = real.sent.slice(-MAX_SHOWN)
    // Another rule that a longer sequence broke has that sequence, not the shortest one.
    const own = real === failing && counterexample !== undefined ? { counterexample } : {}
    return [[index, { sent, about: sent.at(-1), ...own }]]
  })
  const shown = (failing ?? first)?.sent.slice(-MAX_SHOWN) ?? []
  return {
    judgements: judged,
    sent: [...new Set([...shown, ...evidence.flatMap(([, { sent }]) => sent)])],
    evidence: new Map(evidence),
    stopped: search.isStopped,
    runs,
  }
}

interface TriedSequence {
  readonly judgements: readonly Judgement[]
  readonly first: Real | undefined
  readonly failing: Real | undefined
}

type Commands = Iterable<fc.AsyncCommand<Model, Real, boolean>>

/** Tries sequences, and makes one that breaks a rule as short as it can be. */
class SequenceSearch {
  readonly judgements: Judgement[] = []
  /** The sending in which a judgement failed. */
  readonly failedIn = new Map<Judgement, Real>()
  /** The shortest sequence that breaks a rule. */
  failing: Real | undefined
  first: Real | undefined
  /** Sequences without those that were made shorter. */
  runs = 0
  readonly #run: CaseRun
  #takeAhead: (() => Promise<TriedSequence | undefined>) | undefined
  #executed = 0

  constructor(run: CaseRun) {
    this.#run = run
  }

  get isStopped(): boolean {
    const { signal } = this.#run.session.run
    return signal.aborted || (this.first ?? this.failing)?.sent.some(wasStopped) === true
  }

  check(): Promise<fc.RunDetails<[Commands]>> {
    const { session, runs, testCase } = this.#run
    const { replay, shrinks } = session.run
    const rejections = everyRejection(session)
    const anySequence = fc.commands([...accountCommands(session)], {
      maxCommands: MAX_COMMANDS,
      size: 'max',
      ...(replay?.replayPath === undefined ? {} : { replayPath: replay.replayPath }),
    })
    // The rejections are never drawn: they are the examples.
    const drawn = { arbitrary: anySequence, weight: 1 }
    const sequences = fc.oneof(drawn, { arbitrary: fc.constantFrom(...rejections), weight: 0 })
    const seed = seedOf(this.#run)
    // Where accounts log in later, what is drawn would come to no login that succeeds.
    const isImmediate = session.deployment.registration?.immediate !== false
    const max = isImmediate ? runs : Math.min(runs, rejections.length)
    const numRuns = replay === undefined ? max : 1
    if (replay === undefined && isImmediate) session.leftOut.drawn('sequences')
    // Each sequence has accounts of its own.
    if (replay === undefined && this.#run.logins?.budget.left === Number.POSITIVE_INFINITY)
      this.#takeAhead = beginAhead(
        // Drawn as `check` draws them.
        fc.sample(sequences, { seed, numRuns, examples: [...rejections] }),
        MAX_AHEAD,
        (commands) => this.#tryAhead(commands),
      )
    return checkProperty(
      fc.asyncProperty<[Commands]>(sequences, (commands) => this.#try(commands)),
      {
        seed,
        examples: rejections.map((sequence): [Commands] => [sequence]),
        numRuns,
        endOnFailure: replay !== undefined || !shrinks(testCase),
        ...(replay === undefined ? {} : { path: replay.path }),
      },
    )
  }

  async #tryAhead(commands: Commands): Promise<TriedSequence> {
    const judgements: Judgement[] = []
    let first: Real | undefined
    const failing = await trySequence(this.#run, commands, judgements, (real) => {
      first ??= real
    })
    return { judgements, first, failing }
  }

  /** @throws BrokenRule, which has fast-check look for a shorter sequence */
  async #try(commands: Commands): Promise<void> {
    if (this.isStopped || this.#executed > MAX_SHRINKS + this.#run.runs) return
    this.#executed++
    const isShrinking = this.failing !== undefined
    if (!isShrinking) this.runs++
    const before = isShrinking ? undefined : await this.#takeAhead?.()
    this.first ??= before?.first
    this.judgements.push(...(before?.judgements ?? []))
    if (before !== undefined && before.failing === undefined) return
    // fast-check makes shorter what it has run itself.
    const again = await trySequence(this.#run, commands, this.judgements, (real) => {
      this.first ??= real
    })
    const failing = again ?? before?.failing
    if (failing === undefined) return
    this.failing = failing
    for (const judgement of failing.judgements)
      if (judgement.outcome === 'failed') this.failedIn.set(judgement, failing)
    throw new ModelViolation()
  }
}

async function counterexampleOf(
  run: CaseRun,
  details: fc.RunDetails<[Commands]>,
  failing: Real,
): Promise<Counterexample> {
  const [commands] = details.counterexample ?? []
  const sequence = String(commands ?? '')
  const replayPath = /replayPath="([^"]*)"/.exec(sequence)?.[1]
  return {
    values: {
      sequence: sequence
        .replace(/\/\*.*$/s, '')
        .trimEnd()
        .split(','),
    },
    seed: details.seed,
    path: details.counterexamplePath ?? '0',
    shrinks: details.numShrinks,
    ...(replayPath === undefined ? {} : { replayPath }),
    ...(run.session.run.replay === undefined ? await sendAgain(run, commands, failing) : {}),
  }
}

/**
 * Sends a sequence. Where a rule is broken, or cannot be judged, beside a status of 500 or more, a dropped connection or a time-out, it is sent
 * again, with other accounts: a rule is broken where that recurs.
 * @returns the sending that breaks a rule
 */
async function trySequence(
  run: CaseRun,
  commands: Commands,
  judgements: Judgement[],
  onStart: (real: Real) => void,
): Promise<Real | undefined> {
  const troubles: SentRequest[] = []
  const passing: Judgement[] = []
  let isConfirmed = false
  for (;;) {
    const real: Real = { run, sent: [], judgements: [] }
    onStart(real)
    try {
      await fc.asyncModelRun(() => ({ model: { accepted: [], rejected: [] }, real }), commands)
    } catch (error) {
      if (!(error instanceof ModelViolation) && !(error instanceof Inconclusive)) throw error
    }
    const failed = real.judgements.find(({ outcome }) => outcome === 'failed')
    const trouble = real.sent.find((sent) => troubleOf(sent) !== undefined)
    const open = failed ?? real.judgements.find(({ outcome }) => outcome === 'cantTell')
    // What cannot be judged for trouble is sent once more, to know whether that recurs.
    if (failed === undefined && open !== undefined && trouble !== undefined && troubles.length === 0) {
      passing.push({ rule: open.rule, outcome: 'cantTell', reason: explainUnstable(trouble) })
      troubles.push(trouble)
      continue
    }
    judgements.push(...real.judgements.filter(({ outcome }) => outcome !== 'failed'))
    if (failed === undefined) {
      judgements.push(...passing)
      return undefined
    }
    if (trouble !== undefined) {
      const { rule } = failed
      passing.push({ rule, outcome: 'cantTell', reason: explainUnstable(trouble) })
      troubles.push(trouble)
      if (mayRepeat(troubles) && !run.session.run.signal.aborted) {
        easeIfBusy(run.session, troubles)
        continue
      }
      const outage = isConfirmed ? undefined : await explainOutage(run.session)
      if (outage !== undefined) {
        judgements.push({ rule, outcome: 'cantTell', reason: outage })
        return undefined
      }
      // After an outage that is over by now, another sending shows what it was.
      if (!isConfirmed && trouble.exchange.response !== undefined && !run.session.run.signal.aborted) {
        isConfirmed = true
        continue
      }
    }
    judgements.push(failed)
    return real
  }
}

/**
 * Sends the shortest sequence once more, with other accounts, to find out how often it breaks the same rule. That
 * stays unknown where the run was stopped, or no further login may fail.
 */
async function sendAgain(
  run: CaseRun,
  commands: Commands | undefined,
  { judgements }: Real,
): Promise<Pick<Counterexample, 'held'>> {
  if (commands === undefined || run.session.run.signal.aborted) return {}
  const all: Real[] = []
  const again = await trySequence(run, commands, [], (real) => all.push(real))
  if (all.some(({ sent, isShortened }) => isShortened || sent.some(wasStopped))) return {}
  const rules = judgements.flatMap(({ rule, outcome }) => (outcome === 'failed' ? [rule] : []))
  const isSame = again?.judgements.some(({ rule, outcome }) => outcome === 'failed' && rules.includes(rule))
  return { held: { times: isSame ? 1 : 0, of: 1 } }
}

/** For each expectation of the case the worst judgement of its rule; of a failure, that of the shortest sequence. */
function byExpectation(
  { session, testCase }: CaseRun,
  judgements: readonly Judgement[],
  failing: Real | undefined,
): readonly Judgement[] {
  const expectations = testCase.steps.flatMap(({ expect = [] }) => expect)
  return expectations.map(({ rule, when }): Judgement => {
    const unmet = when && unmetCondition(when, session.deployment, session.run.strict)
    if (unmet !== undefined) return { rule, outcome: 'inapplicable', reason: unmet }
    const own = judgements.filter((judgement) => judgement.rule === rule)
    const shortest = failing?.judgements.find(
      (judgement) => judgement.rule === rule && judgement.outcome === 'failed',
    )
    const worst =
      shortest ??
      own.find(({ outcome }) => outcome === 'failed') ??
      own.find(({ outcome }) => outcome === 'cantTell') ??
      own[0]
    return (
      worst ?? {
        rule,
        outcome: 'inapplicable',
        reason: 'no sequence that was tried came to it',
      }
    )
  })
}

function wasStopped({ exchange }: SentRequest): boolean {
  return exchange.failure?.kind === 'stopped'
}
