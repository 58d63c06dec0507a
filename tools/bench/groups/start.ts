import { existsSync, statSync } from 'node:fs'
import { COMMAND, countModules, EXECUTABLE, runChild } from '../measure/run-child.js'
import { startServer } from '../measure/start-server.js'
import { interleave } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { costCells, type Group, ratios } from '../rows.js'

const INDEX = new URL('../../../dist/index.js', import.meta.url).href

/** What it takes to start, beside Node itself. */
export async function measureStart({ rounds, work }: BenchOptions): Promise<Group> {
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
  if (existsSync(EXECUTABLE)) {
    const file = `the executable file (${Math.round(statSync(EXECUTABLE).size / 1e6)} MB)`
    const inFile = { ...options, executable: EXECUTABLE }
    subjects[`${file}: \`--version\``] = () => runChild(['--version'], inFile)
    subjects[`${file}: a run of one case`] = () => runChild(one, inFile)
  }
  const costs = await interleave(subjects, { rounds: rounds * 2 })
  const nothing = costs['`node -e 0`'] ?? []
  const of = (name: keyof typeof args) => costs[name] ?? []
  const modules = await Promise.all(Object.values(args).map((given) => countModules(given, options)))
  return {
    title: 'Start, beside Node itself',
    rows: Object.entries(costs).map(([what, found], at) => ({
      what,
      cells: { ...costCells(found, nothing), modules: String(modules[at] ?? '') },
    })),
    figures: {
      ...ratios('start/version', of('`--version`'), nothing),
      ...ratios('start/list', of('`list rules`'), nothing),
      ...ratios('start/one-case', of('a run of one case'), nothing),
    },
  }
}
