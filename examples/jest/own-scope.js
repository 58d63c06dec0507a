import { connectControl } from 'token-assay'

/** A store that no other worker touches, as the server began; its `url` is the base URL for the client. */
export async function ownScope() {
  const { CONTROL_URL: url = '', CONTROL_SECRET: secret = '', JEST_WORKER_ID } = process.env
  const { scopes } = await connectControl({ url, secret })
  const name = `worker-${JEST_WORKER_ID}`
  // What the file before has left: a worker runs one at a time.
  await scopes.remove(name)
  return scopes.create(name)
}
