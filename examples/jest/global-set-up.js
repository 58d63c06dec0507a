import { randomUUID } from 'node:crypto'
import { startReferenceServer } from 'token-assay'

/** Starts one server for all workers, which find in their environment where the control plane is. */
export default async function setUp() {
  const secret = randomUUID()
  const server = await startReferenceServer({
    accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
    hashing: 'fast',
    control: { secret },
  })
  process.env.CONTROL_URL = server.controlUrl
  process.env.CONTROL_SECRET = secret
  // For the tear-down, which runs in this process too.
  Object.assign(globalThis, { tokenService: server })
}
