import { COMMAND, type Cost, runChild, subject } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import { interleave, median, ratioOfPairs } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { IN_FLIGHT, isInstalled } from '../peers/peer.js'
import { PEERS } from '../peers/peers.js'
import { costCells, type Group, type Row, ratios } from '../rows.js'
import { writeCases } from './write-cases.js'

const BY_HAND = 'a script with undici'
const SUITE = 'token-assay'
const KEPT_FAILED = 'token-assay --keep-exchanges failed'
const FROM_YAML = 'token-assay, from YAML'
const PASSWORD = { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' }

type Costs = Readonly<Record<string, readonly Cost[]>>

/** The same exchanges and checks by the suite, by a script written by hand, and by other tools. */
export async function measureSuite({ rounds, quick, work }: BenchOptions): Promise<Group> {
  await using server = await startServer('bare-server.js')
  const rows: Row[] = []
  const figures: Record<string, number> = {}
  const found = new Map<number, Costs>()
  for (const size of quick ? [40, 400] : [40, 400, 4000]) {
    const costs = await measureSize(size, server.url, work, rounds)
    found.set(size, costs)
    const of = (name: string): readonly Cost[] => costs[name] ?? []
    for (const what of Object.keys(costs))
      rows.push({ what: `${size} cases: ${what}`, cells: costCells(of(what), of(BY_HAND)) })
    Object.assign(figures, ratios(`suite/${size}`, of(SUITE), of(BY_HAND)))
    Object.assign(figures, ratios(`suite/${size}-kept-failed`, of(KEPT_FAILED), of(BY_HAND)))
    const [newman, suite] = [wallOf(of('newman')), wallOf(of(SUITE))]
    if (newman.length > 0) figures[`suite/${size}/newman-wall-ratio`] = ratioOfPairs(newman, suite)
  }
  // Of the CPU: what the script's time grows by is less than what a busy machine adds to it.
  const cpu = (size: number, name: string): number =>
    median((found.get(size)?.[name] ?? []).map(({ cpuMs }) => cpuMs))
  const growth = (name: string): number => cpu(4000, name) - cpu(400, name)
  if (!quick) figures['suite/cpu-ratio-of-an-extra-case'] = growth(SUITE) / growth(BY_HAND)
  return { title: `The same exchanges and checks, ${IN_FLIGHT} in flight`, rows, figures }
}

function measureSize(size: number, url: string, work: string, rounds: number): Promise<Costs> {
  const folder = writeCases(work, size)
  const run = (cases: string, kept: string) => () =>
    runChild([COMMAND, ...runArguments(url, cases), '--keep-exchanges', kept], { cwd: work, env: PASSWORD })
  const peers = PEERS.filter(isInstalled).map((peer) => {
    const args = peer.prepare(work, url, size)
    return [peer.name, () => runChild(args, { cwd: work, env: peer.env?.(work) ?? {} })] as const
  })
  return interleave<string, Cost>(
    {
      [BY_HAND]: () => runChild([subject('bare-cases.js'), url, folder, String(IN_FLIGHT)]),
      [SUITE]: run(folder, 'all'),
      [KEPT_FAILED]: run(folder, 'failed'),
      [FROM_YAML]: run(writeCases(work, size, { language: 'yaml' }), 'all'),
      ...Object.fromEntries(peers),
    },
    // Some take most of a minute for thousands: once is enough to tell.
    { rounds, fewer: Object.fromEntries(peers.map(([name]) => [name, size > 400 ? 1 : 2])) },
  )
}

function runArguments(url: string, cases: string): readonly string[] {
  const only = ['--cases', cases, '--only', 'bench:*']
  return ['run', url, '--user-name', 'alice', ...only, '--concurrency', String(IN_FLIGHT), '--quiet']
}

function wallOf(costs: readonly Cost[]): number[] {
  return costs.map(({ wallMs }) => wallMs)
}
