import type { Target } from '../../conformance/target/deployment.js'

/** A server with one fault in it, to see the suite at work without a service. */
export interface Demonstration {
  /** The server as a target; it is started when it is asked for first. */
  target(): Promise<Target>
  close(): Promise<void>
}

const ACCOUNT = { userName: 'alice', password: 'Correct-7-horses' }

export function createDemonstration(): Demonstration {
  let starting: ReturnType<typeof startFaulty> | undefined
  return {
    async target() {
      starting ??= startFaulty()
      return (await starting).target
    },
    close: async () => (await starting)?.server.close(0),
  }
}

/** Nothing of it is loaded before. */
async function startFaulty() {
  const [{ startReferenceServer }, { readTargetText }] = await Promise.all([
    import('../../reference/server.js'),
    import('../../conformance/target/target-file.js'),
  ])
  const server = await startReferenceServer({
    accounts: [ACCOUNT],
    hashing: 'fast',
    behaviour: { tokenType: () => 'Bearer' },
  })
  const text = JSON.stringify({
    name: 'Demonstration: a server with one fault',
    baseUrl: server.url,
    accounts: [ACCOUNT],
    // Nothing is left out: no one is locked out there.
    maxFailedLogins: 1000,
  })
  return { server, target: readTargetText('demonstration', text, {}) }
}
