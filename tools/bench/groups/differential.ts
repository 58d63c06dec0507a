import { COMMAND, type Cost, runChild } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import { interleave } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { costCells, type Group, ratios } from '../rows.js'

const RUN = '`token-assay run`, of one of them'
const DIFF = '`token-assay diff`, of both'
const PASSWORD = { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' }

/** What it costs to compare two services that do not differ, beside the suite against one of them. Both at their defaults. */
export async function measureDifferential({ rounds, work }: BenchOptions): Promise<Group> {
  await using old = await startServer('reference-server.js')
  await using now = await startServer('reference-server.js')
  const child = (...args: readonly string[]) =>
    runChild([COMMAND, ...args, '--user-name', 'alice'], { cwd: work, env: PASSWORD })
  const costs = await interleave<string, Cost>(
    {
      [RUN]: () => child('run', old.url, '--reporter', 'json'),
      [DIFF]: () => child('diff', '--old', old.url, '--new', now.url, '--reporter', 'json'),
    },
    { rounds },
  )
  const of = (name: string): readonly Cost[] => costs[name] ?? []
  const requests: Readonly<Record<string, string>> = {
    [RUN]: requestsOfRun(of(RUN)[0]?.stdout ?? '{}'),
    [DIFF]: requestsOfDiff(of(DIFF)[0]?.stdout ?? '{}'),
  }
  return {
    title: 'Two services compared that do not differ',
    rows: [RUN, DIFF].map((what) => ({
      what,
      cells: { requests: requests[what] ?? '', ...costCells(of(what), of(RUN)) },
    })),
    figures: ratios('differential', of(DIFF), of(RUN)),
  }
}

function requestsOfRun(report: string): string {
  const { trouble } = JSON.parse(report)
  return String(
    trouble.reduce((sum: number, { requests }: { readonly requests: number }) => sum + requests, 0),
  )
}

function requestsOfDiff(report: string): string {
  const { old, new: now } = JSON.parse(report)
  return `old ${old.requests}, new ${now.requests}`
}
