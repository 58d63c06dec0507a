import type { RunContext } from '../../../drivers/send/session/run-context.js'
import type { OpenSides } from '../declare/open-sides.js'
import type { CellBoard } from './cell-board.js'

/** All that the parts of a rehearsal share while it is made. */
export interface RehearsalStage {
  readonly run: RunContext
  readonly sides: OpenSides
  readonly board: CellBoard
}
