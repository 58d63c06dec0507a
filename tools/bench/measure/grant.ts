import { Pool } from 'undici'
import type { ServerChild } from './child.js'

const IN_FLIGHT = 16
const BODY = 'grant_type=password&username=alice&password=Correct-horse-1'
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

/** What an exchange cost the server, in its own process. */
export interface Load {
  readonly cpuMs: number
  readonly wallMs: number
}

/** Logs in as alice, `grants` times. */
export async function grant(server: ServerChild, grants: number): Promise<Load> {
  const pool = new Pool(server.url, { connections: IN_FLIGHT })
  const before = await server.usage()
  const began = performance.now()
  let left = grants
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const sent = { method: 'POST', path: '/Token', headers: HEADERS, body: BODY } as const
      const { statusCode, body } = await pool.request(sent)
      await body.dump()
      if (statusCode !== 200) throw new Error(`${server.url} refuses a grant: ${statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  const wallMs = (performance.now() - began) / grants
  const after = await server.usage()
  await pool.close()
  return { cpuMs: (after.cpuMs - before.cpuMs) / grants, wallMs }
}
