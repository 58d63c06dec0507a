import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import { createRunContext, type RunContext } from '../../drivers/send/session/run-context.js'
import type { RehearsalSettings, Target } from '../../target/deployment.js'
import { restartByCommand } from '../../target/restart-command.js'
import { type StartedServices, startServices } from '../../target/start-services.js'
import { planCells } from './cells/plan-cells.js'
import { type RehearsalClock, systemClock } from './cells/rehearsal-clock.js'
import type { RehearsalStage } from './cells/rehearsal-stage.js'
import { restartUnits } from './cells/restart-units.js'
import { tryAtOnce } from './cells/try-cells.js'
import { tryEndOfLife } from './cells/try-end-of-life.js'
import { tryRestarts } from './cells/try-restarts.js'
import { judgeCohort } from './cohort/judge-cohort.js'
import { refuseNoFile } from './cohort/read-accounts.js'
import { type CohortOptions, type CohortOutcome, runCohort } from './cohort/run-cohort.js'
import { openSides } from './declare/open-sides.js'
import { type PlannedSides, planSides } from './declare/plan-sides.js'
import { readExpectations } from './expectations/declared-expectations.js'
import { judgeCells } from './expectations/judge-cells.js'
import { judgeFacts, withoutMeasure } from './expectations/judge-facts.js'
import { observeFacts } from './facts/observe-facts.js'
import type { ObservedFact } from './facts/observed-fact.js'
import { composeRehearsal } from './report/compose-rehearsal.js'

/** Seconds. */
export const DEFAULT_MAX_WAIT = 120

export interface RehearsalOptions {
  /** Milliseconds that are waited for the life of a token to end, at the most. Default 120,000. */
  readonly maxWaitMs?: number
  /** Stops the rehearsal; what was tried is reported. */
  readonly signal?: AbortSignal
  /** Called before the first request, with the report of a rehearsal that is stopped there. */
  readonly onBegin?: (nothing: Rehearsal) => void
  /** How the accounts of the cohort are signed in with. */
  readonly cohort?: CohortOptions
  /** What tests replace. */
  readonly clock?: RehearsalClock
  readonly restarts?: ReadonlyMap<string, () => Promise<void>>
}

const STOPPED = 'the rehearsal was stopped'

/**
 * Tries which service accepts whose tokens: sides, grants, cells, expectations, report.
 * @throws AssayError before anything is sent: `usage` where the target does not declare what is needed, `missing-file` where
 * the cohort is none
 */
export async function rehearse(target: Target, options: RehearsalOptions = {}): Promise<Rehearsal> {
  const planned = planSides(target)
  const declared = readExpectations(settingsOf(target).expect, planned)
  const { cohort: accounts } = settingsOf(target)
  if (accounts !== undefined) refuseNoFile(accounts.file)
  const begin = performance.now()
  const run = createRunContext(target, options.signal === undefined ? {} : { signal: options.signal })
  const obstacles: string[] = []
  const facts: ObservedFact[] = []
  const cohort: { outcome?: CohortOutcome } = {}
  try {
    await using sides = openSides(run, planned)
    const services: { started: StartedServices } = { started: NOTHING_STARTED }
    const units = restartUnits(
      planned,
      target.deployments,
      lateServices(services),
      runRestart(run),
      options.restarts,
    )
    const stage: RehearsalStage = {
      run,
      sides,
      units,
      board: planCells(sides, units),
      clock: options.clock ?? systemClock,
      maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT * 1000,
      origins: settingsOf(target).origins,
      onFact: (fact) => facts.push(fact),
      onObstacle: (reason) => obstacles.push(reason),
    }
    const report = (inconclusive: readonly string[]): Rehearsal =>
      composeRehearsal({
        run,
        sides,
        judged: judgeCells(stage.board.cells(inconclusive[0] ?? STOPPED), declared, withoutMeasure(facts)),
        facts: judgeFacts(facts),
        cohort: cohort.outcome && judgeCohort(cohort.outcome),
        inconclusive,
        durationMs: performance.now() - begin,
      })
    options.onBegin?.(report([STOPPED]))
    try {
      services.started = await startServices(involved(target, planned), run.redactor, run.signal)
      for (const attempt of [tryAtOnce, observeFacts, tryRestarts]) await attempt(stage)
      if (accounts !== undefined && !run.signal.aborted)
        cohort.outcome = await runCohort(stage, accounts, options.cohort)
      await tryEndOfLife(stage)
    } catch (error) {
      if (!(error instanceof AssayError && error.code === 'start-failed')) throw error
      obstacles.push(error.message)
    } finally {
      await services.started.stop()
    }
    return report(run.signal.aborted ? [STOPPED, ...obstacles] : obstacles)
  } finally {
    run.end()
  }
}

const NOTHING_STARTED: StartedServices = {
  stop: async () => undefined,
  restart: async () => undefined,
  endOf: async () => undefined,
}

/** Restarts are planned before anything is started. */
function lateServices(services: { readonly started: StartedServices }): Pick<StartedServices, 'restart'> {
  return { restart: (deployment) => services.started.restart(deployment) }
}

function runRestart({ redactor, signal }: RunContext): Parameters<typeof restartUnits>[3] {
  return (command, bases) =>
    restartByCommand(
      command,
      bases.map(({ baseUrl }) => baseUrl),
      redactor,
      signal,
    )
}

function involved({ deployments }: Target, { issuers }: PlannedSides): Target['deployments'][number][] {
  return deployments.filter(({ name }) => issuers.some(({ of }) => of === name))
}

/** All deployments have the same ones, which no patch may change. */
function settingsOf({ deployments }: Target): Pick<RehearsalSettings, 'expect' | 'origins' | 'cohort'> {
  return (
    deployments.find(({ rehearsal }) => rehearsal !== undefined)?.rehearsal ?? { expect: {}, origins: [] }
  )
}
