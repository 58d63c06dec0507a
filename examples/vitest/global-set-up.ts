import { randomUUID } from 'node:crypto'
import { type ControlClientOptions, startReferenceServer } from 'token-assay'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    control: ControlClientOptions
  }
}

/** Starts one server for all workers, which it tells where the control plane is. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const secret = randomUUID()
  const server = await startReferenceServer({
    accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
    hashing: 'fast',
    control: { secret },
  })
  project.provide('control', { url: server.controlUrl ?? '', secret })
  return () => server.close()
}
