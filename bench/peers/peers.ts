import { newman, stepci } from './api-tools.js'
import type { Peer } from './peer.js'
import { nodeTest, vitest } from './test-runners.js'

/** Other tools, at the same grants and checks. */
export const PEERS: readonly Peer[] = [nodeTest, vitest, newman, stepci]
