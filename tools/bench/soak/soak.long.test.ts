import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { TSX } from '../../../tests/fixtures/command.js'
import { memoryProblems } from './memory-growth.js'

const SOAK = fileURLToPath(new URL('./soak.ts', import.meta.url))
const soak = (requests: string) => promisify(execFile)(process.execPath, ['--import', TSX, SOAK, requests])

t.test('a small soak is green, and prints what it measured', async (t) => {
  const { stdout, stderr } = await soak('1000')
  t.equal(stderr, '')
  t.match(stdout, /^suite before: conformant/m)
  t.match(stdout, /^10 %: rss \d+\.\d MB, heap \d+\.\d MB$/m)
  t.match(stdout, /^suite after: conformant/m)
  t.match(stdout, /^✓ /m)
})

t.test('an invalid number is reported', async (t) => {
  await t.rejects(soak('x'), { code: 2, stderr: 'soak: expected a number of requests from 1000, found x\n' })
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
