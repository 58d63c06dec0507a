/** tools/bench/soak: it runs, in small, and it notices what it is there for. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { TSX } from '../../../tests/fixtures/command.js'
import { drive } from './drive.js'
import { memoryProblems } from './memory-growth.js'

const SOAK = fileURLToPath(new URL('./soak.ts', import.meta.url))
const run = promisify(execFile)

const soak = (...args: readonly string[]) => run(process.execPath, ['--import', TSX, SOAK, ...args])

t.test('a small soak is green, and says what it did', async (t) => {
  const { stdout, stderr } = await soak('--requests', '1000', '--runs', '1')
  t.equal(stderr, '')
  t.match(stdout, /^suite before: conformant/m)
  t.match(stdout, /^ *10 % {2}rss \d+\.\d MB {2}heap \d+\.\d MB/m)
  t.match(stdout, /^suite after: conformant/m)
  t.match(stdout, /^requests 1000, hostile \d+, of tests \d+, 64 connections, seed 1$/m)
  for (const status of [200, 201, 204, 400, 401, 404, 405, 413, 415, 418])
    t.match(stdout, new RegExp(`\\b${status}: \\d+`))
  t.notMatch(stdout, /\b5\d\d: /)
  t.match(stdout, /^✓ /m)
})

t.test('an invalid option is reported', async (t) => {
  await t.rejects(soak('--requests', 'x'), {
    code: 2,
    stderr: 'soak: --requests: expected a whole number from 1000, found x\n',
  })
  await t.rejects(soak('--request', '1000'), { code: 2, stderr: /^soak: Unknown option '--request'/ })
})

/** What the soak says of a server; by default without hostile clients. */
async function problemsWith(t: Test, server: Server, hostileShare = 0): Promise<readonly string[]> {
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  // A TCP server's address is no path.
  const { port } = server.address() as AddressInfo
  const { problems } = await drive({ port, requests: 400, connections: 4, seed: 1, hostileShare })
  return [...problems.keys()]
}

t.test('a wrong answer is noticed', async (t) => {
  const failing = createHttpServer((_, response) => {
    response.statusCode = 500
    response.end('boom')
  })
  t.strictSame(await problemsWith(t, failing), ['a sound request: 500 boom'])
  const lenient = createHttpServer((_, response) => response.end())
  const found = [201, 400, 404, 405, 415].map((status) => `a sound request: expected ${status}, found 200`)
  t.strictSame((await problemsWith(t, lenient)).toSorted(), found)
})

t.test('of 503 only the stated one may come', async (t) => {
  const busy = (headers: Readonly<Record<string, string>>) =>
    createHttpServer((_, response) => response.writeHead(503, { ...headers, 'Content-Length': 0 }).end())
  t.strictSame(await problemsWith(t, busy({ 'Retry-After': '1' })), [])
  t.strictSame(await problemsWith(t, busy({})), ['a sound request: 503 '])
})

t.test('no answer at all is noticed, by every client', async (t) => {
  const problems = await problemsWith(
    t,
    createServer((socket) => socket.destroy()),
    0.5,
  )
  for (const problem of [
    'a sound request: expected 200, found no answer',
    'a hostile client: expected 413, found no answer',
    'a hostile client: expected 431, found no answer',
    `a hostile client: expected ${'200 '.repeat(10)}… (150), found no answer`,
  ])
    t.ok(problems.includes(problem), problem)
})

t.test('memory that grows is noticed, in the heap and outside', async (t) => {
  const MB = 2 ** 20
  const samples = (heapGrowth: number, rssGrowth: number) =>
    Array.from({ length: 90 }, (_, index) => ({
      requests: index,
      // Up and down by a megabyte, as it does.
      heapUsed: (15 + (index % 2) + (heapGrowth * index) / 90) * MB,
      rss: (120 + (index % 5) + (rssGrowth * index) / 90) * MB,
    }))
  t.strictSame(memoryProblems(samples(1, 5)), [])
  t.match(memoryProblems(samples(9, 5)), [/^heapUsed grows: 1\d\.\d MB, later 2\d\.\d MB$/])
  t.match(memoryProblems(samples(0, 60)), [/^rss grows: /])
  t.strictSame(memoryProblems([]), ['there are too few samples of the memory'])
})
