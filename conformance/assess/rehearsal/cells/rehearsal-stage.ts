import type { RunContext } from '../../../drivers/send/session/run-context.js'
import type { OpenSides } from '../declare/open-sides.js'
import type { ObservedFact } from '../facts/observed-fact.js'
import type { CellBoard } from './cell-board.js'
import type { RehearsalClock } from './rehearsal-clock.js'
import type { RestartUnit } from './restart-units.js'

/** All that the parts of a rehearsal share while it is made. */
export interface RehearsalStage {
  readonly run: RunContext
  readonly sides: OpenSides
  readonly board: CellBoard
  readonly units: readonly RestartUnit[]
  readonly clock: RehearsalClock
  /** Of pages that use both services. */
  readonly origins: readonly string[]
  /** Milliseconds that are waited for the life of a token to end, at the most. */
  readonly maxWaitMs: number
  readonly onFact: (fact: ObservedFact) => void
  /** Called with what keeps something from being compared. */
  readonly onObstacle: (reason: string) => void
}
