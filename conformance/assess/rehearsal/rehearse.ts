import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import { createRunContext } from '../../drivers/send/session/run-context.js'
import type { DeclaredExpectations, Target } from '../../target/deployment.js'
import { CellBoard } from './cells/cell-board.js'
import { planCells } from './cells/plan-cells.js'
import type { RehearsalStage } from './cells/rehearsal-stage.js'
import { tryAtOnce } from './cells/try-cells.js'
import { openSides } from './declare/open-sides.js'
import { planSides } from './declare/plan-sides.js'
import { readExpectations } from './expectations/declared-expectations.js'
import { judgeCells } from './expectations/judge-cells.js'
import { composeRehearsal } from './report/compose-rehearsal.js'

export interface RehearsalOptions {
  /** Stops the rehearsal; what was tried is reported. */
  readonly signal?: AbortSignal
  /** Called before the first request, with the report of a rehearsal that is stopped there. */
  readonly onBegin?: (nothing: Rehearsal) => void
}

const STOPPED = 'the rehearsal was stopped'

/**
 * Tries which service accepts whose tokens: sides, grants, cells, expectations, report.
 * @throws AssayError `usage`, before anything is sent, where the target does not declare what is needed
 */
export async function rehearse(target: Target, options: RehearsalOptions = {}): Promise<Rehearsal> {
  const planned = planSides(target)
  const declared = readExpectations(expectedBy(target), planned)
  const begin = performance.now()
  const run = createRunContext(target, options.signal === undefined ? {} : { signal: options.signal })
  try {
    await using sides = openSides(run, planned)
    const stage: RehearsalStage = { run, sides, board: new CellBoard(planCells(sides)) }
    const report = (inconclusive: readonly string[]): Rehearsal =>
      composeRehearsal({
        run,
        sides,
        judged: judgeCells(stage.board.cells(STOPPED), declared),
        inconclusive,
        durationMs: performance.now() - begin,
      })
    options.onBegin?.(report([STOPPED]))
    await tryAtOnce(stage)
    return report(run.signal.aborted ? [STOPPED] : [])
  } finally {
    run.end()
  }
}

/** All deployments have the same one, which no patch may change. */
function expectedBy({ deployments }: Target): DeclaredExpectations {
  return deployments.find(({ rehearsal }) => rehearsal !== undefined)?.rehearsal?.expect ?? {}
}
