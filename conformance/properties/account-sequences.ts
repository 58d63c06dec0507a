import fc from 'fast-check'
import type { Case, Judgement } from '../../spec/types.js'
import type { Findings } from '../cases/case-result.js'
import { unmetCondition } from '../condition.js'
import type { FailedLogins } from '../session/failed-logins.js'
import type { Sent, Session } from '../session/session.js'
import {
  accountCommands,
  BrokenRule,
  everyRejection,
  type Model,
  type Real,
  Undecided,
} from './account-commands.js'

export interface PropertyOptions {
  readonly seed: number
  readonly runs: number
  readonly path?: string
  readonly replayPath?: string
  readonly signal: AbortSignal
  readonly budget?: FailedLogins
}

/** A sequence takes some ten requests: fewer of them than of single inputs. */
const RUNS_SHARE = 0.2
const MOST_COMMANDS = 12
const MOST_SHRINKS = 200
const MOST_SHOWN = 20

/**
 * Searches for a sequence of registrations, logins and external sign-ins, one after the other and at once, that the service
 * answers otherwise than a small model of its accounts says. The counterexample is the shortest such sequence.
 */
export async function searchSequences(
  session: Session,
  subject: Case,
  options: PropertyOptions,
): Promise<Findings> {
  const judgements: Judgement[] = []
  let found: Real | undefined
  let first: Real | undefined
  let runs = 0
  let executed = 0
  const isStopped = (): boolean => options.signal.aborted || (first ?? found)?.sent.some(wasStopped) === true

  const rejections = everyRejection(session)
  const anySequence = fc.commands([...accountCommands(session)], {
    maxCommands: MOST_COMMANDS,
    size: 'max',
    ...(options.replayPath === undefined ? {} : { replayPath: options.replayPath }),
  })
  const details = await fc.check(
    fc.asyncProperty(
      // Never drawn: it is the example.
      fc.oneof({ arbitrary: anySequence, weight: 1 }, { arbitrary: fc.constant(rejections), weight: 0 }),
      async (commands) => {
        if (isStopped() || executed > MOST_SHRINKS + options.runs) return
        executed++
        const real: Real = { session, caseId: subject.id, budget: options.budget, sent: [], judgements: [] }
        const start = (): { model: Model; real: Real } => ({ model: { accepted: [], rejected: [] }, real })
        first ??= real
        if (found === undefined) runs++
        try {
          await fc.asyncModelRun(start, commands)
        } catch (error) {
          if (error instanceof BrokenRule) found = real
          if (!(error instanceof Undecided)) throw error
        } finally {
          judgements.push(...real.judgements)
        }
      },
    ),
    {
      seed: options.seed,
      examples: [[rejections]],
      numRuns: options.path === undefined ? Math.max(1, Math.round(options.runs * RUNS_SHARE)) : 1,
      ...(options.path === undefined ? {} : { path: options.path, endOnFailure: true }),
    },
  )
  if (details.failed && found === undefined && !isStopped()) throw details.errorInstance
  // Assigned inside the closure above, which the compiler does not follow.
  const broken = found as Real | undefined
  const shown = (broken ?? (first as Real | undefined))?.sent ?? []
  const sequence = String(details.counterexample?.[0] ?? '')
  const replayPath = /replayPath="([^"]*)"/.exec(sequence)?.[1]
  return {
    judgements: byExpectation(session, subject, judgements, broken),
    sent: shown.slice(-MOST_SHOWN),
    failing: shown.at(-1),
    stopped: isStopped(),
    runs,
    ...(broken === undefined
      ? {}
      : {
          counterexample: {
            values: { sequence: sequence.replace(/\s*\/\*.*\*\/\s*$/s, '').split(',') },
            seed: details.seed,
            path: details.counterexamplePath ?? '0',
            shrinks: details.numShrinks,
            ...(replayPath === undefined ? {} : { replayPath }),
          },
        }),
  }
}

/** For each expectation of the case the worst judgement of its rule; of a failure, that of the shortest sequence. */
function byExpectation(
  session: Session,
  subject: Case,
  judgements: readonly Judgement[],
  broken: Real | undefined,
): readonly Judgement[] {
  const expectations = subject.steps.flatMap(({ expect = [] }) => expect)
  return expectations.map(({ rule, when }): Judgement => {
    const unmet = when && unmetCondition(when, session.deployment, session.strict)
    if (unmet !== undefined) return { rule, outcome: 'inapplicable', reason: unmet }
    const own = judgements.filter((judgement) => judgement.rule === rule)
    const shortest = broken?.judgements.find(
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

function wasStopped({ exchange }: Sent): boolean {
  return exchange.failure?.kind === 'stopped'
}
