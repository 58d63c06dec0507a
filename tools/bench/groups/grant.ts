import { grant, IN_FLIGHT } from '../measure/grant.js'
import { startServer } from '../measure/start-server.js'
import { compareLoads, type Group } from '../rows.js'

/** The first thousands of grants are compiled while they are made. */
const WARM_UP = 15_000
const MEASURED = 5000

/** The cost of a grant for the server. */
export async function measureGrants(rounds: number): Promise<Group> {
  await using bare = await startServer('bare-server.js')
  await using reference = await startServer('reference-server.js')
  for (const server of [bare, reference]) await grant(server, WARM_UP)
  return compareLoads(
    `What a grant costs the server, ${IN_FLIGHT} in flight`,
    'grant',
    {
      'bare node:http, which stores nothing': () => grant(bare, MEASURED),
      'the reference server, `hashing: fast`': () => grant(reference, MEASURED),
    },
    rounds,
  )
}
