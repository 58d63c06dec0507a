import { Pool } from 'undici'
import type { MeasuredServer } from './start-server.js'

export const IN_FLIGHT = 16
const BODY = 'grant_type=password&username=alice&password=Correct-horse-1'
const HEADERS = {
  'content-type': 'application/x-www-form-urlencoded',
  // For those that grant nothing without a client; nothing to the others.
  authorization: `Basic ${Buffer.from('bench:bench').toString('base64')}`,
}

/** What a grant cost the server, in its own process. */
export interface Load {
  readonly cpuMicroseconds: number
  readonly perSecond: number
}

/** Logs in as alice, `grants` times. */
export async function grant(server: MeasuredServer, grants: number): Promise<Load> {
  const pool = new Pool(server.url, { connections: Math.min(IN_FLIGHT, Math.max(1, grants)) })
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
  const seconds = (performance.now() - began) / 1000
  const after = await server.usage()
  await pool.close()
  return {
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / grants,
    perSecond: grants / seconds,
  }
}
