import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import { observeBadTokens } from './bad-tokens.js'
import { observeOrigins } from './cross-origin.js'
import { observeRefreshes } from './refreshes.js'
import { observeRevocation } from './revocation.js'

/** What is seen beside the table, at once. */
export async function observeFacts(stage: RehearsalStage): Promise<void> {
  for (const observe of [observeBadTokens, observeRefreshes, observeRevocation, observeOrigins])
    await observe(stage)
}
