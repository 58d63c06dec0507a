import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND, type Cost, runChild, type ServerChild, startServer, subject } from './measure/child.js'
import { grant, type Load } from './measure/grant.js'
import { runSuite } from './measure/run-suite.js'
import { type Figures, type Group, interleave, median, ratioOfPairs } from './measure/statistics.js'
import { measureSlow } from './slow.js'

const ROUNDS = 5
const INDEX = new URL('../../dist/index.js', import.meta.url).href

export const GROUPS: Readonly<Record<string, () => Promise<Group>>> = {
  start: measureStart,
  run: () => inFolder(measureRuns),
  grant: () => compareLoads('grant', 15_000, [['bare-server.js'], ['reference-server.js']]),
  async proxy() {
    await using service = await startServer(subject('bare-server.js'))
    const { port } = new URL(service.url)
    const between = ['relay-server.js', 'proxy-server.js'].map((file) => [file, port])
    return await compareLoads('proxy', 8000, between)
  },
  slow: () => inFolder(measureSlow),
}

async function inFolder(measure: (work: string) => Promise<Group>): Promise<Group> {
  const work = mkdtempSync(join(tmpdir(), 'token-assay-bench-'))
  try {
    return await measure(work)
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** The cost of a start, compared with that of Node itself. */
async function measureStart(): Promise<Group> {
  await using server = await startServer(subject('bare-server.js'))
  const one = ['run', server.url, '--user-name', 'alice', '--only', '1/exchange', '--quiet']
  const args = {
    node: ['-e', '0'],
    version: [COMMAND, '--version'],
    rules: [COMMAND, 'list', 'rules'],
    oneCase: [COMMAND, ...one],
    index: ['--input-type=module', '-e', `await import(${JSON.stringify(INDEX)})`],
  }
  const env = { TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' }
  const subjects = Object.entries(args).map(([name, given]) => [name, () => runChild(given, env)] as const)
  const figures = await interleave<Cost>(Object.fromEntries(subjects), ROUNDS * 2)
  return {
    figures,
    ratios: {
      'start/version/wall-ratio': ratio(figures, ['version', 'node'], ({ wallMs }) => wallMs),
      'start/one-case/cpu-ratio': ratio(figures, ['oneCase', 'node'], ({ cpuMs }) => cpuMs),
    },
  }
}

/** The runs that people wait for, compared with a loop that sends as many requests to the same server. */
async function measureRuns(work: string): Promise<Group> {
  const file = join(work, 'declared.json')
  await using _server = await startServer(subject('declared-server.js'), file)
  const run = (...args: readonly string[]): ReturnType<typeof runSuite> => runSuite(work, args)
  const { requests } = await run('--target', file)
  const figures = await interleave(
    {
      loop: async () => ({
        ...(await runChild([subject('bare-loop.js'), file, String(requests)])),
        requests,
      }),
      run: () => run('--target', file),
      withoutWaits: () => run('--target', file, '--skip', '2.1/issue-time-advances'),
    },
    ROUNDS,
  )
  return {
    figures,
    ratios: {
      'run/default/connections': median((figures.run ?? []).map(({ connections }) => connections)),
      'run/default/wall-ratio': ratio(
        figures,
        ['withoutWaits', 'loop'],
        (cost) => cost.wallMs / cost.requests,
      ),
    },
  }
}

/**
 * The cost of an exchange for a server, compared with that for the least that could be in its place.
 * @param warmUp the first thousands of exchanges are compiled while they are made
 * @param servers files of `tools/bench/subjects`, each with its arguments; the least one first
 */
async function compareLoads(
  id: string,
  warmUp: number,
  servers: readonly (readonly string[])[],
): Promise<Group> {
  const started: ServerChild[] = []
  try {
    for (const [file = '', ...args] of servers) started.push(await startServer(subject(file), ...args))
    for (const server of started) await grant(server, warmUp)
    const names = servers.map(([file = '']) => file.replace('-server.js', ''))
    const subjects = started.map((server, at) => [names[at] ?? '', () => grant(server, 4000)] as const)
    const figures = await interleave<Load>(Object.fromEntries(subjects), ROUNDS)
    const [peer = '', own = ''] = names
    return { figures, ratios: { [`${id}/cpu-ratio`]: ratio(figures, [own, peer], ({ cpuMs }) => cpuMs) } }
  } finally {
    for (const server of started) await server.stop()
  }
}

function ratio<Figure>(
  figures: Figures<Figure>,
  [one, peer]: readonly [string, string],
  pick: (figure: Figure) => number,
): number {
  return ratioOfPairs((figures[one] ?? []).map(pick), (figures[peer] ?? []).map(pick))
}
