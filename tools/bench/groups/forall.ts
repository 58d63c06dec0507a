import { runChild, subject } from '../measure/run-child.js'
import { interleave, ratioOfPairs } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { cell, type Group } from '../rows.js'

const IN_FLIGHT = 8
/** Each of both cases is sought in four deployments: eight searches at once. */
const CASES = ['4.1/unknown-grant-type', '4.1/other-media-type']
const LOOP = 'a bare undici loop'
const SUITE = 'eight searches at once'
const ALONE = 'four searches at once'

interface Sending {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

/** Exchanges of property-based cases, generated and judged, beside a loop; each with the server in its own process. */
export async function measureForall({ rounds, quick }: BenchOptions): Promise<Group> {
  const runs = quick ? 250 : 1000
  const sent = (await send(runs, CASES)).sent
  const found = await interleave<string, Sending>(
    {
      [LOOP]: () => send(runs, [], sent),
      [SUITE]: () => send(runs, CASES),
      [ALONE]: () => send(runs * 2, CASES.slice(0, 1)),
    },
    { rounds },
  )
  const rate = (name: string): number[] => (found[name] ?? []).map(({ perSecond }) => perSecond)
  const cpu = (name: string): number[] => (found[name] ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds)
  return {
    title: `Some ${Math.round(sent / 1000)},000 exchanges of property-based cases, ${IN_FLIGHT} in flight, server embedded`,
    rows: Object.keys(found).map((what) => ({
      what,
      cells: {
        ...cell('exchanges/s', 0, rate(what), rate(LOOP)),
        ...cell('CPU µs an exchange', 0, cpu(what), cpu(LOOP)),
      },
    })),
    figures: { 'forall/throughput-ratio': ratioOfPairs(rate(SUITE), rate(LOOP)) },
  }
}

async function send(
  runs: number,
  cases: readonly string[],
  exchanges = 0,
): Promise<Sending & { readonly sent: number }> {
  const args = [String(exchanges), String(IN_FLIGHT), String(runs), ...cases]
  const { stdout } = await runChild([subject('embedded-forall.js'), ...args])
  const { sent, ms, cpuMicroseconds } = JSON.parse(stdout)
  return { sent, perSecond: (sent / ms) * 1000, cpuMicroseconds: cpuMicroseconds / sent }
}
