/**
 * `npm run soak`: a million turns of 64 clients of a server process with bounded stores. A tenth are hostile, a tenth of the
 * others do what tests do: tokens without a login, introspection, hooks, scopes, with several requests each. Exit code 1: a wrong answer, a complaint of the server, memory that grows, or a suite that is not green before and
 * after.
 */
import { parseArgs } from 'node:util'
import { assess } from '../../../index.js'
import { type ServeCommand, startServeCommand } from '../measure/start-server.js'
import { drive } from './drive.js'
import { inMegabytes, memoryProblems, type Sample } from './memory-growth.js'
import { accounts } from './sound-requests.js'

const options = {
  requests: { type: 'string', default: '1000000' },
  connections: { type: 'string', default: '64' },
  seed: { type: 'string', default: '1' },
  /** Of the suite, before and after. */
  runs: { type: 'string', default: '100' },
} as const
/** Everything that is kept has been filled by then. */
const WARM_UP_HUNDREDTHS = 10

const { requests, connections, seed, runs } = readOptions()
const limits = { accounts: 2000, tokens: 10_000, journal: 500, connections: 256 }
const secret = 'a-secret-of-the-soak'
const config = {
  ...{ accounts, limits, hashing: 'fast', log: { level: 'error' } },
  ...{ protectedResource: true, control: { port: 0, secret } },
  // Short, for there to be many slow clients in little time; no machine is so busy that others seem slow.
  ...{ headersTimeoutMs: 10_000, requestTimeoutMs: 16_000 },
}
const problems: string[] = []
const samples: Sample[] = []
const startedAt = performance.now()
const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`

/** The suite, against a server that is in whatever state it is in. */
async function runSuite({ url }: ServeCommand, when: string): Promise<void> {
  const json = { userName: '$userName', email: '$email', password: '$password' }
  const registration = { request: { method: 'POST', path: '/accounts', json } }
  const target = { baseUrl: url, accounts, registration, maxFailedLogins: 1000, timeoutMs: 60_000 }
  const { verdict, counts } = await assess(target, { seed, runs })
  console.log(`suite ${when}: ${verdict}, ${counts.passed} passed (${seconds()})`)
  if (verdict !== 'conformant') problems.push(`the suite ${when} says ${verdict}: ${counts.failed} failed`)
}

await using server = await startServeCommand(config)
await runSuite(server, 'before')
const droveFrom = performance.now()
const {
  hostile,
  double,
  statuses,
  problems: wrong,
} = await drive({
  ...{ port: server.port, requests, connections, seed, control: { port: server.controlPort(), secret } },
  async onHundredth(hundredth) {
    const { rss, heapUsed } = await server.memory()
    const done = Math.round((requests * hundredth) / 100)
    if (hundredth > WARM_UP_HUNDREDTHS) samples.push({ requests: done, rss, heapUsed })
    if (hundredth % 10 !== 0) return
    console.log(
      `${`${hundredth} %`.padStart(6)}  rss ${inMegabytes(rss)}  heap ${inMegabytes(heapUsed)}  (${seconds()})`,
    )
  },
})
const drove = (performance.now() - droveFrom) / 1000
await runSuite(server, 'after')
const end = await server.stop()

for (const [problem, times] of wrong) problems.push(`${problem} (${times} times)`)
problems.push(...memoryProblems(samples))
if (end !== 0) problems.push(`the server ended by ${end}`)
if (server.complaints() !== '') problems.push(`the server wrote: ${server.complaints().slice(0, 2000)}`)

const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
console.log(
  `requests ${requests}, hostile ${hostile}, of tests ${double}, ${connections} connections, seed ${seed}`,
)
const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0)
console.log(`${answered} answers in ${drove.toFixed(0)} s, ${Math.round(answered / drove)} a second`)
console.log(`answers ${answers.join(', ')}`)
for (const problem of problems) console.log(`✗ ${problem}`)
if (problems.length === 0)
  console.log('✓ every answer as expected, memory flat, suite green before and after')
process.exitCode = problems.length === 0 ? 0 : 1

function readOptions(): Readonly<Record<keyof typeof options, number>> {
  try {
    const { values } = parseArgs({ options })
    return {
      requests: count('requests', values.requests, 1000),
      connections: count('connections', values.connections, 1),
      seed: count('seed', values.seed, 0),
      runs: count('runs', values.runs, 1),
    }
  } catch (error) {
    console.error(`soak: ${error instanceof Error ? error.message : error}`)
    process.exit(2)
  }
}

function count(name: string, text: string, min: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= min) return value
  throw new RangeError(`--${name}: expected a whole number from ${min}, found ${text}`)
}
