// Property-based cases against a reference server in the same process, or a bare loop that sends as many; both with so many
// in flight. Prints what the sending took: what is loaded before it is not counted.
import { Pool } from 'undici'
import { assess, startReferenceServer } from '../../../dist/index.js'

const [exchanges, inFlight, runs, ...cases] = process.argv.slice(2)
const account = { userName: 'alice', password: 'Correct-horse-1' }
const server = await startReferenceServer({ accounts: [account], hashing: 'fast' })
let sent = 0
server.on('request', () => {
  sent += 1
})

async function suite() {
  const deployments = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`d${at}`, {}]))
  const target = { baseUrl: server.url, accounts: [account], deployments }
  const report = await assess(target, {
    only: cases,
    runs: Number(runs),
    seed: 1,
    concurrency: Number(inFlight),
  })
  if (report.verdict !== 'conformant') throw new Error(`the verdict is ${report.verdict}`)
}

async function loop() {
  const pool = new Pool(server.url, { connections: Number(inFlight) })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  let left = Number(exchanges)
  const work = async () => {
    while (left > 0) {
      left -= 1
      const body = `grant_type=x${left}&username=alice&password=Correct-horse-1`
      const answer = await pool.request({ method: 'POST', path: '/Token', headers, body })
      const json = await answer.body.json()
      if (answer.statusCode !== 400 || json.error !== 'unsupported_grant_type')
        throw new Error('that was no refusal')
    }
  }
  await Promise.all(Array.from({ length: Number(inFlight) }, work))
  await pool.close()
}

const began = performance.now()
const before = process.cpuUsage()
await (cases.length > 0 ? suite() : loop())
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ sent, ms: performance.now() - began, cpuMicroseconds: user + system }))
await server.close()
