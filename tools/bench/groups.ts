import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../../spec/model/report.js'
import { COMMAND, type Cost, runChild, type ServerChild, startServer, subject } from './measure/child.js'
import { grant, type Load } from './measure/grant.js'
import { type Figures, interleave, median, ratioOfPairs } from './measure/statistics.js'

const ROUNDS = 5
const INDEX = new URL('../../dist/index.js', import.meta.url).href

/** What was measured of each subject, and ratios by the ids of `goals.yaml`; never times. */
export interface Group {
  readonly figures: Figures<Load & Partial<Cost>>
  readonly ratios: Readonly<Record<string, number>>
}

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

async function runSuite(
  work: string,
  args: readonly string[],
): Promise<Cost & { readonly requests: number }> {
  const cost = await runChild([COMMAND, 'run', ...args, '--quiet', '--seed', '1', '--out', work])
  const name = args.includes('--skip') ? 'report.partial.json' : 'report.json'
  const { trouble }: Report = JSON.parse(readFileSync(join(work, name), 'utf8'))
  return { ...cost, requests: trouble.reduce((sum, { requests }) => sum + requests, 0) }
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
      embedded: () => run('--embedded'),
    },
    ROUNDS,
  )
  return {
    figures,
    ratios: {
      'run/default/cpu-ratio': ratio(figures, ['run', 'loop'], ({ cpuMs }) => cpuMs),
      'run/default/connections': median((figures.run ?? []).map(({ connections }) => connections)),
      'run/default/wall-ratio': ratio(
        figures,
        ['withoutWaits', 'loop'],
        (cost) => cost.wallMs / cost.requests,
      ),
      'run/embedded/cpu-ratio': ratio(figures, ['embedded', 'loop'], ({ cpuMs }) => cpuMs),
    },
  }
}

const DELAY_MS = 100

/**
 * Default runs against a service each of whose answers is late, compared with the time that as many requests take where all
 * of `--concurrency` is in use. Once each: sums of delays hardly vary.
 */
async function measureSlow(work: string): Promise<Group> {
  const file = join(work, 'declared.json')
  await using server = await startServer(subject('declared-server.js'), file)
  const delayed = [new URL(server.url).port, String(DELAY_MS)]
  await using relay = await startServer(subject('relay-server.js'), ...delayed)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), baseUrl: relay.url }))
  const figures: Record<string, Cost[]> = {}
  const ratios: Record<string, number> = {}
  for (const width of [8, 32]) {
    const cost = await runSuite(work, ['--target', file, '--concurrency', String(width)])
    figures[`run, ${width} at a time`] = [cost]
    ratios[`slow/${width}/wall-ratio`] = cost.wallMs / ((cost.requests * DELAY_MS) / width)
    ratios['slow/requests'] = cost.requests
  }
  return { figures, ratios }
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
