import { COMMAND, runChild } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import { interleave } from '../measure/statistics.js'
import { costCells, type Group, ratios } from '../rows.js'

const INDEX = new URL('../../../dist/index.js', import.meta.url).href

/** The cost of a start, compared with that of Node itself. */
export async function measureStart(rounds: number, work: string): Promise<Group> {
  await using server = await startServer('bare-server.js')
  const one = ['run', server.url, '--user-name', 'alice', '--only', '1/exchange', '--quiet']
  const options = { cwd: work, env: { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' } }
  const args = {
    '`node -e 0`': ['-e', '0'],
    '`--version`': [COMMAND, '--version'],
    '`list rules`': [COMMAND, 'list', 'rules'],
    'a run of one case': [COMMAND, ...one],
    "`import 'token-assay'`": ['--input-type=module', '-e', `await import(${JSON.stringify(INDEX)})`],
  }
  const subjects = Object.fromEntries(
    Object.entries(args).map(([name, given]) => [name, () => runChild(given, options)]),
  )
  const costs = await interleave(subjects, rounds * 2)
  const nothing = costs['`node -e 0`'] ?? []
  const of = (name: keyof typeof args) => costs[name] ?? []
  return {
    title: 'Start, beside Node itself',
    rows: Object.entries(costs).map(([what, found]) => ({
      what,
      cells: costCells(found, nothing),
    })),
    figures: {
      ...ratios('start/version', of('`--version`'), nothing),
      ...ratios('start/one-case', of('a run of one case'), nothing),
    },
  }
}
