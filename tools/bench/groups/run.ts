import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../../spec/model/report.js'
import { COMMAND, type Cost, runChild, subject } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import { interleave, median, ratioOfPairs } from '../measure/statistics.js'
import { costCells, type Group, type Row } from '../rows.js'

const IN_FLIGHT = '8'
const PASSWORD = { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' }
/** The peer of all others: as many requests as a default run sends. */
const LOOP = 'a bare undici loop with as many requests'
const DEFAULT = 'a default run, everything declared'
const WITHOUT_WAITS = 'the same without the cases that wait'
const EMBEDDED = '`run --embedded`'

type RequestCount = { readonly requests: number }

/** The runs that people wait for, compared with a loop that sends as many requests to the same server. */
export async function measureRuns(rounds: number, work: string): Promise<Group> {
  const targetFile = join(work, 'declared.json')
  await using server = await startServer('declared-server.js', targetFile)
  const out = join(work, 'run')
  const run = async (...args: string[]): Promise<Cost & RequestCount> => {
    const cost = await runChild([COMMAND, 'run', ...args, '--quiet', '--seed', '1', '--out', out], {
      cwd: work,
      env: PASSWORD,
    })
    return { ...cost, requests: requestsOf(out, args.includes('--only') || args.includes('--skip')) }
  }
  const declared = ['--target', targetFile]
  const { requests } = await run(...declared)
  const loop = async (times: number): Promise<Cost & RequestCount> => ({
    ...(await runChild([subject('bare-loop.js'), server.url, String(times), IN_FLIGHT])),
    requests: times,
  })
  const skipped = ['--skip', '2.1/issue-time-advances']
  const costs = await interleave<string, Cost & RequestCount>(
    {
      [LOOP]: () => loop(requests),
      [DEFAULT]: () => run(...declared),
      [WITHOUT_WAITS]: () => run(...declared, ...skipped),
      [EMBEDDED]: () => run('--embedded'),
    },
    rounds,
  )
  const of = (name: string): readonly (Cost & RequestCount)[] => costs[name] ?? []
  const ratio = (name: string, pick: (cost: Cost & RequestCount) => number): number =>
    ratioOfPairs(of(name).map(pick), of(LOOP).map(pick))
  return {
    title: 'What people wait for, beside a loop with as many requests as a default run',
    rows: Object.keys(costs).map(
      (what): Row => ({
        what,
        cells: {
          ...costCells(of(what), of(LOOP)),
          requests: show(of(what).map(({ requests }) => requests)),
          connections: show(of(what).map(({ connections }) => connections)),
        },
      }),
    ),
    figures: {
      'run/default/cpu-ratio': ratio(DEFAULT, ({ cpuMs }) => cpuMs),
      'run/default/connections': median(of(DEFAULT).map(({ connections }) => connections)),
      'run/default/wall-ratio': ratio(WITHOUT_WAITS, ({ wallMs, requests }) => wallMs / requests),
      'run/embedded/cpu-ratio': ratio(EMBEDDED, ({ cpuMs }) => cpuMs),
    },
  }
}

function show(counts: readonly number[]): string {
  const middle = median(counts)
  return Number.isNaN(middle) ? '' : middle.toLocaleString('en')
}

/** The number of requests in the report of a run. */
function requestsOf(out: string, isNarrowed: boolean): number {
  const name = isNarrowed ? 'report.partial.json' : 'report.json'
  const { trouble }: Report = JSON.parse(readFileSync(join(out, name), 'utf8'))
  return trouble.reduce((sum, { requests }) => sum + requests, 0)
}
