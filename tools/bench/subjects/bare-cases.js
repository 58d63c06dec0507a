// What one would write by hand: sends the cases of a folder with so many in flight, and checks every answer.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'

const [url, folder, inFlight] = process.argv.slice(2)
const cases = readdirSync(folder).flatMap(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).cases,
)
const pool = new Pool(url, { connections: Number(inFlight) })
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const account = { userName: 'alice', password: 'Correct-horse-1' }
const fill = (value) => value.replace(/^\$account\.(\w+)$/, (_, name) => account[name])
let next = 0
let failed = 0

async function work() {
  while (next < cases.length) {
    const { send, expect } = cases[next++]
    const fields = Object.entries(send.form).map(([name, value]) => [name, fill(value)])
    const body = new URLSearchParams(fields).toString()
    const answer = await pool.request({ method: 'POST', path: '/Token', headers, body })
    const json = await answer.body.json()
    for (const { status, yieldsToken, member } of expect) {
      if (status !== undefined && answer.statusCode !== status) failed += 1
      if (yieldsToken !== undefined && json.access_token?.length > 0 !== yieldsToken) failed += 1
      if (member !== undefined && json[member.name] !== member.equals) failed += 1
    }
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, work))
await pool.close()
process.exitCode = failed > 0 ? 1 : 0
