import type { Load } from './measure/grant.js'
import type { Cost } from './measure/run-child.js'
import { interleave, median, ratioOfPairs, spread } from './measure/statistics.js'

/** One line of a group's table: what was measured, the median, and the ratio to its peer. */
export interface Row {
  readonly what: string
  readonly cells: Readonly<Record<string, string>>
}

export interface Group {
  readonly title: string
  readonly rows: readonly Row[]
  /** Ratios by the ids of `goals.ts`; never times. */
  readonly figures: Readonly<Record<string, number>>
}

/** The cells of processes that ran to their end, each with its ratio to the peer in the same rounds. */
export function costCells(costs: readonly Cost[], against?: readonly Cost[]): Row['cells'] {
  const of = (pick: (cost: Cost) => number): readonly [number[], number[] | undefined] => [
    costs.map(pick),
    against?.map(pick),
  ]
  return {
    ...cell('wall ms', 0, ...of(({ wallMs }) => wallMs)),
    ...cell('CPU ms', 0, ...of(({ cpuMs }) => cpuMs)),
    ...cell('peak MB', 0, ...of(({ peakBytes }) => peakBytes / 2 ** 20)),
  }
}

/** The median with half of the range; in a column of its own the ratio to the peer. */
export function cell(
  name: string,
  digits: number,
  values: readonly number[],
  against?: readonly number[],
): Row['cells'] {
  return {
    [name]: `${median(values).toFixed(digits)}${variation(values)}`,
    [`${name.split(' ')[0]} ×`]: against === undefined ? '' : ratioOfPairs(values, against).toFixed(2),
  }
}

/** Nothing is known of what was measured once. */
function variation(values: readonly number[]): string {
  return values.length > 1 ? ` ±${Math.round(spread(values) * 50)}%` : ''
}

export function ratios(
  name: string,
  costs: readonly Cost[],
  against: readonly Cost[],
): Readonly<Record<string, number>> {
  const ratio = (pick: (cost: Cost) => number): number => ratioOfPairs(costs.map(pick), against.map(pick))
  return {
    [`${name}/wall-ratio`]: ratio(({ wallMs }) => wallMs),
    [`${name}/cpu-ratio`]: ratio(({ cpuMs }) => cpuMs),
    [`${name}/peak-ratio`]: ratio(({ peakBytes }) => peakBytes),
  }
}

/** Compares the CPU time and the rate of the second server with those of the first, under the same load. */
export async function compareLoads(
  title: string,
  id: string,
  servers: Readonly<Record<string, () => Promise<Load>>>,
  rounds: number,
): Promise<Group> {
  const loads = Object.entries(await interleave(servers, rounds))
  const of = (index: number, pick: (load: Load) => number): number[] => (loads[index]?.[1] ?? []).map(pick)
  const cpu = (index: number): number[] => of(index, ({ cpuMicroseconds }) => cpuMicroseconds)
  const rate = (index: number): number[] => of(index, ({ perSecond }) => perSecond)
  return {
    title,
    rows: loads.map(([what], index) => ({
      what,
      cells: {
        ...cell('CPU µs an exchange', 1, cpu(index), cpu(0)),
        ...cell('exchanges/s', 0, rate(index), rate(0)),
      },
    })),
    figures: { [`${id}/cpu-ratio`]: ratioOfPairs(cpu(1), cpu(0)) },
  }
}

/** The group as a Markdown table. */
export function renderGroup({ title, rows }: Group): string {
  const names = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  const lines = [
    ['', ...names],
    ['---', ...names.map(() => '---:')],
    ...rows.map(({ what, cells }) => [what, ...names.map((name) => cells[name] ?? '')]),
  ]
  return [`### ${title}`, '', ...lines.map((line) => `| ${line.join(' | ')} |`)].join('\n')
}
