import { connectControl, type StoreControl } from 'token-assay'
import { inject } from 'vitest'

/** A store that no other worker touches, as the server began; its `url` is the base URL for the client. */
export async function ownScope(): Promise<StoreControl> {
  const { scopes } = await connectControl(inject('control'))
  const name = `worker-${process.env.VITEST_POOL_ID}`
  // What the file before has left: a worker runs one at a time.
  await scopes.remove(name)
  return scopes.create(name)
}
