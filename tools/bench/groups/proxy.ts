import { grant, IN_FLIGHT } from '../measure/grant.js'
import { startServer } from '../measure/start-server.js'
import { interleave, ratioOfPairs } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { cell, type Group } from '../rows.js'

const RELAY = 'a bare TCP relay'
const PROXY = '`token-assay proxy`'
const WARM_UP = 8000
const MEASURED = 4000

/** What an exchange costs what is between client and service. */
export async function measureProxy({ rounds, quick }: BenchOptions): Promise<Group> {
  await using service = await startServer('bare-server.js')
  const { port } = new URL(service.url)
  await using relay = await startServer('relay-server.js', port)
  await using proxy = await startServer('proxy-server.js', port)
  const between = { [RELAY]: relay, [PROXY]: proxy }
  for (const server of [relay, proxy]) await grant(server, quick ? 1000 : WARM_UP)
  const work = Object.entries(between).map(([name, server]) => [name, () => grant(server, MEASURED)] as const)
  const loads = await interleave(Object.fromEntries(work), { rounds })
  const cpu = (name: string): number[] => (loads[name] ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds)
  const rate = (name: string): number[] => (loads[name] ?? []).map(({ perSecond }) => perSecond)
  return {
    title: `What an exchange costs between client and service, ${IN_FLIGHT} in flight`,
    rows: [RELAY, PROXY].map((what) => ({
      what,
      cells: {
        ...cell('CPU µs an exchange', 1, cpu(what), cpu(RELAY)),
        ...cell('exchanges/s', 0, rate(what), rate(RELAY)),
      },
    })),
    figures: { 'proxy/cpu-ratio': ratioOfPairs(cpu(PROXY), cpu(RELAY)) },
  }
}
