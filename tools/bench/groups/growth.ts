import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, type Cost, runChild } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import { interleave, ratioOfPairs } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { cell, costCells, type Group } from '../rows.js'
import { writeCases } from './write-cases.js'

/** So many deployments with so many cases, each of which sends so much, against one server. */
interface Size {
  readonly deployments: number
  readonly cases: number
  readonly exchanges: number
  readonly kept: 'all' | 'failed' | 'none'
  /** Of the heap, in MB: with room to spare V8 lets garbage lie, and the peak would show that. */
  readonly limit?: number
}

const MOST: Size = { deployments: 100, cases: 500, exchanges: 1, kept: 'none' }
/** Few results with one exchange each, and with ten. */
const SHORT: Size = { ...MOST, cases: 50, limit: 160 }
const LONG: Size = { ...SHORT, exchanges: 10 }

/** Whether time grows with what is sent and no faster, and memory not with what is not kept. */
export async function measureGrowth({ quick, work }: BenchOptions): Promise<Group> {
  const largest: Size = quick ? { ...MOST, cases: 100 } : MOST
  const few: Size = { ...largest, deployments: largest.deployments / 4 }
  const sizes: readonly Size[] = [
    few,
    largest,
    { ...largest, kept: 'failed' },
    { ...largest, kept: 'all' },
    SHORT,
    LONG,
  ]
  await using server = await startServer('reference-server.js')
  const run = (size: Size) => () => {
    const target = writeTarget(work, server.url, size.deployments)
    const cases = writeCases(work, size.cases, { steps: size.exchanges })
    const args = ['--target', target, '--cases', cases, '--only', 'bench:*', '--keep-exchanges', size.kept]
    const limit = size.limit === undefined ? [] : [`--max-old-space-size=${size.limit}`]
    return runChild([...limit, COMMAND, 'run', ...args, '--concurrency', '16', '--quiet'], { cwd: work })
  }
  // Minutes rather than seconds: once is enough, since counts are large.
  const costs = await interleave(Object.fromEntries(sizes.map((size) => [nameOf(size), run(size)])), {
    rounds: 1,
  })
  const of = (size: Size): readonly Cost[] => costs[nameOf(size)] ?? []
  const perExchange = (size: Size): number[] =>
    of(size).map(({ cpuMs }) => (cpuMs * 1000) / (size.deployments * size.cases * size.exchanges))
  const peaks = (size: Size): number[] => of(size).map(({ peakBytes }) => peakBytes)
  return {
    title: 'Growth: deployments × cases × exchanges, against one server',
    rows: sizes.map((size) => ({
      what: nameOf(size),
      cells: {
        ...cell('µs of CPU an exchange', 0, perExchange(size), perExchange(few)),
        ...costCells(of(size), of(few)),
      },
    })),
    figures: {
      'growth/cpu-ratio-of-an-exchange': ratioOfPairs(perExchange(largest), perExchange(few)),
      'growth/peak-ratio-of-ten-times-the-exchanges': ratioOfPairs(peaks(LONG), peaks(SHORT)),
    },
  }
}

function nameOf({ deployments, cases, exchanges, kept, limit }: Size): string {
  const heap = limit === undefined ? '' : `, heap of ${limit} MB`
  return `${deployments} × ${cases} × ${exchanges}, kept: ${kept}${heap}`
}

function writeTarget(work: string, baseUrl: string, deployments: number): string {
  const file = join(work, `target-${deployments}.json`)
  const target = {
    baseUrl,
    accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
    deployments: Object.fromEntries(Array.from({ length: deployments }, (_, at) => [`d${at}`, {}])),
  }
  writeFileSync(file, JSON.stringify(target))
  return file
}
