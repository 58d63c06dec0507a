import { grant, IN_FLIGHT } from '../measure/grant.js'
import { startServer } from '../measure/start-server.js'
import { compareLoads, type Group } from '../rows.js'

const WARM_UP = 8000
const MEASURED = 4000

/** The cost of an exchange for what is between client and service. */
export async function measureProxy(rounds: number): Promise<Group> {
  await using service = await startServer('bare-server.js')
  const { port } = new URL(service.url)
  await using relay = await startServer('relay-server.js', port)
  await using proxy = await startServer('proxy-server.js', port)
  for (const server of [relay, proxy]) await grant(server, WARM_UP)
  return compareLoads(
    `What an exchange costs between client and service, ${IN_FLIGHT} in flight`,
    'proxy',
    {
      'a bare TCP relay': () => grant(relay, MEASURED),
      '`token-assay proxy`': () => grant(proxy, MEASURED),
    },
    rounds,
  )
}
