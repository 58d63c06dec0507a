/**
 * `npm run soak [REQUESTS]`: a million requests of 64 clients to a server process with bounded stores. Exit code 1: a wrong
 * answer, a complaint of the server, memory that grows, or a suite that is not green before and after.
 * What hostile clients send is in reference/connection/fuzz.long.test.ts.
 */
import { Pool } from 'undici'
import { assess } from '../../../index.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { randomNumbers } from '../../random.js'
import { startServeCommand } from '../measure/child.js'
import { inMegabytes, memoryProblems, type Sample } from './memory-growth.js'
import { accounts, type SoakRequest, soundRequest } from './sound-requests.js'

const CONNECTIONS = 64
/** Everything that is kept has been filled by then. */
const WARM_UP_HUNDREDTHS = 10

const requests = Number(process.argv[2] ?? 1_000_000)
if (!Number.isSafeInteger(requests) || requests < 1000) {
  console.error(`soak: expected a number of requests from 1000, found ${process.argv[2]}`)
  process.exit(2)
}
const limits = { accounts: 2000, tokens: 10_000, journal: 500, connections: 256 }
await using server = await startServeCommand({ accounts, limits, hashing: 'fast', log: { level: 'error' } })
const pool = new Pool(server.url, { connections: CONNECTIONS })
const problems = new Map<string, number>()
const samples: Sample[] = []

async function runSuite(when: string): Promise<void> {
  const registration = { request: REGISTRATION_REQUEST }
  const target = { baseUrl: server.url, accounts, registration, maxFailedLogins: 1000, timeoutMs: 60_000 }
  const { verdict, counts } = await assess(target, { seed: 1, runs: requests < 100_000 ? 1 : 100 })
  console.log(`suite ${when}: ${verdict}, ${counts.passed} passed`)
  if (verdict !== 'conformant') note(`the suite ${when} is ${verdict}: ${counts.failed} failed`)
}

async function send({ method, path, type, body, status }: SoakRequest): Promise<void> {
  const headers = type === undefined ? {} : { 'content-type': type }
  const answer = await pool.request({ method, path, headers, body: body ?? null })
  await answer.body.dump()
  // The documented 503 may come in place of any answer, but says when to come again.
  if (answer.statusCode === 503 && answer.headers['retry-after'] !== undefined) return
  if (answer.statusCode !== status) note(`${method} ${path}: expected ${status}, found ${answer.statusCode}`)
}

async function sample(hundredth: number): Promise<void> {
  const { rss, heapUsed } = await server.usage()
  if (hundredth > WARM_UP_HUNDREDTHS)
    samples.push({ requests: Math.round((requests * hundredth) / 100), rss, heapUsed })
  if (hundredth % 10 === 0)
    console.log(`${hundredth} %: rss ${inMegabytes(rss)}, heap ${inMegabytes(heapUsed)}`)
}

function note(problem: string): void {
  problems.set(problem, (problems.get(problem) ?? 0) + 1)
}

await runSuite('before')
const random = randomNumbers(1)
const each = Math.floor(requests / 100)
for (let hundredth = 1; hundredth <= 100; hundredth++) {
  let left = each
  const work = async (): Promise<void> => {
    while (left > 0) await send(soundRequest(random, hundredth * each + left--))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  await sample(hundredth)
}
await pool.close()
await runSuite('after')
const end = await server.stop()
for (const problem of memoryProblems(samples)) note(problem)
if (end !== 0) note(`the server ended by ${end}`)
if (server.complaints() !== '') note(`the server wrote: ${server.complaints().slice(0, 2000)}`)
for (const [problem, times] of problems) console.log(`✗ ${problem} (${times} times)`)
if (problems.size === 0) console.log('✓ every answer as expected, memory flat, suite green before and after')
process.exitCode = problems.size === 0 ? 0 : 1
