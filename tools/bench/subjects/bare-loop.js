// What a run is measured beside: sends as many grants to the same target, and reads each answer.
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

const [file, grants] = process.argv.slice(2)
const { accounts, deployments } = JSON.parse(readFileSync(file, 'utf8'))
const [{ userName: username, password }] = accounts
// As many as a run has in flight.
const IN_FLIGHT = 8
const pool = new Pool(deployments.default.baseUrl, { connections: IN_FLIGHT })
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const body = new URLSearchParams({ grant_type: 'password', username, password }).toString()
let left = Number(grants)

async function work() {
  while (left > 0) {
    left -= 1
    const answer = await pool.request({ method: 'POST', path: '/Token', headers, body })
    const { access_token: token } = await answer.body.json()
    if (token === undefined) throw new Error(`no grant, but ${answer.statusCode}`)
  }
}

await Promise.all(Array.from({ length: IN_FLIGHT }, work))
await pool.close()
