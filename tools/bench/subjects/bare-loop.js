// What a run is measured beside: sends so many grants with so many in flight, and reads each answer.
import { Pool } from 'undici'

const [url, grants, inFlight] = process.argv.slice(2)
const pool = new Pool(url, { connections: Number(inFlight) })
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const body = 'grant_type=password&username=alice&password=Correct-horse-1'
let left = Number(grants)

async function work() {
  while (left > 0) {
    left -= 1
    const answer = await pool.request({ method: 'POST', path: '/Token', headers, body })
    const { access_token: token } = await answer.body.json()
    if (token === undefined) throw new Error(`no grant, but ${answer.statusCode}`)
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, work))
await pool.close()
